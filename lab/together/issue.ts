/** An issue for a second pass: the first list's scores, and for each of its first results what relates others to it. */
import { issueOf, type RankedIssue } from '../forest/issue.ts';
import type { List } from '../lists/list.ts';
import { at } from '../ranker/at.ts';
import type { Labelled } from '../ranker/linear.ts';
import { KINDS, type Relations } from './relation.ts';

export interface RelatedIssue extends RankedIssue {
  /** By candidate, of the first list. */
  scores: Float64Array;
  /** The softmax of the scores: how likely each is to be edited, were it only one. */
  odds: Float64Array;
  /** By first result, by `COLUMNS`, by candidate. */
  related: Float64Array[][];
}

/** What a second pass weighs. */
export const COLUMNS: readonly string[] = [...KINDS, 'explained', 'rest', 'alike'];

/** @param relations of the list's first candidates, to some of those of the issue */
export function relatedIssue(list: List, relations: Relations, most: number): RelatedIssue {
  const issue = issueOf(list, most);
  const count = issue.labels.length;
  const scores = Float64Array.from(list.candidates.slice(0, count), ({ score }) => score);
  const largest = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - largest));
  const sum = raised.reduce((a, b) => a + b, 0);
  const related = relations.of
    .filter(({ place }) => place < count)
    .map(({ pairs, explained, rest, alike, place }) => {
      const columns = COLUMNS.map(() => new Float64Array(count));
      for (const [other, kind, value] of pairs) if (other < count) at(columns, kind)[other] = value;
      const most = Math.max(1e-9, ...explained.map((value, i) => value + at(rest, i)));
      for (let i = 0; i < count; i++) {
        if (i === place) continue;
        at(columns, KINDS.length)[i] = at(explained, i) / most;
        at(columns, KINDS.length + 1)[i] = at(rest, i) / most;
        at(columns, KINDS.length + 2)[i] = at(alike, i);
      }
      return columns;
    });
  return { ...issue, scores, odds: raised.map((odd) => odd / sum), related };
}

/** The first list's scores, and each relation to the first results by how likely these are. */
export function weighted({ scores, odds, labels, related }: RelatedIssue): Labelled {
  const columns = COLUMNS.map((_, c) => {
    const sum = new Float64Array(labels.length);
    for (const [source, columnsOf] of related.entries()) {
      const odd = at(odds, source);
      for (const [i, value] of at(columnsOf, c).entries()) sum[i] = at(sum, i) + odd * value;
    }
    return sum;
  });
  return { columns: [scores, ...columns], labels };
}

/** The same for one of the first results, which is not to be ranked itself. */
export function given({ scores, labels, related }: RelatedIssue, source: number): Labelled {
  const others = labels.slice();
  others[source] = -1;
  return { columns: [scores, ...at(related, source)], labels: others };
}
