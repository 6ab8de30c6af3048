/** Candidates of an issue as columns of numbers, to fit and measure rankers. */
import type { List } from '../lists/list.ts';
import { getFamily } from '../split/split.ts';

export interface RankedIssue {
  instance: string;
  repo: string;
  family: string;
  /** Names of the columns: signals, and additional columns of a list. */
  names: readonly string[];
  /** Values by column, then by candidate in the order of the list, best first. NaN if missing. */
  values: Float64Array[];
  /** The same, standardized over all candidates of the search; 0 if missing. */
  columns: Float64Array[];
  /** 1 for edited candidates, else 0. */
  labels: Int8Array;
  /** Number of edited chunks that are not among the candidates. */
  missed: number;
  /** Number of chunks that were searched. */
  considered: number;
}

/**
 * Returns the first `most` candidates of a list. Later edited ones count as missed: their neighbors are not in the list, so
 * that their rank is unknown.
 */
export function toRankedIssue(list: List, most: number): RankedIssue {
  const { instance, repo, signals: names, considered, edited } = list;
  const candidates = list.candidates.slice(0, most);
  const by = (read: (candidate: (typeof candidates)[number]) => readonly (number | null)[]) =>
    names.map((_, f) => Float64Array.from(candidates, (of) => read(of)[f] ?? Number.NaN));
  const labels = Int8Array.from(candidates, ({ isEdited }) => Number(isEdited));
  const found = labels.reduce((count, label) => count + label, 0);
  return {
    instance,
    repo,
    family: getFamily(repo),
    names,
    values: by(({ values }) => values),
    columns: by(({ columns }) => columns),
    labels,
    missed: edited - found,
    considered,
  };
}
