/* Tests `npm run lab -- bench-grep`: the words that a person searches for, and the ranks in the results. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { findPastableNames, findTitleWords } from '../../lab/bench/support/typed-words.ts';
import { filterSource, gitGrep, type Line, type Tool } from '../../lab/grep/tools.ts';
import { findRank, intersectFiles, runThreeTries, sortByMatches } from '../../lab/grep/tries.ts';

const ISSUE = `The Session cookie is dropped by the redirect
Calling \`resolve_redirects\` with QuerySet.values_list loses it, see https://example.org/a_b.`;

const line = (path: string, number: number): Line => ({ path, line: number });

/** Makes a tool that finds each word at the given lines. */
function listed(places: Record<string, Line[]>): Tool {
  return {
    name: 'listed',
    search: async (word) => ({ lines: places[word] ?? [], milliseconds: 1 }),
  };
}

describe('a text search for an issue', () => {
  it('uses words of the title, and names that can be pasted', () => {
    assert.deepEqual(findTitleWords(ISSUE), ['session', 'cookie', 'dropped', 'redirect']);
    assert.deepEqual(findPastableNames(ISSUE), ['resolve_redirects', 'values_list']);
    assert.deepEqual(findPastableNames('No code at all. None.'), []);
  });

  it('has three tries: the rarest word, the two rarest in one file, the rarest name', async () => {
    const tool = listed({
      cookie: [line('/r/a.py', 1), line('/r/b.py', 2)],
      redirect: [line('/r/b.py', 9), line('/r/c.py', 1), line('/r/c.py', 2)],
      values_list: [line('/r/tests/x.py', 1), line('/r/d.py', 4)],
    });
    const [word, words, name] = await runThreeTries(tool, ISSUE, ['/r']);
    assert.deepEqual(word?.lines, [line('/r/a.py', 1), line('/r/b.py', 2)]);
    assert.deepEqual(words?.lines, [line('/r/b.py', 2), line('/r/b.py', 9)]);
    assert.deepEqual(name?.lines, [line('/r/d.py', 4)], 'not those of tests');
    assert.deepEqual(await runThreeTries(listed({}), ISSUE, ['/r']), [null, null, null]);
  });

  it('ranks a function by how many others were seen before', async () => {
    const functionOf = async ({ path, line: at }: Line) => (at === 1 ? null : `${path}::f${at}`);
    const shown = [1, 2, 2, 3, 4, 1].map((at) => line('/r/a.py', at));
    const rank = (address: string) => findRank(shown, functionOf, new Set([address]));
    assert.equal(await rank('/r/a.py::f2'), 1, 'lines outside of functions cost nothing');
    assert.equal(await rank('/r/a.py::f3'), 2, 'nor does the same function again');
    assert.equal(await rank('/r/a.py::f9'), null);
  });

  it('can list the file with most matches first', () => {
    const lines = [line('/r/a.py', 1), line('/r/b.py', 1), line('/r/b.py', 2)];
    assert.deepEqual(sortByMatches(lines), [lines[1], lines[2], lines[0]]);
    const searched = { lines, milliseconds: 1 };
    const none = { lines: [line('/r/c.py', 1)], milliseconds: 2 };
    assert.deepEqual(intersectFiles(searched, none), { lines: [], milliseconds: 3 });
  });

  it('with git grep finds whole words in any folder', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'locus-grep-')));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    try {
      write('src/b.py', 'x = 1\nCookie: str\ncookies = 2\n');
      write('src/a.py', 'cookie = 1\n');
      write('tests/test_a.py', 'cookie\n');
      const { lines } = await gitGrep.search('cookie', [root]);
      const found = filterSource(lines, [root]);
      assert.deepEqual(found, [line(join(root, 'src/a.py'), 1), line(join(root, 'src/b.py'), 2)]);
      assert.deepEqual((await gitGrep.search('unheardof', [root])).lines, []);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
