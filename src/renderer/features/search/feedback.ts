/** What the engine refines a ranking with: the marks of the issue. */
import { MOST_MARKED } from '../../../shared/limits.ts';
import { MARKS, type Mark } from '../../../shared/marks.ts';

import type { Feedback } from '../../../shared/search.ts';
import type { Marks } from './marks.ts';

/** Undefined when nothing is marked. */
export function feedbackOf(marks: Marks): Feedback | undefined {
  const given = MARKS.map(
    (mark) => [mark, marked(marks, mark).slice(0, MOST_MARKED)] as const,
  ).filter(([, addresses]) => addresses.length > 0);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** Where the chunks with this mark are now; those that are gone have nothing to say. */
function marked(marks: Marks, wanted: Mark): string[] {
  return [...marks.values()].flatMap(({ mark, now }) =>
    mark === wanted && now ? now.address : [],
  );
}
