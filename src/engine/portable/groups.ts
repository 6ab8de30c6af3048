/** Lists that are cut so that near versions of a list have most pieces in common. */
import { hash } from 'node:crypto';

export interface CutOptions<T> {
  /** By which an item is the same in another version of the list. */
  nameOf: (item: T) => string;
  /** How much of a piece it is; a piece ends when it has more than `most`. */
  weightOf: (item: T) => number;
  most: number;
  /** Items of a piece, as a rule. */
  mean: number;
}

/**
 * Cuts a list behind the items whose names' digests say so, as content-defined chunking does with bytes (Muthitacharoen,
 * Chen, Mazières: A Low-bandwidth Network File System, 2001): what is added or removed changes the piece that it
 * is in, at times the next one, and no other.
 */
export function* cut<T>(
  items: Iterable<T>,
  { nameOf, weightOf, most, mean }: CutOptions<T>,
): Generator<T[]> {
  let piece: T[] = [];
  let weight = 0;
  for (const item of items) {
    piece.push(item);
    weight += weightOf(item);
    const digest = hash('sha256', nameOf(item), 'buffer').readUInt32LE(0);
    if (digest % mean !== 0 && weight <= most) continue;
    yield piece;
    piece = [];
    weight = 0;
  }
  if (piece.length > 0) yield piece;
}
