import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';

const PAGE = 4096;

/** Ways to damage a file, each at a random position. */
const KINDS = {
  bit: (bytes: Buffer, draw: () => number) => {
    bytes[below(bytes.length, draw)] ^= 1 << below(8, draw);
  },
  bytes: (bytes: Buffer, draw: () => number) => {
    const start = below(bytes.length, draw);
    const end = Math.min(bytes.length, start + 1 + below(PAGE, draw));
    for (let i = start; i < end; i++) bytes[i] = below(256, draw);
  },
  few: (bytes: Buffer, draw: () => number) => {
    const start = below(bytes.length, draw);
    const end = Math.min(bytes.length, start + 1 + below(8, draw));
    for (let i = start; i < end; i++) bytes[i] = below(256, draw);
  },
  zeroes: (bytes: Buffer, draw: () => number) => {
    page(bytes, draw).fill(0);
  },
  swap: (bytes: Buffer, draw: () => number) => {
    const [one, other] = [page(bytes, draw), page(bytes, draw)];
    const copy = Buffer.from(one);
    one.set(other.subarray(0, one.length));
    other.set(copy.subarray(0, other.length));
  },
  foreign: (bytes: Buffer, draw: () => number, foreign: Buffer) => {
    const at = below(Math.ceil(Math.min(bytes.length, foreign.length) / PAGE), draw) * PAGE;
    bytes.set(foreign.subarray(at, Math.min(at + PAGE, bytes.length)), at);
  },
} as const;

const NAMES = [...(Object.keys(KINDS) as (keyof typeof KINDS)[]), 'truncation'] as const;
export type DamageKind = (typeof NAMES)[number];

/**
 * Damages a file in place.
 * @param draw uniform numbers in [0, 1)
 * @param foreign another file of the same kind; one of its pages may be copied into the damaged file
 * @returns the kind of damage
 */
export function corrupt(path: string, draw: () => number, foreign: Buffer): DamageKind {
  const kind = NAMES[below(NAMES.length, draw)];
  const { size } = statSync(path);
  if (kind === 'truncation') truncateSync(path, below(size, draw));
  else if (size === 0) writeFileSync(path, foreign.subarray(0, 1 + below(PAGE, draw)));
  else {
    const bytes = readFileSync(path);
    KINDS[kind](bytes, draw, foreign);
    writeFileSync(path, bytes);
  }
  return kind;
}

/** Draws an integer from 0 to `limit - 1`. */
export function below(limit: number, draw: () => number): number {
  return Math.floor(draw() * limit);
}

function page(bytes: Buffer, draw: () => number): Buffer {
  const at = below(Math.ceil(bytes.length / PAGE), draw) * PAGE;
  return bytes.subarray(at, at + PAGE);
}
