import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  findRuntime,
  type InstallOptions,
  installRuntime,
  removeRuntime,
} from '../../src/services/gguf/runtime.ts';
import {
  getPackageName,
  listRuntimePackages,
  type RuntimePackage,
  usesGpu,
} from '../../src/services/gguf/runtime-packages.ts';
import { getRegistry } from '../../src/services/registry.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { createTarball, type TarEntry } from '../support/tar.ts';
import { type Answer, serveFiles } from './file-server.ts';

const LIBRARY: TarEntry[] = [
  { path: 'package/dist/index.js', content: 'export const a = 1;\n' },
  { path: 'package/dist/index.d.ts', content: 'export const a: 1;\n' },
  { path: 'package/llama/CMakeLists.txt', content: 'project(llama)\n' },
  { path: 'package/llama/info.json', content: '{}' },
  { path: 'package/README.md', content: '# Library' },
  { path: 'package/LICENSE.md', content: 'MIT' },
  {
    path: 'package/package.json',
    content: '{"scripts": {"postinstall": "touch /tmp/locus-test-ran"}}',
  },
];
const HELPER: TarEntry[] = [{ path: 'helper-1.0.0/index.js', content: 'export {};\n' }];

function pin(path: string, archive: Buffer): RuntimePackage {
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  return { path, version: '1.0.0', integrity, bytes: archive.length };
}

describe('the component that runs models', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = temporaryFolder();
  });
  afterEach(() => removeFolder(dataDir));

  const library = createTarball(LIBRARY);
  const helper = createTarball(HELPER);
  const packages = [
    pin('node_modules/node-llama-cpp', library),
    pin('node_modules/ora/node_modules/@scope/helper', helper),
  ];
  const files: Record<string, Buffer | Answer> = {
    '/node-llama-cpp/-/node-llama-cpp-1.0.0.tgz': library,
    '/@scope/helper/-/helper-1.0.0.tgz': helper,
  };
  const install = (options: Partial<InstallOptions> & Pick<InstallOptions, 'source'>) =>
    installRuntime({
      ...{ dataDir, gpu: null, packages, backoffMs: 1 },
      signal: new AbortController().signal,
      ...options,
    });
  const listFiles = () =>
    (readdirSync(dataDir, { recursive: true, withFileTypes: true }) ?? [])
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
      .map(({ name }) => name)
      .sort();
  const assertNothing = () => {
    assert.equal(findRuntime(dataDir), null);
    assert.deepEqual(
      readdirSync(join(dataDir, 'gguf')).filter((name) => name !== 'downloads'),
      [],
    );
  };

  it('is fetched from the registry, without the files that are not needed', async () => {
    await using server = await serveFiles(files);
    const done: string[] = [];
    const onPackage = (at: number, total: number) => done.push(`${at}/${total}`);
    await install({ source: server.url, onPackage });
    const runtime = findRuntime(dataDir);
    assert.ok(runtime);
    assert.equal(runtime.useGpu, process.platform === 'darwin' && process.arch === 'arm64');
    const index = join(runtime.library, 'dist/index.js');
    assert.equal(readFileSync(index, 'utf8'), 'export const a = 1;\n');
    if (process.platform !== 'win32') assert.equal(statSync(index).mode & 0o777, 0o600);
    assert.deepEqual(listFiles(), [
      ...['LICENSE.md', 'index.js', 'index.js', 'info.json', 'package.json', 'runtime.json'],
    ]);
    assert.ok(existsSync(join(runtime.library, '../ora/node_modules/@scope/helper/index.js')));
    assert.deepEqual(server.requested.sort(), Object.keys(files).sort());
    assert.deepEqual(done, ['1/2', '2/2']);
    assert.equal(existsSync('/tmp/locus-test-ran'), false, 'no script was run');
    assert.equal(removeRuntime(dataDir), true);
    assert.equal(removeRuntime(dataDir), false);
    assert.equal(findRuntime(dataDir), null);
  });

  it('is installed without a network from a folder, whatever the archives are called', async () => {
    const folder = join(dataDir, 'archives');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.tgz'), library);
    const error = {
      code: 'bad-input',
      message: /lacks 1 of 2 packages: @scope\/helper@1\.0\.0/,
      remedy: /npm pack @scope\/helper@1\.0\.0$/,
    };
    await assert.rejects(install({ source: folder }), error);
    assertNothing();
    writeFileSync(join(folder, 'b.tgz'), helper);
    await install({ source: folder });
    assert.ok(findRuntime(dataDir));
    assert.ok(existsSync(join(folder, 'a.tgz')));
  });

  const redirect: Answer = (_, response) =>
    void response.writeHead(302, { location: 'http://mirror.invalid/x' }).end();
  const refused: Record<string, [Buffer | Answer, RegExp]> = {
    'another archive than the one that is pinned': [
      createTarball([{ path: 'package/dist/index.js', content: 'evil()' }]),
      /has the sha512 [0-9a-f]{128}, not/,
    ],
    'a redirect that is not encrypted': [redirect, /redirects to http:\/\/mirror\.invalid/],
  };
  for (const [what, [answer, message]] of Object.entries(refused))
    it(`is not installed with ${what}`, async () => {
      await using server = await serveFiles({
        ...files,
        '/@scope/helper/-/helper-1.0.0.tgz': answer,
      });
      await assert.rejects(install({ source: server.url }), { code: 'not-fetched', message });
      assertNothing();
    });

  const hostile: Record<string, TarEntry> = {
    'a link': { path: 'package/a.js', type: '2', target: '/etc/passwd' },
    'a path outside it': { path: 'package/../../../a.js' },
  };
  for (const [what, entry] of Object.entries(hostile))
    it(`is not installed with ${what} in an archive`, async () => {
      const archive = createTarball([...HELPER, entry]);
      const folder = join(dataDir, 'archives');
      mkdirSync(folder);
      writeFileSync(join(folder, 'a.tgz'), archive);
      const packages = [pin('node_modules/helper', archive)];
      await assert.rejects(install({ source: folder, packages }), { code: 'bad-input' });
      assertNothing();
    });

  it('is not installed halfway, and fetches no archive twice', async () => {
    const controller = new AbortController();
    let isBroken = true;
    await using server = await serveFiles({
      ...files,
      '/@scope/helper/-/helper-1.0.0.tgz': (_, response) => {
        if (isBroken) return void response.writeHead(404).end();
        response.writeHead(200).end(helper);
      },
    });
    const onPackage = () => controller.abort();
    const cancelled = install({ source: server.url, signal: controller.signal, onPackage });
    await assert.rejects(cancelled, (error: { code?: string }) =>
      ['cancelled', 'not-fetched'].includes(error.code ?? ''),
    );
    assertNothing();
    isBroken = false;
    server.requested.length = 0;
    await install({ source: server.url });
    assert.ok(findRuntime(dataDir));
  });

  it('takes the place of an earlier one', async () => {
    mkdirSync(join(dataDir, 'gguf/runtime-3.0.0'), { recursive: true });
    mkdirSync(join(dataDir, 'gguf/staged/left'), { recursive: true });
    await using server = await serveFiles(files);
    await install({ source: server.url });
    const names = readdirSync(join(dataDir, 'gguf')).filter((name) => name !== 'downloads');
    assert.equal(names.length, 1);
    assert.notEqual(names[0], 'runtime-3.0.0');
  });
});

describe('the packages of the component', () => {
  const on = (platform: string, arch: string, hasGlibc = true) => ({ platform, arch, hasGlibc });
  const backendsOf = (...args: Parameters<typeof listRuntimePackages>) =>
    listRuntimePackages(...args)
      .map(({ path }) => path.split('@node-llama-cpp/')[1])
      .filter((name) => name !== undefined);

  it('hold the machine code of one system, and of a GPU only when asked', () => {
    assert.deepEqual(backendsOf(on('linux', 'x64'), null), ['linux-x64']);
    assert.deepEqual(backendsOf(on('darwin', 'arm64'), null), ['mac-arm64-metal']);
    assert.deepEqual(backendsOf(on('win32', 'x64'), 'vulkan'), ['win-x64', 'win-x64-vulkan']);
    assert.deepEqual(backendsOf(on('linux', 'x64'), 'cuda'), [
      ...['linux-x64', 'linux-x64-cuda', 'linux-x64-cuda-ext'],
    ]);
    assert.equal(usesGpu(on('linux', 'x64'), null), false);
    assert.equal(usesGpu(on('darwin', 'arm64'), null), true);
  });

  it('do not exist for some systems', () => {
    const error = { code: 'bad-input', message: /no machine code/ };
    assert.throws(() => listRuntimePackages(on('sunos', 'x64'), null), error);
    assert.throws(() => listRuntimePackages(on('linux', 'x64', false), null), error);
    assert.throws(() => listRuntimePackages(on('darwin', 'arm64'), 'cuda'), error);
  });

  it('are pinned by version and digest, and stay in their folder', () => {
    const packages = listRuntimePackages(on('linux', 'x64'), 'cuda');
    assert.equal(new Set(packages.map(({ path }) => path)).size, packages.length);
    for (const one of packages) {
      assert.match(
        one.path,
        /^(node_modules\/(@[\w.-]+\/)?[\w.-]+)(\/node_modules\/(@[\w.-]+\/)?[\w.-]+)*$/,
      );
      assert.match(one.version, /^\d+\.\d+\.\d+$/);
      assert.equal(Buffer.from(one.integrity.slice('sha512-'.length), 'base64').length, 64);
      assert.ok(one.path.endsWith(getPackageName(one)));
    }
  });

  it('come from the registry that npm is set to', () => {
    assert.equal(getRegistry({}).host, 'registry.npmjs.org');
    const npm_config_registry = 'https://npm.example.org/mirror';
    assert.equal(getRegistry({ npm_config_registry }).href, `${npm_config_registry}/`);
    for (const value of ['x', 'ftp://a', 'https://user:secret@a/'])
      assert.throws(() => getRegistry({ npm_config_registry: value }), { code: 'bad-input' });
  });
});
