import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { serveFiles } from '../gguf/file-server.ts';
import { provideRuntime } from '../support/gguf-runtime.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { writeTinyModel } from '../support/tiny-gguf.ts';
import { fakeEngine, locus } from './fake-host.ts';

describe('locus models add', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder, 'tiny.gguf');
    writeTinyModel(file);
  });
  afterEach(() => removeFolder(folder));

  const models = (args: string[], env: Record<string, string> = {}) =>
    locus(fakeEngine([]), ['models', ...args], { env: { LOCUS_DATA_DIR: folder, ...env } });

  it('downloads nothing without consent', async () => {
    await using registry = await serveFiles({});
    const env = { npm_config_registry: registry.url.href };
    const { exitCode, stderr } = await models(['add', file], env);
    assert.equal(exitCode, 2);
    assert.match(
      stderr,
      /needs node-llama-cpp \d+\.\d+\.\d+: \d+ packages of 127\.0\.0\.1:\d+ with/,
    );
    assert.match(stderr, /add --download/);
    assert.deepEqual(registry.requested, []);
    assert.equal(existsSync(join(folder, 'gguf')), false);
  });

  it('asks the registry alone with consent, and leaves nothing if that fails', async () => {
    await using registry = await serveFiles({});
    const env = { npm_config_registry: registry.url.href };
    const { exitCode, stderr } = await models(['add', file, '--download'], env);
    assert.equal(exitCode, 6);
    assert.match(stderr, /does not send the file \(status 404\)/);
    assert.ok(registry.requested.every((path) => path.endsWith('.tgz')));
    assert.deepEqual(readdirSync(join(folder, 'gguf')), ['downloads']);
  });

  it('needs all archives of a folder that is given instead', async () => {
    const { exitCode, stderr } = await models(['add', file, '--runtime', folder]);
    assert.equal(exitCode, 2);
    assert.match(stderr, /lacks \d+ of \d+ packages: .*npm pack /s);
  });

  it('adds, lists, verifies and removes a model', async () => {
    await provideRuntime(folder);
    const added = await models(['add', file, '--name', 'mine', '--format', 'rank-gpt']);
    assert.equal(added.exitCode, 0, added.stderr);
    assert.match(added.stdout, /mine is added \(520 kB · rank-gpt\)[\s\S]*local:mine/);
    assert.match(added.stderr, /100% of 520 kB copied/);
    const listed = await models(['list']);
    assert.match(listed.stdout, /component: node-llama-cpp \d[\s\S]*local:mine {2}520 kB/);
    const { languageModels } = (await models(['list', '--json'])).json();
    assert.equal(languageModels[0].name, 'mine');
    assert.equal((await models(['verify', 'mine'])).exitCode, 0);
    writeFileSync(languageModels[0].file, 'GGUF');
    const damaged = await models(['verify', 'mine']);
    assert.equal(damaged.exitCode, 5);
    assert.match(damaged.stdout, /language model “mine” was changed/);
    assert.equal((await models(['remove', 'mine'])).exitCode, 0);
    assert.equal((await models(['remove', 'mine'])).exitCode, 2);
    assert.equal((await models(['remove', 'runtime'])).exitCode, 0);
    assert.doesNotMatch((await models(['list'])).stdout, /Language models/);
  });

  const invalid: [string[], RegExp][] = [
    [['add'], /No model is given/],
    [['remove'], /No model is given/],
    [['add', 'x.gguf', '--sha256', 'abc'], /not a SHA-256/],
    [['add', 'x.gguf', '--gpu', 'metal'], /one of cuda, vulkan/],
    [['add', 'x.gguf', '--runtime', '/nowhere'], /nowhere cannot be read/],
    [['add', 'x.gguf', '--template', '/nowhere.yaml'], /nowhere\.yaml cannot be read/],
  ];
  for (const [args, message] of invalid)
    it(`refuses ${args.join(' ')}`, async () => {
      const { exitCode, stderr } = await models(args);
      assert.equal(exitCode, 2);
      assert.match(stderr, message);
    });
});
