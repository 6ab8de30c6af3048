import { testedStem } from '../../scan/role.ts';
import type { Candidates } from '../candidates.ts';
import { measureEach, type Signal } from './signal.ts';

/**
 * For a file that tests like the issue are named after, `cookies.py` for `test_cookies.py`: how much the best of them is
 * like it.
 */
export const testFile: Signal = {
  name: 'testFile',
  measure(candidates) {
    const likeness = new Map<string, number>();
    for (const { slot, likeness: own } of candidates.tests) {
      const stem = testedStem(candidates.index.chunks[slot]!.path);
      likeness.set(stem, Math.max(own, likeness.get(stem) ?? 0));
    }
    return measureEach(candidates, ({ path, role }) =>
      role === 'source' ? (likeness.get(testedStem(path)) ?? 0) : 0,
    );
  },
  explain(slot, { index, tests }: Candidates) {
    const stem = testedStem(index.chunks[slot]!.path);
    const test = tests.find((one) => testedStem(index.chunks[one.slot]!.path) === stem);
    return test ? { detail: index.chunks[test.slot]!.qualifiedName } : {};
  },
};
