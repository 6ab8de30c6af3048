import { measureEach } from '../measures/candidates.ts';
import type { Signal } from './signal.ts';

/**
 * 1 / distance from the end of the traceback, for a chunk that is one of its frames: 1 for the innermost frame of
 * this repository, 1/2 for its caller, and so on.
 */
export const frame: Signal = {
  name: 'frame',
  family: 'place',
  title: 'In the traceback',
  measure(candidates) {
    const inside = candidates.issue.frames.filter(({ slot }) => slot >= 0);
    const values = new Map(inside.map(({ slot }, i) => [slot, 1 / (inside.length - i)]));
    return measureEach(candidates, (_, slot) => values.get(slot) ?? 0);
  },
  format: (value) => (value === 1 ? 'innermost' : value.toFixed(2)),
  explain({ slot, value, candidates: { issue } }) {
    const frames = issue.frames.filter((mention) => mention.slot === slot);
    return {
      sentence: value === 1 ? 'innermost frame of the traceback' : 'frame of the traceback',
      spans: frames.map(({ span }) => span),
    };
  },
};
