import { crc32 } from 'node:zlib';

/** A value of a row, as SQLite hands it over. */
export type Part = string | number | null | Uint8Array;

/**
 * The checksum of a row's values, 0 to 2³² - 1: SQLite has none, and a changed bit within a value would go unnoticed.
 * It finds accidents, not somebody who means to deceive.
 * @param seed another checksum, to make one of several.
 */
export function checksum(parts: readonly Part[], seed = 0): number {
  let sum = seed;
  for (const part of parts) {
    if (typeof part === 'string') sum = ofText(part, sum);
    else if (typeof part === 'number') sum = ofNumber(part, sum);
    else sum = part === null ? mix(sum, -1) : mix(crc32(part, sum >>> 0), part.byteLength);
  }
  return sum >>> 0;
}

/** Sums of rows add up, so that rows can come and go in any order. */
export function addChecksums(a: number, b: number): number {
  return (a + b) >>> 0;
}

function ofNumber(value: number, seed: number): number {
  const low = mix(seed, value | 0);
  return value === (value | 0) ? low : mix(low, value / 2 ** 32);
}

/** Short texts by far outnumber long ones, and a call out of JavaScript costs more than they do. */
function ofText(text: string, seed: number): number {
  if (text.length > 200) return mix(crc32(text, seed >>> 0), text.length);
  let sum = seed;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return mix(sum, text.length);
}

/** The finaliser of MurmurHash3 (A. Appleby, public domain): every bit of `value` bears on every bit of the sum. */
function mix(sum: number, value: number): number {
  let mixed = sum ^ value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) + 0x9e3779b9) | 0;
}
