import { testedStem } from '../../source/role.ts';
import { measureEach } from '../measures/candidates.ts';
import { asNumber } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/**
 * For a file that tests like the issue are named after, `cookies.py` for `test_cookies.py`: how much the best of them is
 * like it.
 */
export const testFile: Signal = {
  name: 'testFile',
  family: 'place',
  title: 'Tests of its file are like the issue',
  measure(candidates) {
    const likeness = new Map<string, number>();
    for (const { slot, likeness: own } of candidates.tests) {
      const stem = testedStem(candidates.index.chunk(slot).path);
      likeness.set(stem, Math.max(own, likeness.get(stem) ?? 0));
    }
    return measureEach(candidates, ({ path, role }) =>
      role === 'source' ? (likeness.get(testedStem(path)) ?? 0) : 0,
    );
  },
  format: asNumber(2),
  explain({ slot, candidates: { index, tests } }) {
    const stem = testedStem(index.chunk(slot).path);
    const test = tests.find((one) => testedStem(index.chunk(one.slot).path) === stem);
    const name = test ? `\`${index.chunk(test.slot).qualifiedName}\`` : 'a test';
    return { sentence: `${name} of its file is like the issue` };
  },
};
