import { measureEach, type Signal } from './signal.ts';

/**
 * 1 / distance from the end of the traceback, for a chunk that is one of its frames: 1 for the innermost frame of
 * this repository, 1/2 for its caller, and so on.
 */
export const frame: Signal = {
  name: 'frame',
  measure(candidates) {
    const inside = candidates.issue.frames.filter(({ slot }) => slot >= 0);
    const values = new Map(inside.map(({ slot }, i) => [slot, 1 / (inside.length - i)]));
    return measureEach(candidates, (_, slot) => values.get(slot) ?? 0);
  },
  explain(slot, { issue }) {
    const frames = issue.frames.filter((mention) => mention.slot === slot);
    return { spans: frames.map(({ span }) => span) };
  },
};
