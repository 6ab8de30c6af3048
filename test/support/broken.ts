/** Makes broken sources, as they occur while somebody types or after an accident. */
import fc from 'fast-check';
import { SEED, scaleRounds } from './effort.ts';

const ACCIDENTS = [
  'cut',
  'insert',
  'double',
  'swap',
  'move',
  'indent',
  'keep start',
  'keep end',
] as const;

interface Accident {
  kind: (typeof ACCIDENTS)[number];
  /** Position in the text, modulo its length. */
  at: number;
  length: number;
  inserted: string;
}

/**
 * Asserts that a check passes for a source after one to four random accidents. On failure, reports the smallest failing example.
 * @param inserts texts that may be inserted
 * @param count number of broken sources in `npm test`
 */
export function assertForBroken(
  source: string,
  inserts: readonly string[],
  count: number,
  check: (text: string) => void,
): void {
  const accident = fc.record({
    kind: fc.constantFrom(...ACCIDENTS),
    at: fc.nat(source.length * 2),
    length: fc.nat(60),
    inserted: fc.constantFrom(...inserts),
  });
  const texts = fc
    .array(accident, { minLength: 1, maxLength: 4 })
    .map((accidents) => accidents.reduce(damage, source));
  fc.assert(fc.property(texts, check), { seed: SEED, numRuns: scaleRounds(count) });
}

function damage(text: string, { kind, at, length, inserted }: Accident): string {
  const start = at % (text.length + 1);
  const [before, piece, after] = [
    text.slice(0, start),
    text.slice(start, start + length),
    text.slice(start + length),
  ];
  switch (kind) {
    case 'cut':
      return before + after;
    case 'insert':
      return before + inserted + piece + after;
    case 'double':
      return before + piece + piece + after;
    case 'swap':
      return before + after.slice(0, length) + piece + after.slice(length);
    case 'move':
      return after + piece + before;
    case 'indent':
      return before + piece.replaceAll('\n', `\n${' '.repeat(length % 6)}`) + after;
    case 'keep start':
      return before;
    case 'keep end':
      return piece + after;
  }
}
