/** Packages in an index: searched, edited, after a restart, at a commit. */
import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { assertSameIndex } from '../support/dump.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { gitRepository, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';

await keepThreads();

const PARSE = 'export function parseCookie(header) {\n  return header.split(";");\n}\n';
const ISSUE = 'parseCookie fails on an empty header';

let root: string;
let dataDir: string;
beforeEach(() => {
  root = gitRepository({
    'package.json': '{"private": true, "workspaces": ["packages/*"], "scripts": {}}',
    'packages/api/package.json': '{"name": "@acme/api"}',
    'packages/api/src/cookies.js': PARSE,
    'packages/web/package.json': '{"name": "@acme/web"}',
    'packages/web/cookies.js': PARSE,
    'services/mail/pyproject.toml': '[project]\nname = "mail"\n',
    'services/mail/mail.py': 'def parse_header(header):\n    return header\n',
    // Manifests outside of source folders declare no package.
    'packages/api/test/shop/package.json': '{"name": "in-test"}',
    'packages/api/test/shop/cart.js': PARSE,
    'packages/api/src/__fixtures__/package.json': '{"name": "fixture"}',
    'packages/api/src/__fixtures__/cart.js': PARSE,
    'examples/shop/package.json': '{"name": "example"}',
    'examples/shop/cart.js': PARSE,
    'vendor/lib/package.json': '{"name": "vendored"}',
    'vendor/lib/lib.js': PARSE,
    'gen/package.json': '{"name": "generated"}',
    'gen/gen.js': PARSE,
    '.gitattributes': 'gen/** linguist-generated\n',
  });
  dataDir = temporaryFolder();
  installSecondModel(dataDir);
});
afterEach(() => {
  removeFolder(root);
  removeFolder(dataDir);
});

async function opened<T>(
  work: (repository: Repository) => Promise<T>,
  options: { data?: string; revision?: string } = {},
): Promise<T> {
  const { data = dataDir, revision } = options;
  const repository = await openRepository(root, { dataDir: data, device: 'cpu', revision });
  try {
    await repository.index();
    return await work(repository);
  } finally {
    await repository.close();
  }
}

const packagesIn = async (repository: Repository) =>
  (await repository.status()).packages.map(({ name, folder }) => `${name} ${folder}`);

test('results have packages, and a search can be limited to some', async () => {
  await opened(async (repository) => {
    assert.deepEqual(await packagesIn(repository), [
      '. ',
      '@acme/api packages/api',
      '@acme/web packages/web',
      'mail services/mail',
    ]);
    const { packages, chunks } = await repository.status();
    const counted = packages.reduce((sum, one) => sum + one.chunks, 0);
    assert.equal(counted, chunks, 'each chunk is of one, the root having the rest');
    const all = await repository.search({ issue: ISSUE, tests: 'include' });
    const byPath = new Map(all.results.map((result) => [result.path, result.package]));
    assert.equal(byPath.get('packages/api/src/cookies.js'), '@acme/api');
    assert.equal(byPath.get('packages/api/test/shop/cart.js'), '@acme/api');
    assert.equal(byPath.get('packages/web/cookies.js'), '@acme/web');
    assert.equal(byPath.get('examples/shop/cart.js'), '.');
    assert.equal(byPath.get('vendor/lib/lib.js'), '.');
    const own = await repository.search({ issue: ISSUE, packages: ['@acme/web', 'services/mail'] });
    assert.deepEqual(
      new Set(own.results.map((one) => one.package)),
      new Set(['@acme/web', 'mail']),
    );
    assert.equal(own.considered, 4, 'two files, a function in each');
    assert.equal(own.confidence, null);
    await assert.rejects(repository.search({ issue: ISSUE, packages: ['@acme/wib'] }), {
      code: 'bad-input',
      remedy: /^Choose one of @acme\/web, @acme\/api/,
    });
  });
});

test('edits of manifests are followed, and persist after a restart', async () => {
  await opened(async (repository) => {
    writeFileSync(join(root, 'packages/web/package.json'), '{"name": "@acme/shop"}');
    rmSync(join(root, 'services/mail/pyproject.toml'));
    writeFiles(root, { 'tools/build.gradle': '', 'tools/Tool.java': 'class Tool {}\n' });
    await repository.index();
    const edited = ['. ', '@acme/api packages/api', '@acme/shop packages/web', 'tools tools'];
    assert.deepEqual(await packagesIn(repository), edited);
    writeFileSync(join(root, 'packages/web/package.json'), '{"name": ');
    symlinkSync('../../packages/web/package.json', join(root, 'services/mail/package.json'));
    await repository.index();
    edited[2] = 'web packages/web';
    assert.deepEqual(await packagesIn(repository), edited);
  });
  await opened(async (repository) => {
    assert.equal((await packagesIn(repository))[2], 'web packages/web');
    const fresh = temporaryFolder();
    await opened((other) => other.index(), { data: fresh });
    assertSameIndex(dataDir, fresh);
    removeFolder(fresh);
  });
  await opened(
    async (repository) =>
      assert.equal((await packagesIn(repository))[2], '@acme/web packages/web', 'as committed'),
    { revision: 'HEAD' },
  );
});

test('a repository with a single package lists none', async () => {
  for (const folder of ['packages', 'services']) rmSync(join(root, folder), { recursive: true });
  await opened(async (repository) => {
    assert.deepEqual((await repository.status()).packages, []);
    const { results } = await repository.search({ issue: ISSUE });
    assert.ok(results.length > 0 && results.every((result) => !('package' in result)));
    await assert.rejects(repository.search({ issue: ISSUE, packages: ['a'] }), {
      message: /has at most one package/,
    });
  });
});
