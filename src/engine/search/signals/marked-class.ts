import { asYesOrNo } from '../measures/format.ts';
import { classOf, largestBy, measureMarks } from '../measures/marks.ts';
import type { Signal } from './signal.ts';

/** The class of a marked chunk, and what else is in that class: 1 for one marked `edit`, less for `read`. */
export const markedClass: Signal = {
  name: 'markedClass',
  family: 'marks',
  title: 'In a class with a marked result',
  measure: (candidates) =>
    measureMarks(candidates, ({ positive }) => {
      const weights = largestBy(positive, ({ slot }) => [classOf(slot, candidates)]);
      weights.delete(-1);
      return (_, slot) => weights.get(classOf(slot, candidates)) ?? 0;
    }),
  format: asYesOrNo,
  explain: () => ({ sentence: 'its class has a result you marked' }),
};
