/** Sources as they are while somebody types, or after an accident. */
import { rounds, uniform } from '../support/effort.ts';

/** As many mutations of a text as a test can afford, the same ones each time. */
export function* mutationsOf(text: string): Generator<string> {
  const random = uniform();
  for (let n = rounds(500); n > 0; n--) yield mutated(text, random);
}

/** The text after one to four accidents: a piece is deleted, doubled, or swapped with the one behind it. */
function mutated(text: string, random: () => number): string {
  const below = (n: number) => Math.floor(random() * n);
  let result = text;
  for (let edits = 1 + below(4); edits > 0; edits--) {
    const at = below(result.length + 1);
    const middle = at + 1 + below(40);
    const end = middle + 1 + below(40);
    const [piece, next] = [result.slice(at, middle), result.slice(middle, end)];
    const made = [next, piece + piece + next, next + piece][below(3)] ?? '';
    result = result.slice(0, at) + made + result.slice(end);
  }
  return result;
}
