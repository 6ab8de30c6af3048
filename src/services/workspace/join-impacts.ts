/** Joins what the repositories of a workspace answer about one diff. */
import type { Impact } from '../../shared/impact.ts';

/**
 * Joins the answers of several repositories. If the lines of the diff are in some of them, the others only have files of the same
 * name, and are left out.
 */
export function joinImpacts(
  answers: readonly Impact[],
  { limit, tests: most }: { limit: number; tests: number },
): Impact {
  const arePlaced = answers.some(({ placed }) => placed > 0);
  const meant = answers.filter(({ placed, edited }) =>
    arePlaced ? placed > 0 : edited.length > 0,
  );
  const joined = meant.length > 0 ? meant : answers.slice(0, 1);
  const suggestions = joined.flatMap((one) => one.suggestions);
  const tests = joined.flatMap((one) => one.tests).sort((a, b) => a.distance - b.distance);
  const sum = (count: (one: Impact) => number) =>
    joined.reduce((total, one) => total + count(one), 0);
  const notes = new Set(joined.flatMap(({ note }) => note ?? []));
  return {
    edited: joined.flatMap(({ edited }) => edited),
    suggestions: suggestions.slice(0, limit),
    hidden: sum(({ hidden }) => hidden) + Math.max(0, suggestions.length - limit),
    tests: tests.slice(0, most),
    hiddenTests: sum(({ hiddenTests }) => hiddenTests) + Math.max(0, tests.length - most),
    unindexed: joined.flatMap(({ unindexed }) => unindexed),
    placed: sum(({ placed }) => placed),
    note: notes.size > 0 ? [...notes].join(' ') : null,
  };
}
