import { measureEach } from '../measures/candidates.ts';
import { asYesOrNo } from '../measures/format.ts';
import { filesPointedAt } from '../measures/mentions.ts';
import type { Signal } from './signal.ts';

/**
 * 1 for tests, examples and documentation, and for vendored and generated code, unless the issue points at its file: what
 * nobody edits here may still be what the issue is about.
 */
export const role: Signal = {
  name: 'role',
  family: 'kind',
  title: 'Test, example, doc, vendored or generated',
  measure(candidates) {
    const pointedAt = filesPointedAt(candidates);
    return measureEach(candidates, (chunk) => {
      if (chunk.role === 'source') return 0;
      const isForeign = chunk.role === 'vendored' || chunk.role === 'generated';
      return isForeign && pointedAt.has(chunk.path) ? 0 : 1;
    });
  },
  format: asYesOrNo,
  explain: null,
};
