import { measureEach } from '../measures/candidates.ts';
import { asYesOrNo } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** 1 for tests, examples and documentation. */
export const role: Signal = {
  name: 'role',
  family: 'kind',
  title: 'Test, example or doc',
  measure: (candidates) => measureEach(candidates, (chunk) => (chunk.role === 'source' ? 0 : 1)),
  format: asYesOrNo,
  explain: null,
};
