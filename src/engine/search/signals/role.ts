import { measureEach, type Signal } from './signal.ts';

/** 1 for tests, examples and documentation. */
export const role: Signal = {
  name: 'role',
  measure: (candidates) => measureEach(candidates, (chunk) => (chunk.role === 'source' ? 0 : 1)),
  explain: (slot, { index }) => ({ detail: index.chunks[slot]!.role }),
};
