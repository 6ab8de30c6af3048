import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { exportResults } from '../../src/services/exchange/export.ts';
import { gatherExport } from '../../src/services/exchange/gather.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { parseDeepLink } from '../../src/shared/deep-link.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

await keepThreads();

const CART = 'def total(items):\n    return sum(items)\n';
const TAX = 'def add_tax(price):\n    return price * 1.2\n';
const ISSUE = 'total forgets to add_tax';

describe('exported locations', () => {
  let root: string;
  let upstream: string;
  let data: string;
  before(() => {
    root = gitRepository({ 'shop/cart.py': CART, 'shop/tax.py': TAX });
    upstream = temporaryFolder();
    data = temporaryFolder();
    git(upstream, 'init', '-q', '--bare');
    git(root, 'remote', 'add', 'origin', upstream);
    git(root, 'push', '-q', 'origin', 'HEAD');
    git(root, 'remote', 'set-url', 'origin', 'https://ann:s3cret@github.com/acme/shop.git');
  });
  after(() => {
    for (const folder of [root, upstream, data]) removeFolder(folder);
  });

  async function exported(format: 'markdown' | 'json' | 'csv' | 'sarif', folder = root) {
    const repository = await openRepository(folder, { dataDir: data, device: 'cpu' });
    try {
      await repository.index();
      const response = await repository.search({ issue: ISSUE });
      return exportResults(format, await gatherExport(repository, response, ISSUE));
    } finally {
      await repository.close();
    }
  }

  it('are permalinks if the commit is on the remote, and never include credentials', async () => {
    const commit = git(root, 'rev-parse', 'HEAD');
    const text = await exported('markdown');
    assert.ok(
      text.includes(`(<https://github.com/acme/shop/blob/${commit}/shop/cart.py#L1-L2>)`),
      text,
    );
    for (const format of ['json', 'csv', 'sarif'] as const) {
      const file = await exported(format);
      assert.match(file, /https:\/\/github\.com\/acme\/shop\/blob\//);
      assert.doesNotMatch(file, /s3cret|ann:/);
    }
  });

  it('are correct for a folder inside the repository', async () => {
    const text = await exported('markdown', join(root, 'shop'));
    assert.match(
      text,
      /\[`cart\.py:1`\]\(<https:\/\/github\.com\/acme\/shop\/blob\/[0-9a-f]{40}\/shop\/cart\.py#L1-L2>\)/,
    );
  });

  it('are permalinks for files whose names look like git patterns', async () => {
    const odd = gitRepository({ ':odd/a.py': CART, 'shop/[id].py': TAX });
    try {
      git(odd, 'remote', 'add', 'origin', upstream);
      git(odd, 'push', '-q', 'origin', 'HEAD:odd');
      git(odd, 'remote', 'set-url', 'origin', 'https://github.com/acme/shop.git');
      const text = await exported('markdown', odd);
      assert.doesNotMatch(text, /Paths instead of permalinks/);
      assert.match(text, /blob\/[0-9a-f]{40}\/%3Aodd\/a\.py#L1-L2/);
    } finally {
      removeFolder(odd);
    }
  });

  it('have deep links with repository, commit and location, but no folder', async () => {
    const list = JSON.parse(await exported('json'));
    const entry = list.chunks.find((chunk: { path: string }) => chunk.path === 'shop/cart.py');
    assert.deepEqual(parseDeepLink(entry.link), {
      repository: 'github.com/acme/shop',
      commit: git(root, 'rev-parse', 'HEAD'),
      path: 'shop/cart.py',
      name: 'total',
      ordinal: 0,
      line: 1,
      content: entry.contentHash,
    });
    assert.ok(!entry.link.includes(root));
  });

  it('are paths if the file differs from the commit, or the commit was not pushed', async () => {
    writeFileSync(join(root, 'shop/cart.py'), `import math\n\n\n${CART}`);
    const dirty = await exported('markdown');
    assert.match(dirty, /\(<shop\/cart\.py#L4-L5>\)/);
    assert.match(dirty, /blob\/[0-9a-f]{40}\/shop\/tax\.py#L1-L2/);
    assert.match(dirty, /Paths instead of permalinks: one file differs from commit [0-9a-f]{12}/);
    git(root, 'commit', '-q', '-am', 'Second');
    const unpushed = await exported('markdown');
    assert.doesNotMatch(unpushed, /https:/);
    assert.match(unpushed, /has not been pushed to github\.com\/acme\/shop, as far as Git knows/);
  });
});
