import { asYesOrNo } from '../measures/format.ts';
import { largestBy, measureMarks } from '../measures/marks.ts';
import type { Signal } from './signal.ts';

/** In the file of a marked chunk: 1 for one marked `edit`, less for `read`. */
export const markedFile: Signal = {
  name: 'markedFile',
  family: 'marks',
  title: 'In a file with a marked result',
  measure: (candidates) =>
    measureMarks(candidates, ({ positive }) => {
      const { index } = candidates;
      const weights = largestBy(positive, ({ slot }) => [index.chunk(slot).path]);
      return ({ path }) => weights.get(path) ?? 0;
    }),
  format: asYesOrNo,
  explain: () => ({ sentence: 'its file has a result you marked' }),
};
