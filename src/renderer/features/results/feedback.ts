/** What the engine refines the ranking with: the marks of the issue, unless the user wants to see it without them. */
import { MARKS, type Mark } from '../../../shared/marks.ts';
import type { Feedback } from '../../../shared/types.ts';
import { useFilters } from './filters.ts';
import { type Marks, useMarks } from './marks.ts';

/** The engine's limit for each list. */
const MOST = 200;

/** Undefined when nothing is marked, or the marks are to be left out. */
export function feedbackNow(): Feedback | undefined {
  if (!useFilters.getState().refine) return undefined;
  const { marks } = useMarks.getState();
  const given = MARKS.map((mark) => [mark, marked(marks, mark).slice(0, MOST)] as const).filter(
    ([, addresses]) => addresses.length > 0,
  );
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** Where the chunks with this mark are now; those that are gone have nothing to say. */
function marked(marks: Marks, wanted: Mark): string[] {
  return [...marks.values()].flatMap(({ mark, now }) =>
    mark === wanted && now ? now.address : [],
  );
}
