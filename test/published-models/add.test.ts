import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  type AddModelOptions,
  addPublishedModel,
  removePublishedModel,
  removeUnfinishedModels,
} from '../../src/services/published-models/add.ts';
import { ENCODER, TOKENIZER, textModel } from '../encode/published-models.ts';
import { serveFiles } from '../gguf/file-server.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { createTar, createTarball, type TarEntry } from '../support/tar.ts';

const CONFIG = JSON.stringify({ model_type: 'qwen2', hidden_size: 3 });
const RECIPE = 'jina-code-embeddings-0.5b';
const FILES: Record<string, string | Buffer> = {
  'config.json': CONFIG,
  'tokenizer.json': JSON.stringify(TOKENIZER),
  'onnx/model.onnx': Buffer.from(ENCODER),
};

const pack = (files: Record<string, string | Buffer>, prefix = ''): TarEntry[] =>
  Object.entries(files).map(([path, content]) => ({ path: prefix + path, content }));

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('adding a published model', () => {
  let folder: string;
  let dataDir: string;
  beforeEach(() => {
    folder = temporaryFolder();
    dataDir = join(folder, 'data');
    mkdirSync(dataDir);
  });
  afterEach(() => removeFolder(folder));

  const add = (source: string | URL, changes: Partial<AddModelOptions> = {}) =>
    addPublishedModel({
      ...{ dataDir, source, sha256: null, name: null, recipe: RECIPE, file: null },
      signal: AbortSignal.timeout(60_000),
      confirm: async () => {},
      backoffMs: 1,
      ...changes,
    });

  function write(files: Record<string, string | Buffer>, name = 'export'): string {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true });
      writeFileSync(join(folder, name, path), content);
    }
    return join(folder, name);
  }

  function writeArchive(bytes: Buffer, name = 'model.tgz'): string {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  }

  /** Asserts that adding fails and leaves neither a model nor files. */
  async function assertRefused(
    source: string | URL,
    message: RegExp,
    changes: Partial<AddModelOptions> = {},
  ): Promise<void> {
    await assert.rejects(add(source, changes), { name: 'LocusError', message });
    assertNothingLeft();
  }

  function assertNothingLeft(): void {
    assert.deepEqual(
      existsSync(join(dataDir, 'models')) ? readdirSync(join(dataDir, 'models')) : [],
      [],
    );
    assert.equal(existsSync(join(dataDir, 'adding/new')), false);
  }

  it('writes a manifest by the recipe, with digests, and tries the model', async () => {
    const { manifest, folder: added } = await add(write(FILES));
    assert.equal(added, join(dataDir, 'models', RECIPE));
    assert.deepEqual(readdirSync(added).sort(), ['model.json', 'model.onnx', 'tokenizer.json']);
    assert.ok(manifest.kind === 'text');
    assert.deepEqual([manifest.role, manifest.pooling, manifest.dimensions], ['encode', 'last', 3]);
    assert.equal(manifest.sha256['model.onnx'], sha256(Buffer.from(ENCODER)));
    assert.equal(manifest.license, 'CC-BY-NC-4.0');
    assert.match(manifest.templates.issue, /^Find the most relevant code snippet/);
    assert.equal(removePublishedModel(dataDir, RECIPE), true);
    assertNothingLeft();
  });

  it('recognizes a model by the name of its folder', async () => {
    const source = write(FILES, 'Jina_Code-Embeddings-0.5B');
    assert.equal((await add(source, { recipe: null })).manifest.id, RECIPE);
    await assertRefusedButKept(source, /already/);
  });

  async function assertRefusedButKept(source: string, message: RegExp): Promise<void> {
    const before = readFileSync(join(dataDir, 'models', RECIPE, 'model.json'), 'utf8');
    await assert.rejects(add(source), { message });
    assert.equal(readFileSync(join(dataDir, 'models', RECIPE, 'model.json'), 'utf8'), before);
  }

  for (const [name, make] of Object.entries({
    'a tarball': () => createTarball(pack(FILES)),
    'an archive that is not compressed': () => createTar(pack(FILES)),
    'an archive of a folder': () => createTarball(pack(FILES, 'jina/')),
    'an archive of `tar -C folder .`': () =>
      createTarball([{ path: './', type: '5' }, ...pack(FILES, './')]),
  }))
    it(`takes ${name}`, async () => {
      assert.equal((await add(writeArchive(make()))).manifest.id, RECIPE);
    });

  it('takes a model with a manifest of its own', async () => {
    const { 'model.json': manifest, 'model.onnx': onnx, 'tokenizer.json': tokenizer } = textModel();
    const digests = {
      'model.onnx': sha256(Buffer.from(onnx)),
      'tokenizer.json': sha256(Buffer.from(JSON.stringify(tokenizer))),
    };
    const files = {
      'model.json': JSON.stringify({ ...manifest, sha256: digests }),
      'tokenizer.json': JSON.stringify(tokenizer),
      'model.onnx': Buffer.from(onnx),
    };
    assert.equal((await add(write(files), { recipe: null })).manifest.id, 'tiny-text');
  });

  it('refuses archives that reach outside, and all but plain files', async () => {
    const cases: Record<string, [TarEntry, RegExp]> = {
      parent: [{ path: '../evil', content: 'x' }, /not inside it/],
      inner: [{ path: './../evil', content: 'x' }, /not inside it/],
      absolute: [{ path: '/etc/evil', content: 'x' }, /not inside it/],
      drive: [{ path: 'C:/evil', content: 'x' }, /not inside it/],
      link: [{ path: 'tokenizer.json', type: '2', target: '/etc/passwd' }, /link or a special/],
      'hard link': [{ path: 'a', type: '1', target: '/etc/passwd' }, /link or a special/],
      device: [{ path: 'a', type: '3' }, /link or a special/],
      pipe: [{ path: 'a', type: '6' }, /link or a special/],
      twice: [{ path: 'config.json', content: CONFIG }, /twice/],
      huge: [{ path: 'a', size: 8 ** 11 - 1 }, /files or 16 GiB|damaged/],
    };
    for (const [name, [entry, message]] of Object.entries(cases)) {
      await assertRefused(writeArchive(createTarball([...pack(FILES), entry])), message);
      assert.equal(existsSync(join(folder, 'evil')), false, name);
    }
  });

  it('refuses archives with too many files, and damaged ones', async () => {
    const many = Array.from({ length: 5_001 }, (_, i) => ({ path: `${i}` }));
    await assertRefused(writeArchive(createTarball(many)), /more than 5000 files/);
    const whole = createTarball(pack(FILES));
    await assertRefused(writeArchive(whole.subarray(0, whole.length / 2)), /damaged/);
    await assertRefused(writeArchive(Buffer.from('no archive')), /damaged|no tokenizer/);
    await assertRefused(join(folder, 'missing.tgz'), /cannot be read/);
  });

  it('refuses links in a folder', async () => {
    const source = write(FILES);
    symlinkSync('/etc/hosts', join(source, 'notes'));
    await assertRefused(source, /is a symbolic link/);
  });

  it('refuses a model that is not that of the recipe, or incomplete', async () => {
    const without = (name: string) =>
      Object.fromEntries(Object.entries(FILES).filter(([path]) => path !== name));
    const cases: [Record<string, string | Buffer>, RegExp, Partial<AddModelOptions>?][] = [
      [without('config.json'), /no config\.json/],
      [without('tokenizer.json'), /no tokenizer\.json/],
      [without('onnx/model.onnx'), /no ONNX file/],
      [{ ...FILES, 'config.json': '{"model_type":"bert"}' }, /of the type bert/],
      [{ ...FILES, 'config.json': '[1]' }, /not an object/],
      [{ ...FILES, 'model.onnx': Buffer.from(ENCODER) }, /2 ONNX files/],
      [{ ...FILES, 'onnx/model.onnx': 'no model' }, /cannot be used/],
      [{ ...FILES, 'tokenizer.json': '{}' }, /not a valid tokenizer/],
      [
        { ...FILES, '1_Pooling/config.json': '{"pooling_mode_mean_tokens":true}' },
        /pools by mean instead of last/,
      ],
      [FILES, /no recipe “other”/, { recipe: 'other' }],
      [FILES, /does not say which model/, { recipe: null }],
      [FILES, /outputs last_hidden_state/, { recipe: 'Qwen3-Reranker-0.6B' }],
    ];
    for (const [at, [files, message, changes]] of cases.entries()) {
      const given = message.source.includes('outputs')
        ? { ...files, 'config.json': '{"model_type":"qwen3"}' }
        : files;
      await assertRefused(write(given, `case-${at}/export`), message, changes);
    }
  });

  it('refuses ids of other models, and names that are paths', async () => {
    const source = write(FILES);
    for (const name of ['bag-1', 'CORET-1', 'ranker-1'])
      await assertRefused(source, /already/, { name });
    for (const name of ['../evil', '.hidden', '', 'a/b'])
      await assertRefused(source, /cannot be the id/, { name });
  });

  it('leaves nothing without consent, or if it is cancelled', async () => {
    const source = write(FILES);
    const confirm = () => Promise.reject(Object.assign(new Error('no'), { name: 'LocusError' }));
    await assertRefused(source, /no/, { confirm });
    const abort = new AbortController();
    const cancelling = { signal: abort.signal, confirm: async () => abort.abort() };
    await assertRefused(source, /cancelled|stopped/i, cancelling);
  });

  it('removes what a killed command left', async () => {
    mkdirSync(join(dataDir, 'adding/new/model'), { recursive: true });
    writeFileSync(join(dataDir, 'adding/new/model/model.onnx'), 'half');
    await removeUnfinishedModels(dataDir);
    assertNothingLeft();
    assert.equal(removePublishedModel(dataDir, '../adding'), false);
  });

  it('lists nothing after it is killed, and the next command removes the rest', async () => {
    const script = join(folder, 'add-and-die.ts');
    const module = new URL('../../src/services/published-models/add.ts', import.meta.url);
    const given = { dataDir, source: write(FILES), sha256: null, name: null, recipe: RECIPE };
    writeFileSync(
      script,
      `import { addPublishedModel } from ${JSON.stringify(module.href)};
       await addPublishedModel({ ...${JSON.stringify({ ...given, file: null })},
         signal: AbortSignal.timeout(60_000), confirm: () => process.kill(process.pid, 'SIGKILL') });`,
    );
    assert.equal(spawnSync(process.execPath, [script]).signal, 'SIGKILL');
    assert.equal(existsSync(join(dataDir, 'models')), false);
    assert.equal((await add(given.source)).manifest.id, RECIPE);
    assert.equal(existsSync(join(dataDir, 'adding/new')), false);
  });

  it('does not remove a model that the user made', () => {
    mkdirSync(join(dataDir, 'models/mine'), { recursive: true });
    writeFileSync(join(dataDir, 'models/mine/model.json'), '{"id":"mine"}');
    assert.equal(removePublishedModel(dataDir, 'mine'), false);
    assert.ok(existsSync(join(dataDir, 'models/mine/model.json')));
  });

  it('downloads an archive with the right digest only, and only over https', async () => {
    const archive = createTarball(pack(FILES));
    await using server = await serveFiles({
      '/jina.tgz': archive,
      '/cut.tgz': (_, response) =>
        void response
          .writeHead(200, { 'content-length': archive.length })
          .write(archive.subarray(0, 100), () => response.destroy()),
      '/moved.tgz': (_, response) => void response.writeHead(302, { location: '/jina.tgz' }).end(),
      '/away.tgz': (_, response) =>
        void response.writeHead(302, { location: 'http://203.0.113.1/jina.tgz' }).end(),
      '/local.tgz': (_, response) =>
        void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    });
    const at = (path: string) => new URL(path, server.url);
    const digest = { sha256: sha256(archive) };
    await assertRefused(at('/jina.tgz'), /digest of the model is missing/);
    await assertRefused(at('/jina.tgz'), /has the sha256/, { sha256: '0'.repeat(64) });
    await assertRefused(at('/cut.tgz'), /interrupted/, digest);
    await assertRefused(at('/away.tgz'), /not encrypted/, digest);
    await assertRefused(at('/local.tgz'), /not encrypted/, digest);
    await assertRefused(new URL('http://203.0.113.1/jina.tgz'), /not an https/, digest);
    assert.equal((await add(at('/moved.tgz'), digest)).manifest.id, RECIPE);
  });

  it('compares an archive of this machine with a digest', async () => {
    const source = writeArchive(createTarball(pack(FILES)));
    await assertRefused(source, /has the sha256/, { sha256: '0'.repeat(64) });
    await assertRefused(write(FILES), /no digest/, { sha256: '0'.repeat(64) });
  });
});
