import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, matchesGlob } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import type { Configuration } from 'electron-builder';
import { getLanguages } from '../../src/engine/languages/index.ts';
import { locateGrammar } from '../../src/engine/parse/grammar-file.ts';

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
// The YAML parser of electron-builder.
const configuration: Configuration = require('js-yaml').load(read('electron-builder.yml'));
const patterns = configuration.files as string[];
const unpacked = configuration.asarUnpack as string[];

/** Returns true if the folder of a file is packed as a whole. */
const covers = (list: string[], path: string) =>
  list.some((pattern) => pattern.endsWith('/**') && path.startsWith(pattern.slice(0, -2)));

test('electron-builder accepts the configuration', () => {
  const schema = JSON.parse(readFileSync(require.resolve('app-builder-lib/scheme.json'), 'utf8'));
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
  assert.ok(validate(configuration), JSON.stringify(validate.errors, null, 2));
  assert.ok(!validate({ ...configuration, asarUnpacked: [] }), 'the schema notices a wrong name');
});

test('packages for Linux, macOS and Windows', () => {
  assert.deepEqual(configuration.linux?.target, ['AppImage', 'deb']);
  assert.deepEqual(configuration.mac?.target, ['dmg']);
  assert.deepEqual(configuration.win?.target, ['nsis']);
  assert.equal(configuration.publish, null);
});

test('the fuses prevent using the program as anything but Locus', () => {
  assert.deepEqual(configuration.electronFuses, {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  });
});

test('every named file exists', () => {
  for (const path of [
    configuration.icon,
    configuration.nsis?.include,
    configuration.afterPack,
  ] as string[]) {
    assert.ok(existsSync(join(root, path)), path);
  }
  for (const pattern of patterns) {
    const path = pattern.replace(/^!/, '').replace(/\/\*\*$/, '');
    // Built by `npm run build`.
    if (path === 'out') continue;
    const matchable = path.replace(/!\([^)]*\)/, '*');
    assert.notEqual(globSync(matchable, { cwd: root }).length, 0, `${pattern} matches nothing`);
  }
  const icon = readFileSync(join(root, configuration.icon as string));
  assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [1024, 1024]);
});

test('files that the engine reads are packed outside the archive', () => {
  const needed = [
    'src/backend/electron.ts',
    'src/services/models.ts',
    'src/shared/rpc/methods.ts',
    'models/bag-1/model.json',
    'demo/issue.md',
    'demo/repository/README.md',
  ];
  for (const path of needed) {
    assert.ok(existsSync(join(root, path)), path);
    assert.ok(covers(patterns, path), `${path} is packed`);
    assert.ok(covers(unpacked, path), `${path} is unpacked`);
  }
  assert.ok(unpacked.includes('node_modules/**'));
  assert.ok(!covers(unpacked, manifest.main), 'the main process stays in the archive');
});

test('the engine imports no development dependencies', () => {
  const sources = globSync('src/{engine,services,backend,shared}/**/*.ts', { cwd: root });
  assert.ok(sources.length > 50);
  for (const path of sources) {
    for (const [, name] of read(path).matchAll(
      /^(?:import|export)(?! type)[^'"]*?from '([^.'][^']*)'/gm,
    )) {
      if (name.startsWith('node:')) continue;
      const dependency = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
      assert.ok(manifest.dependencies[dependency], `${path} imports ${dependency}`);
    }
  }
});

test('only the grammars of supported languages are packed', () => {
  const used = Array.from(getLanguages(), locateGrammar).map(
    ({ package: name, file }) => `${name}/${file}`,
  );
  const excluded = patterns
    .filter((pattern) => pattern.startsWith('!node_modules'))
    .map((pattern) => pattern.slice('!node_modules/'.length));
  const installed = globSync('{@repomix,@tree-sitter-grammars}/**/*.wasm', {
    cwd: join(root, 'node_modules'),
  }).concat(globSync('tree-sitter-*/*.wasm', { cwd: join(root, 'node_modules') }));
  const packed = installed.filter(
    (path) => !excluded.some((pattern) => matchesGlob(path, pattern)),
  );
  assert.ok(installed.length > packed.length);
  assert.deepEqual(packed.sort(), [...new Set(used)].sort());
});

test('only the files that run usearch are packed, for every platform with a build', () => {
  const excluded = (path: string, platform: string, arch: string) =>
    patterns
      .filter((pattern) => pattern.startsWith('!node_modules'))
      .map((pattern) => pattern.slice(1).replace(/\$\{platform\}/g, platform))
      .some((pattern) => matchesGlob(path, pattern.replace(/\$\{arch\}/g, arch)));
  const builds = globSync('node_modules/usearch/prebuilds/*/usearch.node', { cwd: root });
  assert.ok(builds.length >= 4, builds.join(', '));
  for (const [platform, arch] of [
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'arm64'],
    ['darwin', 'x64'],
    ['win32', 'x64'],
  ] as const) {
    const packed = builds.filter((path) => !excluded(path, platform, arch));
    assert.equal(packed.length, 1, `${platform}-${arch}: ${packed}`);
    assert.match(packed[0] ?? '', new RegExp(`/${platform}-`));
    assert.match(packed[0] ?? '', new RegExp(arch));
    for (const path of [
      'node_modules/usearch/javascript/dist/esm/usearch.js',
      'node_modules/node-gyp-build/node-gyp-build.js',
      'node_modules/bindings/bindings.js',
      'node_modules/file-uri-to-path/index.js',
    ]) {
      assert.ok(existsSync(join(root, path)), path);
      assert.ok(!excluded(path, platform, arch), path);
    }
    for (const path of globSync('node_modules/usearch/{c,cpp,numkong/c}/*', { cwd: root }))
      assert.ok(excluded(path, platform, arch), path);
  }
});
