/** Configuration, style sheets and documentation are sections: found, shown and followed like functions, but never among them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

await keepThreads();

const CODE = {
  'bakery/oven.py':
    'def bake(dough):\n    return heat(dough)\n\n\ndef heat(dough):\n    return dough\n',
  'bakery/order.py': 'class Order:\n    def total(self):\n        return 0\n',
};
const OTHERS = {
  'README.md':
    '# Bakery\n\nSells bread.\n\n## Install\n\nRun the setup script.\n\n## Oven\n\nHeat it first.\n',
  '.github/workflows/ci.yml':
    'name: CI\njobs:\n  test:\n    runs-on: ubuntu-latest\n  publish:\n    needs: test\n',
  'pyproject.toml': '[project]\nname = "bakery"\n\n[tool.ruff]\nline-length = 100\n',
  'package-lock.json': '{"lockfileVersion": 3}\n',
};
const ISSUE =
  'The oven does not heat\n\nBaking the dough fails, and README.md says nothing about it.';

const search = (repository: Repository, issue: string) =>
  repository.search({ issue, limit: 20, rerank: { count: 0 } }, {});

/** Returns what a list says about its functions, without their ranks. */
const describeCode = async (repository: Repository, issue: string) =>
  (await search(repository, issue)).results
    .filter(({ kind }) => kind !== 'section')
    .map(({ address, score, evidence }) => ({ address, score, evidence }));

test('sections are indexed beside the code and change nothing about it', async () => {
  const folders = [gitRepository(CODE), gitRepository({ ...CODE, ...OTHERS }), temporaryFolder()];
  const [plain, root, dataDir] = folders as [string, string, string];
  const options = { dataDir, device: 'cpu' } as const;
  const withoutOthers = await openRepository(plain, options);
  let repository = await openRepository(root, options);
  try {
    await withoutOthers.index();
    const report = await repository.index();
    const status = await repository.status();
    const expected = await withoutOthers.status();
    assert.equal(report.chunks, expected.chunks);
    for (const count of ['chunks', 'files', 'edges', 'embedded'] as const)
      assert.equal(status[count], expected[count], count);
    assert.deepEqual(status.languages, expected.languages);
    assert.equal(status.chunksByKind.section, 8);
    assert.equal(status.state, 'complete');

    const code = 'The oven does not heat\n\nBaking the dough fails.';
    assert.deepEqual(await describeCode(repository, code), await describeCode(withoutOthers, code));

    const found = (await search(repository, ISSUE)).results.find(({ kind }) => kind === 'section');
    assert.equal(found?.address, 'README.md::Bakery.Oven');
    assert.deepEqual([found.startLine, found.endLine, found.language], [9, 11, 'markdown']);
    const shown = await repository.show({ chunk: found.address });
    assert.deepEqual([shown.kind, shown.code], ['section', '## Oven\n\nHeat it first.']);
    const file = await repository.file({ path: 'README.md' });
    assert.equal(file.text, OTHERS['README.md']);

    writeFileSync(join(root, 'README.md'), OTHERS['README.md'].replace('## Oven', '## Ovens'));
    await repository.index();
    const before = await search(repository, ISSUE);
    await repository.close();
    repository = await openRepository(root, options);
    const after = await search(repository, ISSUE);
    assert.deepEqual(after.results, before.results);
    assert.ok(after.results.some(({ address }) => address === 'README.md::Bakery.Ovens'));
  } finally {
    await Promise.all([withoutOthers.close(), repository.close()]);
    folders.forEach(removeFolder);
  }
});
