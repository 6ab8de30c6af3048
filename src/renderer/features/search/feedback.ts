/** What the engine refines a ranking with: the marks of the issue. */
import type { Mark } from '../../../shared/rpc-protocol.ts';
import type { Feedback } from '../../../shared/types.ts';
import type { Marks } from './marks.ts';

/** The engine's limit for each list. */
const MOST = 200;

/** Undefined when nothing is marked. */
export function feedbackOf(marks: Marks): Feedback | undefined {
  const feedback = {
    relevant: marked(marks, 'edit').slice(0, MOST),
    context: marked(marks, 'relevant').slice(0, MOST),
    irrelevant: marked(marks, 'irrelevant').slice(0, MOST),
  };
  return Object.values(feedback).some(({ length }) => length > 0) ? feedback : undefined;
}

/** Where the chunks with this mark are now; those that are gone have nothing to say. */
function marked(marks: Marks, wanted: Mark): string[] {
  return [...marks.values()].flatMap(({ mark, now }) =>
    mark === wanted && now ? now.address : [],
  );
}
