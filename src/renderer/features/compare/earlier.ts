/** The searches of this window, as far as they are worth comparing with. */
import type { Compared } from './changes.ts';

export interface KeptSearch {
  id: number;
  /** Of the repository, at whichever version. */
  root: string;
  /** What was searched: a version's name, or the working tree. */
  where: string;
  issue: string;
  title: string;
  /** Milliseconds since 1970 at which it was found. */
  at: number;
  results: readonly Compared[];
}

const KEPT = 30;
/** A list that stood for less, while its issue was being typed, is nothing that anybody would come back to. */
export const PASSING_MS = 5000;

const isSame = (a: KeptSearch, b: KeptSearch) =>
  a.root === b.root && a.where === b.where && a.issue === b.issue;

/** Returns true if one text is the other after typing at one place: most of it is before and behind that place. */
function isEditOf(a: string, b: string): boolean {
  const least = Math.min(a.length, b.length);
  let before = 0;
  while (before < least && a[before] === b[before]) before++;
  let behind = 0;
  while (behind < least - before && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  return 2 * (before + behind) >= least;
}

/**
 * Adds the latest search. It takes the place of the one before where that asked for the same, as a first list did, or
 * was passed while the issue was edited.
 * @param all the latest last.
 */
export function withSearch(all: readonly KeptSearch[], now: KeptSearch): KeptSearch[] {
  const last = all.at(-1);
  const [before] = all.slice(-2);
  if (!last) return [now];
  if (isSame(last, now)) return [...all.slice(0, -1), { ...now, at: last.at }];
  const passed =
    last.root === now.root &&
    last.where === now.where &&
    now.at - last.at < PASSING_MS &&
    isEditOf(last.issue, now.issue);
  const rest = passed && before !== last ? all.slice(0, -1) : all;
  return [...rest, now].slice(-KEPT);
}
