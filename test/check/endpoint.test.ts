import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { planCheck } from '../../src/services/check/check.ts';
import { CheckFile } from '../../src/services/check/check-file.ts';
import { CHECK_DEFAULTS } from '../../src/shared/check.ts';
import { isSetUp, parseEndpoint } from '../../src/shared/check-endpoint.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { endpoints, finds } from './fake-endpoint.ts';
import { checkAt, ranking } from './sample.ts';

describe('the address of a check', () => {
  it('is completed', () => {
    for (const address of [
      'http://127.0.0.1:11434/v1',
      ' http://127.0.0.1:11434/v1/ ',
      'http://127.0.0.1:11434/v1/chat/completions',
    ]) {
      assert.equal(parseEndpoint(address).url, 'http://127.0.0.1:11434/v1/chat/completions');
    }
  });

  it('is on this machine only if its host is', () => {
    const here = [
      'http://localhost:8080',
      'http://LOCALHOST',
      'http://127.1',
      'http://0x7f000001/v1',
      'http://[::1]:1234/v1',
      'http://ollama.localhost',
    ];
    const elsewhere = [
      'https://api.example.com/v1',
      'http://127.0.0.1.example.com',
      'http://localhost.example.com',
      'http://notlocalhost',
      'http://192.168.1.5:8000/v1',
      'http://0.0.0.0:11434',
      'http://[::ffff:7f00:1]',
    ];
    for (const address of here) assert.equal(parseEndpoint(address).isLocal, true, address);
    for (const address of elsewhere) assert.equal(parseEndpoint(address).isLocal, false, address);
  });

  it('is rejected if it is invalid or holds secrets', () => {
    for (const address of [
      '',
      'localhost:11434',
      'file:///etc/passwd',
      'ftp://host/',
      'http://me:secret@127.0.0.1/v1',
      'http://127.0.0.1/v1?key=secret',
    ]) {
      assert.throws(() => parseEndpoint(address), { code: 'bad-input', remedy: /http:\/\/127/ });
    }
  });
});

describe('keys and consents', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => removeFolder(folder));
  const path = () => join(folder, 'check.json');
  const endpoint = endpoints();
  const open = (env: Record<string, string> = {}) => new CheckFile(folder, env);

  it('are in a file that only its owner can read', {
    skip: process.platform === 'win32',
  }, async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path(), '{}', { mode: 0o644 });
    await open().setKey('https://a.example', 'secret');
    assert.equal(statSync(path()).mode & 0o777, 0o600);
  });

  it('apply to one origin, and a key is never shown', async () => {
    await open().setKey('https://a.example', 'secret');
    open().agree('https://a.example', '/src/shop');
    const state = open().state('https://a.example');
    assert.deepEqual(state, { key: 'stored', agreed: ['/src/shop'] });
    assert.deepEqual(open().state('https://b.example'), { key: 'none', agreed: [] });
    assert.equal(await open().key('https://a.example'), 'secret');
    assert.equal(await open().key('https://b.example'), null);
    open().withdraw('https://a.example');
    await open().setKey('https://a.example', null);
    assert.deepEqual(open().state('https://a.example'), { key: 'none', agreed: [] });
    assert.ok(!readFileSync(path(), 'utf8').includes('secret'));
  });

  it('from the environment apply to the origin of the environment', async () => {
    const env = {
      LOCUS_CHECK_API_KEY: 'from-environment',
      LOCUS_CHECK_URL: 'https://a.example/v1',
    };
    assert.equal(await open(env).key('https://a.example'), 'from-environment');
    assert.equal(open(env).state('https://a.example').key, 'environment');
    assert.equal(await open(env).key('https://evil.example'), null);
    assert.equal(await open({ LOCUS_CHECK_API_KEY: 'k' }).key('https://a.example'), null);
  });

  it('in a damaged file are quarantined, reported without quoting them, and entered again', async () => {
    const damaged = '{"keys": {"https://a.example": "secret"';
    writeFileSync(path(), damaged);
    const notes: string[] = [];
    const file = new CheckFile(folder, {}, (note) => notes.push(note));
    assert.equal(await file.key('https://a.example'), null);
    await file.setKey('https://a.example', 'another');
    assert.equal(await open().key('https://a.example'), 'another');
    const aside = readdirSync(folder).find((name) => name.startsWith('check.json.damaged-'))!;
    assert.equal(readFileSync(join(folder, aside), 'utf8'), damaged);
    assert.equal(notes.length, 1);
    assert.ok(notes[0].includes(aside) && !notes[0].includes('secret'));
  });

  it('are required before code leaves the machine', async () => {
    const elsewhere = { address: 'https://models.example/v1' };
    await assert.rejects(checkAt(elsewhere, ranking(3), { file: open() }), {
      code: 'bad-input',
      message: /You have not agreed yet to send code of \/src\/shop to models\.example/,
    });
    const settings = { ...CHECK_DEFAULTS, ...elsewhere, model: 'big' };
    const plan = await planCheck(ranking(3), { settings, file: open() });
    assert.deepEqual([plan.isExternal, plan.agreed], [true, false]);
    open().agree('https://models.example', '/src/other');
    assert.equal((await planCheck(ranking(3), { settings, file: open() })).agreed, false);
    open().agree('https://models.example', '/src/shop');
    assert.equal((await planCheck(ranking(3), { settings, file: open() })).agreed, true);
  });

  it('know models that Locus runs itself, which no proxy reaches', async () => {
    const { localModel, isLocal, origin } = parseEndpoint(' local:Qwen3-4B.Q4_K_M ');
    assert.deepEqual([localModel, isLocal], ['Qwen3-4B.Q4_K_M', true]);
    assert.equal(origin, 'local:Qwen3-4B.Q4_K_M');
    assert.equal(isSetUp({ address: 'local:tiny', model: '' }), true);
    for (const name of ['', '..', '../x', '.x', 'a/b', 'a\\b', 'a:b', 'x.', 'runtime', 'a\nb'])
      assert.throws(() => parseEndpoint(`local:${name}`), {
        code: 'bad-input',
        message: /names no language model/,
      });
  });

  it('treat a proxy that Node uses as another machine', async () => {
    const settings = { ...CHECK_DEFAULTS, address: 'http://127.0.0.1:1/v1', model: 'm' };
    Object.assign(process.env, {
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: 'http://proxy.example:3128',
    });
    try {
      const plan = await planCheck(ranking(3), { settings, file: open() });
      assert.deepEqual([plan.isExternal, plan.agreed], [true, false]);
    } finally {
      delete process.env.NODE_USE_ENV_PROXY;
      delete process.env.HTTP_PROXY;
    }
  });

  it('send the key only to its endpoint, and never unencrypted to another machine', async () => {
    const model = await endpoint(finds('f1'));
    await open().setKey(parseEndpoint(model.address).origin, 'secret');
    await checkAt(model, ranking(3), { file: open() });
    assert.equal(model.asked[0].authorization, 'Bearer secret');
    open().agree('http://models.example', '/src/shop');
    await open().setKey('http://models.example', 'secret');
    await assert.rejects(
      checkAt({ address: 'http://models.example/v1' }, ranking(3), { file: open() }),
      { code: 'bad-input', message: /without encryption/ },
    );
  });

  it('are not repeated if a server quotes them', async () => {
    const model = await endpoint((_, response) =>
      response.writeHead(404).end('{"error": "the key secret has no such model"}'),
    );
    await open().setKey(parseEndpoint(model.address).origin, 'secret');
    const { failure } = await checkAt(model, ranking(3), { file: open() });
    assert.match(failure?.message ?? '', /the key … has no such model/);
  });
});
