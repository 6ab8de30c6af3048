import { crc32 } from 'node:zlib';

/** Value of a row, as SQLite returns it. */
export type ChecksumValue = string | number | null | Uint8Array;

/**
 * Returns the checksum of a row's values, from 0 to 2³² - 1. SQLite has no checksums, so a changed bit in a value would go
 * unnoticed. It detects accidents, not deliberate changes.
 * @param seed another checksum, to combine several into one.
 */
export function computeChecksum(values: readonly ChecksumValue[], seed = 0): number {
  let sum = seed;
  for (const value of values) {
    if (typeof value === 'string') sum = hashText(value, sum);
    else if (typeof value === 'number') sum = hashNumber(value, sum);
    else sum = value === null ? mix(sum, -1) : mix(crc32(value, sum >>> 0), value.byteLength);
  }
  return sum >>> 0;
}

/** Adds the checksums of two rows. The order doesn't matter, so rows can be added and removed in any order. */
export function addChecksums(a: number, b: number): number {
  return (a + b) >>> 0;
}

function hashNumber(value: number, seed: number): number {
  const low = mix(seed, value | 0);
  return value === (value | 0) ? low : mix(low, value / 2 ** 32);
}

/** Hashes short texts in JavaScript: they are by far the most frequent, and a native call would cost more than hashing them here. */
function hashText(text: string, seed: number): number {
  if (text.length > 200) return mix(crc32(text, seed >>> 0), text.length);
  let sum = seed;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return mix(sum, text.length);
}

/** Applies the finalizer of MurmurHash3 (A. Appleby, public domain): every bit of `value` affects every bit of the sum. */
function mix(sum: number, value: number): number {
  let mixed = sum ^ value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) + 0x9e3779b9) | 0;
}
