import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diffCode, formatUnifiedDiff, numberCode } from '../../src/shared/code-diff.ts';

const lines = (count: number, name = 'line') =>
  Array.from({ length: count }, (_, i) => `${name} ${i}\n`).join('');
const at = (startLine: number, code: string) => ({ code, startLine });
const PATHS = { was: 'a.py', now: 'b.py' };

describe('a diff of changed code', () => {
  it('has the lines of both files around the change', () => {
    const was = lines(12);
    const hunks = diffCode(at(100, was), at(7, was.replace('line 1\n', '').replace(' 11', ' end')));
    assert.deepEqual(formatUnifiedDiff(PATHS, hunks), [
      ...['--- a/a.py', '+++ b/b.py'],
      ...['@@ -100,5 +7,4 @@', ' line 0', '-line 1', ' line 2', ' line 3', ' line 4'],
      ...['@@ -108,4 +14,4 @@', ' line 8', ' line 9', ' line 10', '-line 11', '+line end'],
    ]);
    assert.deepEqual(hunks[0]?.lines.slice(0, 3), [
      { is: 'same', text: 'line 0', was: 100, now: 7 },
      { is: 'removed', text: 'line 1', was: 101, now: null },
      { is: 'same', text: 'line 2', was: 102, now: 8 },
    ]);
  });

  it('is empty for equal lines, whatever their line endings', () => {
    assert.deepEqual(diffCode(at(1, 'a\r\nb'), at(9, 'a\nb\n')), []);
  });

  it('shows everything as changed if the shortest diff takes too long to find', () => {
    const [hunk, ...more] = diffCode(at(1, lines(30_000)), at(1, lines(30_000, 'other')));
    assert.deepEqual(more, []);
    assert.deepEqual(
      [hunk?.was, hunk?.now],
      [
        { start: 1, count: 30_000 },
        { start: 1, count: 30_000 },
      ],
    );
    assert.equal(hunk?.lines.length, 60_000);
  });

  it('counts the lines of module code from 1, and shows hidden characters in paths', () => {
    assert.equal(numberCode('', { kind: 'module', startLine: 9 }).startLine, 1);
    assert.equal(numberCode('', { kind: 'method', startLine: 9 }).startLine, 9);
    assert.deepEqual(formatUnifiedDiff({ was: 'a\nb', now: 'c' }, []), ['--- a/a\\nb', '+++ b/c']);
  });
});
