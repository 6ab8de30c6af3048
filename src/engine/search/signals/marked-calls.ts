import { present } from '../../../shared/present.ts';
import { neighborsOf } from '../feedback.ts';
import { asYesOrNo } from '../measures/format.ts';
import { largestBy, measureMarks } from '../measures/marks.ts';
import type { Signal } from './signal.ts';

/** Calls a marked chunk or is called by one: 1 for one marked `edit`, less for `read`. Guessed calls do not count. */
export const markedCalls: Signal = {
  name: 'markedCalls',
  family: 'marks',
  title: 'Calls or called by a marked result',
  measure: (candidates) =>
    measureMarks(candidates, ({ positive }) => {
      const weights = largestBy(positive, ({ slot }) => neighborsOf(slot, candidates.index));
      return (_, slot) => weights.get(slot) ?? 0;
    }),
  format: asYesOrNo,
  explain({ slot, candidates: { index, marks } }) {
    const near = present(marks, 'marks').positive.filter((marked) =>
      neighborsOf(marked.slot, index).includes(slot),
    );
    const names = near.map((marked) => `\`${index.chunk(marked.slot).qualifiedName}\``);
    return { sentence: `calls or is called by ${names.join(', ')}` };
  },
};
