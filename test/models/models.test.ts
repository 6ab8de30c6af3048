import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCli } from '../../src/cli/program.ts';
import {
  findModelFolder,
  listInstalledModels,
  listModelIds,
  readChosenModel,
} from '../../src/services/models.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { BAG_1 } from '../encode/model-folder.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

/** Creates a data directory with a custom model: bag-1 with another id and version, or with other changes. */
function withOwnModel(t: TestContext, id: string, changes: object = {}): string {
  const dataDir = temporaryFolder();
  t.after(() => removeFolder(dataDir));
  const folder = join(dataDir, 'models', id);
  mkdirSync(folder, { recursive: true });
  cpSync(BAG_1, folder, { recursive: true });
  const path = join(folder, 'model.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...manifest, id, version: '7', ...changes }));
  return dataDir;
}

/** Runs `locus models …`. Returns its output and exit code. */
async function models(dataDir: string, ...args: string[]) {
  let stdout = '';
  let stderr = '';
  const exitCode = await runCli(['models', ...args, '--data-dir', dataDir], {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    stdin: (async function* () {})(),
    env: {},
    signal: new AbortController().signal,
    openRepository,
    diagnose: async () => ({
      version: '',
      platform: '',
      checks: [],
      log: { folder: '', lines: [], errors: 0, warnings: 0 },
    }),
  });
  return { stdout, stderr, exitCode };
}

test('models that come with Locus and custom ones are listed with their details', async (t) => {
  const dataDir = withOwnModel(t, 'mine');
  const { stdout, exitCode } = await models(dataDir);
  assert.equal(exitCode, 0);
  assert.match(stdout, /^● bag-1 +3\.0\.0 · encoder · bag · 512 dimensions · \d+(\.\d)? MB/m);
  assert.match(stdout, /perfect recall@5 0\.\d{3}, @20 0\.\d{3}, MRR 0\.\d{3} on/);
  assert.match(stdout, /^ {2}mine +7 · encoder · bag .*your own$/m);
  const json = JSON.parse((await models(dataDir, '--json')).stdout);
  const own = json.models.find(({ id }: { id: string }) => id === 'mine');
  assert.equal(own.folder, join(dataDir, 'models', 'mine'));
  assert.deepEqual([own.active, own.version, own.dimensions], [false, '7', [512]]);
  // Models that the app offers.
  assert.deepEqual(listModelIds({ dataDir }, 'encode'), ['bag-1', 'mine']);
  assert.deepEqual(listModelIds({ dataDir }, 'rerank'), ['coret-1']);
});

test('a custom model without digests is reported where it is listed and used', async (t) => {
  const dataDir = withOwnModel(t, 'mine', { sha256: {} });
  const without =
    /cannot check whether vocab\.txt, model\.int8\.onnx of the model mine was changed/;
  assert.match((await models(dataDir)).stdout, without);
  const root = gitRepository({ 'a.py': 'def f():\n    return 1\n' });
  t.after(() => removeFolder(root));
  const notesWith = async (model: string) => {
    const repository = await openRepository(root, { dataDir, model, device: 'cpu' });
    try {
      return (await repository.index()).notes.join('\n');
    } finally {
      await repository.close();
    }
  };
  assert.match(await notesWith('mine'), without);
  assert.doesNotMatch(await notesWith('bag-1'), /cannot check/);
});

test('a model that cannot be used is listed with the reason', async (t) => {
  const dataDir = withOwnModel(t, 'mine', { dimensions: 'many' });
  const { stdout } = await models(dataDir);
  assert.match(stdout, /mine +✗ .*dimensions/);
});

test('a custom model does not replace one that comes with Locus', async (t) => {
  const dataDir = withOwnModel(t, 'bag-1');
  assert.equal(await findModelFolder({ model: 'bag-1', dataDir }), BAG_1);
  const [own] = (await listInstalledModels({ dataDir })).filter(({ origin }) => origin === 'own');
  assert.ok('error' in own && /same id as a model that comes with Locus/.test(own.error.message));
  assert.equal((await models(dataDir)).stdout.match(/●.*encoder/g)?.length, 1);
});

test('complete models pass, and a damaged file fails with a remedy', async (t) => {
  const dataDir = withOwnModel(t, 'mine');
  const whole = await models(dataDir, 'verify');
  assert.equal(whole.exitCode, 0);
  assert.match(whole.stdout, /✓ .*mine.vocab\.txt/);
  const file = join(dataDir, 'models/mine/vocab.txt');
  writeFileSync(file, `${readFileSync(file, 'utf8')}x`);
  const damaged = await models(dataDir, 'verify');
  assert.equal(damaged.exitCode, 5);
  assert.match(damaged.stdout, /✗ .*mine.vocab\.txt is damaged.*\n {2}→ Restore the model folder/);
  assert.match(damaged.stdout, /✓ .*mine.model\.int8\.onnx/);
  assert.equal((await models(dataDir, 'verify', 'bag-1')).exitCode, 0);
  const json = JSON.parse((await models(dataDir, 'verify', 'mine', '--json')).stdout);
  assert.equal(json.files.filter(({ problem }: { problem: unknown }) => problem).length, 1);
});

test('the chosen model is stored in the settings and used for every repository', async (t) => {
  const dataDir = withOwnModel(t, 'mine');
  const root = gitRepository({ 'a.py': 'def f():\n    return 1\n' });
  t.after(() => removeFolder(root));
  assert.equal(readChosenModel(dataDir), null);
  const used = await models(dataDir, 'use', 'mine');
  assert.equal(used.exitCode, 0);
  assert.match(used.stdout, /mine 7 is now the model in use/);
  assert.equal(readChosenModel(dataDir), 'mine');
  const repository = await openRepository(root, { dataDir });
  try {
    assert.deepEqual((await repository.status()).model, { id: 'mine', version: '7' });
  } finally {
    await repository.close();
  }
  assert.match((await models(dataDir)).stdout, /^● mine/m);
});

test('a model can be chosen by its folder', async (t) => {
  const dataDir = withOwnModel(t, 'mine');
  const folder = join(dataDir, 'models', 'mine');
  assert.equal((await models(dataDir, 'use', folder)).exitCode, 0);
  assert.equal(await findModelFolder({ dataDir }), folder);
});

test('an unknown or damaged model is refused, and the choice does not change', async (t) => {
  const dataDir = withOwnModel(t, 'mine');
  await models(dataDir, 'use', 'mine');
  const unknown = await models(dataDir, 'use', 'bag-1000');
  assert.equal(unknown.exitCode, 5);
  assert.match(unknown.stderr, /There is no model “bag-1000”\. Installed models: bag-1.*, mine/);
  writeFileSync(join(dataDir, 'models/mine/vocab.txt'), 'x\n');
  const damaged = await models(dataDir, 'use', 'mine');
  assert.equal(damaged.exitCode, 5);
  assert.match(damaged.stderr, /vocab\.txt is damaged/);
  assert.equal(readChosenModel(dataDir), 'mine');
  assert.equal((await models(dataDir, 'switch')).exitCode, 2);
  assert.equal((await models(dataDir, 'use')).exitCode, 2);
});

test('an index of another model is encoded again, and switching back costs nothing', async (t) => {
  // The same files with another version: equal inputs, but separate embeddings.
  const dataDir = withOwnModel(t, 'mine');
  const root = gitRepository({
    'shop.py':
      'def total(items):\n    return sum(items)\n\n\ndef clear(items):\n    items.clear()\n',
  });
  t.after(() => removeFolder(root));
  const index = async (model: string) => {
    const repository = await openRepository(root, { dataDir, model, device: 'cpu' });
    try {
      const before = (await repository.status()).embedded;
      const { chunksEncoded } = await repository.index();
      const { model: used, results } = await repository.search({ issue: 'the total is wrong' });
      return { before, chunksEncoded, used: used.id, first: results[0].qualifiedName };
    } finally {
      await repository.close();
    }
  };
  const first = await index('bag-1');
  assert.equal(first.chunksEncoded, 3);
  const other = await index('mine');
  assert.deepEqual(other, { before: 0, chunksEncoded: 3, used: 'mine', first: 'total' });
  const back = await index('bag-1');
  assert.deepEqual(back, { before: 3, chunksEncoded: 0, used: 'bag-1', first: 'total' });
});

test('the details of a model are checked', async (t) => {
  const quality = { data: 'issues', perfectRecallAt5: 40, perfectRecallAt20: 0.6, mrr: 0.3 };
  const dataDir = withOwnModel(t, 'mine', { quality });
  const [own] = (await listInstalledModels({ dataDir })).filter(({ origin }) => origin === 'own');
  assert.ok('error' in own && /quality\.perfectRecallAt5/.test(own.error.message));
});

test('an empty id and a dot are not ids of models', async (t) => {
  const dataDir = withOwnModel(t, 'mine');
  for (const model of ['', '.', '..'])
    await assert.rejects(findModelFolder({ model, dataDir }), {
      code: 'bad-model',
      message: /^There is no model “\.*”\. Installed models: bag-1, .*mine\.$/,
    });
});

test('an installation without its models says so', async () => {
  const empty = temporaryFolder();
  try {
    await assert.rejects(findModelFolder({ modelsFolder: empty, dataDir: empty }), {
      code: 'bad-model',
      message: 'The models of Locus are missing.',
      remedy: /^Reinstall Locus: .* npm install -g locus-edit\.$/,
    });
  } finally {
    removeFolder(empty);
  }
});
