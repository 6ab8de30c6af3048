import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { checkRerankers } from '../../src/engine/checks.ts';
import { findRerankerFolders, listModelIds } from '../../src/services/models.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { fakeEngine, locus } from '../cli/fake-host.ts';
import { pairModel, TOKENIZER, textModel } from '../encode/published-models.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const SOURCES = {
  'a.py': 'def parse_cookie(header):\n    return header.split("=")\n',
  'b.py': 'def send_mail(address):\n    return address\n',
  'c.py': 'def parse_header(text):\n    return text.lower()\n',
};

describe('a reranker of another publisher', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = temporaryFolder();
    install('tiny-pair', pairModel({ maxTokens: 64, maxQueryTokens: 16 }));
    install('tiny-text', textModel({ maxTokens: 64, maxQueryTokens: 16 }));
  });
  afterEach(() => removeFolder(dataDir));

  function install(id: string, files: Record<string, object | string>): void {
    mkdirSync(join(dataDir, 'models', id), { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      const isFile = content instanceof Uint8Array;
      const sha256 = {};
      const given = name === 'model.json' ? { ...(content as object), sha256 } : content;
      writeFileSync(join(dataDir, 'models', id, name), isFile ? content : JSON.stringify(given));
    }
  }

  const models = (...args: string[]) =>
    locus(fakeEngine([]), ['models', ...args], { env: { LOCUS_DATA_DIR: dataDir } });

  async function choose(id: string): Promise<void> {
    // Its files have no digests, so the setting is written as the window does.
    const { openAppDatabase } = await import('../../src/backend/app-database.ts');
    const { SettingsStore } = await import('../../src/backend/settings.ts');
    using database = openAppDatabase(dataDir);
    new SettingsStore(database).set({ reranker: id });
  }

  async function search() {
    const root = gitRepository(SOURCES);
    const repository = await openRepository(root, { dataDir, device: 'cpu' });
    try {
      await repository.index();
      return await repository.search({ issue: 'parse_cookie cuts values', limit: 10 });
    } finally {
      await repository.close();
      removeFolder(root);
    }
  }

  it('is offered as a reranker, and an encoder as an encoder', () => {
    assert.deepEqual(listModelIds({ dataDir }, 'rerank'), ['coret-1', 'tiny-pair']);
    assert.deepEqual(listModelIds({ dataDir }, 'encode'), ['bag-1', 'tiny-text']);
    assert.deepEqual(Object.keys(findRerankerFolders({ dataDir })), ['coret']);
  });

  for (const id of ['tiny-pair', 'tiny-text'])
    it(`reranks once it is chosen: ${id}`, async () => {
      await choose(id);
      const folders = findRerankerFolders({ dataDir });
      assert.deepEqual(folders, { reranker: join(dataDir, 'models', id) });
      const { reranking, results } = await search();
      assert.deepEqual([reranking.state, reranking.models], ['reranked', [`${id} 1`]]);
      assert.equal(results[0]?.evidence.coret, undefined);
      assert.ok(Number.isFinite(results[0]?.evidence.reranker?.value));
      assert.match((await checkRerankers(folders)).detail, new RegExp(`${id} 1 reranks`));
    });

  it('reports a chosen one that is missing, and keeps the initial ranking', async () => {
    await choose('gone');
    const { reranking } = await search();
    assert.equal(reranking.state, 'failed');
    assert.match(reranking.note ?? '', /gone.*cannot be read/);
    assert.match((await models()).stderr, /The reranker in use, .*gone, is not installed/);
  });

  it('is not used as an encoder', async () => {
    const root = gitRepository(SOURCES);
    await assert.rejects(openRepository(root, { dataDir, model: 'tiny-pair' }), {
      message: /is a reranker. It cannot embed functions/,
    });
    removeFolder(root);
  });

  it('is chosen by its role, added and removed on the command line', async () => {
    const source = join(dataDir, 'Jina-code-embeddings-0.5b');
    mkdirSync(source);
    const files = {
      'config.json': JSON.stringify({ model_type: 'qwen2' }),
      'tokenizer.json': JSON.stringify(TOKENIZER),
      'model.onnx': textModel()['model.onnx'],
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(source, name), content);
    const refused = await models('add', source);
    assert.equal(refused.exitCode, 2);
    assert.match(refused.stderr, /license CC-BY-NC-4\.0[\s\S]*agree to its license, add --yes/);
    const added = await models('add', source, '--yes', '--name', 'jina');
    assert.equal(added.exitCode, 0, added.stderr);
    assert.match(added.stdout, /jina is added, and works/);
    assert.match((await models('use', 'jina', '--role', 'rerank')).stdout, /is now the reranker/);
    assert.match((await models()).stdout, /● bag-1[\s\S]*● jina .* encoder · text · 3 dimensions/);
    assert.match((await models('use', 'coret-1')).stdout, /coret-1 .* is now the reranker in use/);
    assert.deepEqual(Object.keys(findRerankerFolders({ dataDir })), ['coret']);
    assert.equal((await models('remove', 'jina')).exitCode, 0);
    assert.equal((await models('remove', 'tiny-pair')).exitCode, 2);
  });
});
