/*
 * Makes issues whose answer no weighted sum can find.
 */
import type { RankedIssue } from '../../lab/forest/issue.ts';
import { uniform } from '../support/effort.ts';

export const NAMES = ['bm25', 'title', 'length'];
export const CANDIDATES = 20;

/** Makes an issue. Its edited chunk is short with words of the title, or long without them, which no weighted sum expresses. */
function toyIssue(number: number, next: () => number): RankedIssue {
  const draw = () => Float64Array.from({ length: CANDIDATES }, () => next() * 2 - 1);
  const columns = [draw(), draw(), draw()];
  const [words, title, length] = columns as [Float64Array, Float64Array, Float64Array];
  const worth = words.map((value, i) => 0.3 * value - Math.sign(title[i]! * length[i]!));
  const best = worth.indexOf(Math.max(...worth));
  return {
    instance: `issue-${number}`,
    repo: `someone/toy-${number % 7}`,
    family: `someone/toy-${number % 7}`,
    names: NAMES,
    values: columns,
    columns,
    labels: Int8Array.from(worth, (_, i) => Number(i === best)),
    missed: 0,
    considered: 100,
  };
}

export function toyIssues(count: number): RankedIssue[] {
  const next = uniform();
  return Array.from({ length: count }, (_, number) => toyIssue(number, next));
}
