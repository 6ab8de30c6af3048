import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { download } from '../../src/services/gguf/download.ts';
import {
  type AddOptions,
  addLanguageModel,
  findLanguageModel,
  listLanguageModels,
  removeLanguageModel,
  verifyLanguageModel,
} from '../../src/services/gguf/models.ts';
import { assertSpace } from '../../src/services/gguf/space.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { createTinyModel } from '../support/tiny-gguf.ts';
import { type Answer, serveFiles } from './file-server.ts';

const MODEL = createTinyModel();
const SHA256 = createHash('sha256').update(MODEL).digest('hex');
const OTHER = 'a'.repeat(64);

const redirectTo =
  (location: string): Answer =>
  (_, response) =>
    void response.writeHead(302, { location }).end();

describe('a language model', () => {
  let dataDir: string;
  let source: string;
  beforeEach(() => {
    dataDir = temporaryFolder();
    source = join(dataDir, 'Tiny-1B.Q4_K_M.gguf');
    writeFileSync(source, MODEL);
  });
  afterEach(() => removeFolder(dataDir));

  const add = (options: Partial<AddOptions> = {}) =>
    addLanguageModel({
      ...{ dataDir, source, sha256: null, name: null, format: null, template: null },
      signal: new AbortController().signal,
      backoffMs: 1,
      ...options,
    });
  function listDownloads(): string[] {
    const folder = join(dataDir, 'gguf/downloads');
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.filter((name) => !name.endsWith('.lock'));
  }

  it('is copied with its digest, and removed', async () => {
    const model = await add();
    assert.deepEqual(
      { ...model, file: '' },
      {
        name: 'Tiny-1B.Q4_K_M',
        file: '',
        bytes: MODEL.length,
        sha256: SHA256,
        format: 'json',
        template: null,
        source,
      },
    );
    assert.deepEqual(listLanguageModels(dataDir), [model]);
    assert.deepEqual(findLanguageModel(dataDir, model.name), model);
    await verifyLanguageModel(model);
    if (process.platform !== 'win32') assert.equal(statSync(model.file).mode & 0o077, 0);
    assert.equal(removeLanguageModel(dataDir, model.name), true);
    assert.equal(removeLanguageModel(dataDir, model.name), false);
    assert.deepEqual(listLanguageModels(dataDir), []);
    assert.deepEqual(listDownloads(), []);
  });

  it('that was changed is noticed', async () => {
    const model = await add();
    writeFileSync(model.file, MODEL.fill(7, 1000, 1001));
    await assert.rejects(verifyLanguageModel(model), { code: 'bad-model', message: /was changed/ });
    MODEL.set(createTinyModel());
  });

  it('has the format that its name says, or the one that is given', async () => {
    const names = { 'rank_zephyr_7b.Q4_0': 'rank-gpt', 'SweRankLLM-Small.Q8_0': 'swe-rank' };
    for (const [name, format] of Object.entries(names))
      assert.equal((await add({ name })).format, format);
    assert.equal((await add({ name: 'rank-zephyr-2', format: 'json' })).format, 'json');
  });

  const refused: Record<string, [Partial<AddOptions>, RegExp]> = {
    'another digest': [{ sha256: OTHER }, /has the sha256 [0-9a-f]{64}, not aaaa/],
    'no file': [{ source: '/nowhere.gguf' }, /nowhere\.gguf is not a file/],
    'a folder': [{ source: '/', name: 'x' }, /is not a file/],
    'the name of a folder elsewhere': [{ name: '../../x' }, /cannot be the name/],
    'a hidden name': [{ name: '.x' }, /cannot be the name/],
    'the name of the component': [{ name: 'runtime' }, /cannot be the name/],
    'one part of a model': [{ source: 'x-00001-of-00003.gguf' }, /is one part of a model/],
    'an address without a digest': [{ source: new URL('https://a.invalid/x.gguf') }, /digest/],
    'an address without encryption': [
      { source: new URL('http://a.invalid/x.gguf'), sha256: OTHER },
      /is not an https:/,
    ],
  };
  for (const [what, [options, message]] of Object.entries(refused))
    it(`with ${what} is refused, and leaves nothing behind`, async () => {
      await assert.rejects(add(options), { code: 'bad-input', message });
      assert.deepEqual(listLanguageModels(dataDir), []);
      assert.deepEqual(listDownloads(), []);
    });

  it('of another format is refused', async () => {
    writeFileSync(source, 'PK\u0003\u0004 not a model');
    await assert.rejects(add(), {
      code: 'bad-input',
      message: /is not a model in the format GGUF/,
    });
    assert.deepEqual(listDownloads(), []);
  });

  it('is not replaced by another one of its name', async () => {
    await add();
    await assert.rejects(add(), { message: /There is a language model .* already/ });
  });

  it('whose copy was killed is copied again', async () => {
    const left = join(dataDir, 'gguf/models/left');
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'model.gguf'), 'GGUF half');
    mkdirSync(join(dataDir, 'gguf/downloads'));
    writeFileSync(join(dataDir, 'gguf/downloads/copy.part'), 'x'.repeat(2 * MODEL.length));
    assert.deepEqual(listLanguageModels(dataDir), []);
    await verifyLanguageModel(await add({ name: 'left' }));
  });

  it('is not copied if it is cancelled', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const adding = add({ signal: controller.signal, onProgress });
    await assert.rejects(adding, { code: 'cancelled' });
    assert.deepEqual(listDownloads(), []);
  });

  it('needs space on the disk', async () => {
    const error = { code: 'bad-output', message: /of free space, and .* MB are needed/ };
    await assert.rejects(assertSpace(source, 2 ** 60), error);
  });

  describe('is downloaded', () => {
    const path = () => join(dataDir, 'gguf/downloads', `${SHA256}.part`);

    it('with the digest that was given', async () => {
      await using server = await serveFiles({ '/a/tiny.gguf': MODEL });
      const progress: number[] = [];
      const url = new URL('a/tiny.gguf', server.url);
      const onProgress = (bytes: number) => progress.push(bytes);
      const model = await add({ source: url, sha256: SHA256, onProgress });
      assert.equal(model.name, 'tiny');
      assert.equal(progress.at(-1), MODEL.length);
      await verifyLanguageModel(model);
    });

    it('and removed if it has another', async () => {
      await using server = await serveFiles({ '/tiny.gguf': MODEL });
      const adding = add({ source: new URL('tiny.gguf', server.url), sha256: OTHER });
      await assert.rejects(adding, { code: 'not-fetched', message: /has the sha256 .*, not aaaa/ });
      assert.deepEqual(listDownloads(), []);
    });

    it('further where an interruption left it', async () => {
      let isCut = true;
      await using server = await serveFiles({
        '/tiny.gguf': (request, response) => {
          const { range = '' } = request.headers;
          const offset = Number(range.match(/\d+/)?.[0] ?? 0);
          const rest = MODEL.subarray(offset);
          response.writeHead(offset > 0 ? 206 : 200, { 'content-length': rest.length });
          if (!isCut) return void response.end(rest);
          isCut = false;
          response.write(rest.subarray(0, 200_000), () => setImmediate(() => response.destroy()));
        },
      });
      await add({ source: new URL('tiny.gguf', server.url), sha256: SHA256 });
      const [first, second, ...others] = server.requested;
      assert.equal(first, '/tiny.gguf');
      assert.match(second ?? '', /^\/tiny\.gguf bytes=\d{4,}-$/);
      assert.deepEqual(others, []);
    });

    it('only once, if it is there already', async () => {
      await using server = await serveFiles({ '/tiny.gguf': MODEL });
      mkdirSync(join(dataDir, 'gguf/downloads'), { recursive: true });
      writeFileSync(path(), MODEL);
      await add({ source: new URL('tiny.gguf', server.url), sha256: SHA256 });
      assert.deepEqual(server.requested, [`/tiny.gguf bytes=${MODEL.length}-`]);
    });

    it('until it is cancelled, and keeps what it has', async () => {
      await using server = await serveFiles({ '/tiny.gguf': MODEL });
      const controller = new AbortController();
      const adding = add({
        source: new URL('tiny.gguf', server.url),
        sha256: SHA256,
        signal: controller.signal,
        onProgress: () => controller.abort(),
      });
      await assert.rejects(adding, { code: 'cancelled' });
      assert.ok(existsSync(path()));
      await add({ source: new URL('tiny.gguf', server.url), sha256: SHA256 });
    });

    it('through redirects that stay encrypted', async () => {
      await using server = await serveFiles({
        '/a.gguf': redirectTo('/b/c'),
        '/b/c': MODEL,
        '/plain.gguf': redirectTo('http://models.invalid/x.gguf'),
        '/file.gguf': redirectTo('file:///etc/passwd'),
        '/loop.gguf': redirectTo('/loop.gguf'),
        '/private.gguf': (_, response) => void response.writeHead(401).end(),
      });
      await add({ source: new URL('a.gguf', server.url), sha256: SHA256 });
      const fails: Record<string, RegExp> = {
        plain: /redirects to http:\/\/models\.invalid, which is not encrypted/,
        file: /redirects to file:\/\/, which is not encrypted/,
        loop: /redirects too often/,
        private: /does not send the file \(status 401\)/,
        missing: /does not send the file \(status 404\)/,
      };
      for (const [name, message] of Object.entries(fails))
        await assert.rejects(
          add({ source: new URL(`${name}.gguf`, server.url), sha256: SHA256 }),
          { code: 'not-fetched', message },
          name,
        );
    });

    it('up to a limit, whatever the server says', async () => {
      const endless: Answer = (_, response) => {
        response.writeHead(200);
        const more = () => {
          if (!response.destroyed) response.write(Buffer.alloc(65_536), () => setImmediate(more));
        };
        more();
      };
      await using server = await serveFiles({ '/x': endless, '/y': MODEL });
      for (const name of ['x', 'y']) {
        const options = {
          url: new URL(name, server.url),
          path: join(dataDir, 'part'),
          digest: { algorithm: 'sha256', value: SHA256 } as const,
          maxBytes: 300_000,
          signal: new AbortController().signal,
        };
        await assert.rejects(download(options), { message: /has more than 300000 bytes/ });
      }
    });

    it('or reported, when the server stays away', async () => {
      const server = await serveFiles({});
      await server[Symbol.asyncDispose]();
      const error = { code: 'not-fetched', message: /was interrupted: ECONNREFUSED/ };
      await assert.rejects(add({ source: new URL('x.gguf', server.url), sha256: SHA256 }), error);
    });
  });
});
