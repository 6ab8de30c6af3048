/** What a ranker learns from and is measured on: the candidates of an issue as columns of numbers. */
import type { List } from '../lists/list.ts';
import { familyOf } from '../split/split.ts';

export interface RankedIssue {
  instance: string;
  repo: string;
  family: string;
  /** Names of the columns: signals, and what else a list has. */
  names: readonly string[];
  /** By column, by candidate, best first as the list has them: as measured, NaN where there is none. */
  values: Float64Array[];
  /** The same standardised over all candidates of the search; 0 where there is none. */
  columns: Float64Array[];
  /** 1 edited, 0 not. */
  labels: Int8Array;
  /** How many edited chunks are not among the candidates. */
  missed: number;
  /** How many chunks might have been found. */
  considered: number;
}

/**
 * The first `most` candidates of a list. Edited ones behind them count as missed: none of those around them is in the list,
 * so that nothing could be learned or measured of their place.
 */
export function issueOf(list: List, most: number): RankedIssue {
  const { instance, repo, signals: names, considered, edited } = list;
  const candidates = list.candidates.slice(0, most);
  const by = (read: (candidate: (typeof candidates)[number]) => readonly (number | null)[]) =>
    names.map((_, f) => Float64Array.from(candidates, (of) => read(of)[f] ?? Number.NaN));
  const labels = Int8Array.from(candidates, ({ isEdited }) => Number(isEdited));
  const found = labels.reduce((count, label) => count + label, 0);
  return {
    instance,
    repo,
    family: familyOf(repo),
    names,
    values: by(({ values }) => values),
    columns: by(({ columns }) => columns),
    labels,
    missed: edited - found,
    considered,
  };
}
