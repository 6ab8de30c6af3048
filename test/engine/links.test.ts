/** Permalinks in issues refer to lines of the commit in the link, and are mapped to the current lines. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createLineMapper } from '../../src/engine/history/line-mapper.ts';
import { moveLines } from '../../src/engine/search/gather/permalinks.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Repository } from '../../src/shared/repository.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

const THEN = `def total(items):
    return sum(items)


def largest(items):
    return max(items)
`;
const NOW = `import math


def rounded(price):
    """Prices are in whole cents."""
    return math.floor(price)


${THEN}`;

describe('a permalink', () => {
  const root = gitRepository({ 'shop/price.py': THEN });
  const dataDir = temporaryFolder();
  let then: string;
  let repository: Repository;

  before(async () => {
    then = git(root, 'rev-parse', 'HEAD');
    git(root, 'tag', 'v1.0');
    writeFiles(root, { 'shop/price.py': NOW });
    repository = await openRepository(root, { dataDir, device: 'cpu' });
    await repository.index();
  });
  after(async () => {
    await repository.close();
    for (const folder of [root, dataDir]) removeFolder(folder);
  });

  async function linesOf(revision: string, anchor: string) {
    const link = `https://github.com/ann/shop/blob/${revision}/shop/price.py#${anchor}`;
    const { issue } = await repository.search({ issue: `It is wrong: ${link}` });
    const [path] = issue.paths;
    assert.equal(path?.text, 'shop/price.py');
    return path.lines;
  }

  it('of a commit is mapped to the current lines, even with uncommitted changes', async () => {
    const expected = { first: 14, last: 14, addresses: ['shop/price.py::largest'] };
    assert.deepEqual(await linesOf(then, 'L6'), expected);
    assert.deepEqual(await linesOf(then.slice(0, 9), 'L6'), expected);
    assert.deepEqual(await linesOf('v1.0', 'L6'), expected);
  });

  it('of a branch or a missing commit keeps its lines', async () => {
    const expected = { first: 6, last: 6, addresses: ['shop/price.py::rounded'] };
    const branch = git(root, 'branch', '--show-current');
    for (const revision of [branch, 'f'.repeat(40), '--help', 'v9']) {
      assert.deepEqual(await linesOf(revision, 'L6'), expected, revision);
    }
  });

  it('is not mapped without git', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'shop/price.py': NOW });
    const plain = await openRepository(folder, { dataDir: join(folder, '.data'), device: 'cpu' });
    try {
      await plain.index();
      const issue = `See https://github.com/ann/shop/blob/${then}/shop/price.py#L6`;
      const { paths } = (await plain.search({ issue })).issue;
      assert.deepEqual(paths[0]?.lines?.addresses, ['shop/price.py::rounded']);
    } finally {
      await plain.close();
      removeFolder(folder);
    }
  });
});

describe('lines of an earlier version', () => {
  const text = (...lines: string[]) => `${lines.join('\n')}\n`;
  const then = text('a', 'b', 'c', 'd', 'e');
  const moved = (named: { first: number; last: number }, then: string, now: string) => {
    const lineNow = createLineMapper(now, then);
    return lineNow && moveLines(named, then, lineNow);
  };

  it('are mapped from the first to the last that still exists', () => {
    const now = text('new', 'a', 'b', 'x', 'd', 'e');
    assert.deepEqual(moved({ first: 2, last: 4 }, then, now), { first: 3, last: 5 });
    assert.deepEqual(moved({ first: 3, last: 4 }, then, now), { first: 5, last: 5 });
  });

  it('that were removed are mapped to the nearest one, preferably below', () => {
    const now = text('new', 'a', 'b', 'x', 'y', 'e');
    assert.deepEqual(moved({ first: 3, last: 4 }, then, now), { first: 6, last: 6 });
    const short = text('a', 'b', 'x');
    assert.deepEqual(moved({ first: 3, last: 3 }, then, short), { first: 2, last: 2 });
    const cut = text('a', 'b', 'c', 'd');
    assert.deepEqual(moved({ first: 5, last: 5 }, then, cut), { first: 4, last: 4 });
    const signature = THEN.replace('largest(items)', 'largest(items, least=0)');
    const rewritten = `${signature.slice(0, THEN.indexOf('def largest'))}def other():\n    pass\n\n\n${signature.slice(THEN.indexOf('def largest'))}`;
    assert.deepEqual(moved({ first: 5, last: 5 }, THEN, rewritten), { first: 10, last: 10 });
  });

  it('are unknown if the versions have nothing in common', () => {
    assert.equal(moved({ first: 3, last: 4 }, then, text('x', 'y', 'z')), null);
  });
});
