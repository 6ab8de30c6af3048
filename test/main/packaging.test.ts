import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, matchesGlob } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import type { Configuration } from 'electron-builder';
import { addMacBuilds } from '../../scripts/mac-builds.ts';
import { getDesktopFile } from '../../scripts/release/manifests/release.ts';
import { getLanguages } from '../../src/engine/languages/index.ts';
import { listInstalledGrammars } from '../../src/engine/parse/grammar-file.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

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
  assert.deepEqual(configuration.linux?.target, ['AppImage', 'deb', 'rpm']);
  assert.deepEqual(configuration.mac?.target, [{ target: 'dmg', arch: 'universal' }]);
  assert.deepEqual(configuration.win?.target, ['nsis', 'zip']);
  assert.match(manifest.scripts.package, /electron-builder --publish never$/);
});

test('names of artifacts are those of the manifests', () => {
  const macros = { name: manifest.name, version: manifest.version, os: 'win', arch: 'x64' };
  const named = (ext: string) =>
    Object.entries({ ...macros, ext }).reduce(
      (text, [macro, value]) => text.replaceAll(`\${${macro}}`, value),
      configuration.artifactName ?? '',
    );
  const { version } = manifest;
  const digests = new Map(['exe', 'zip'].map((ext) => [named(ext), 'a'.repeat(64)]));
  const release = { version, summary: '', description: '', license: 'MIT', digests };
  for (const ext of ['exe', 'zip'])
    assert.equal(getDesktopFile(release, `win-x64.${ext}`).name, named(ext));
});

/** Returns true if a file of a package is left out on a system for a processor. */
function isLeftOut(path: string, platform: string, arch: string): boolean {
  return patterns
    .filter((pattern) => pattern.startsWith('!node_modules'))
    .map((pattern) => pattern.slice(1).replace(/\$\{platform\}/g, platform))
    .some((pattern) => matchesGlob(path, pattern.replace(/\$\{arch\}/g, arch)));
}

test('machine code is packed for one processor, and for both on macOS', () => {
  const builds = globSync(
    'node_modules/{better-sqlite3/prebuilds,onnxruntime-node/bin,usearch/prebuilds}/**/*.node',
    { cwd: root },
  ).map((path) => path.replaceAll('\\', '/'));
  const packed = (platform: string, arch: string) =>
    builds
      .filter((path) => !isLeftOut(path, platform, arch))
      .map((path) => path.replace(/^node_modules\/[^/]+\/(?:prebuilds|bin\/napi-v6)\//, ''))
      .sort();
  assert.deepEqual(packed('linux', 'x64'), [
    'linux-x64.node',
    'linux-x64/usearch.node',
    'linux/x64/onnxruntime_binding.node',
    'linuxmusl-x64.node',
  ]);
  assert.deepEqual(packed('win32', 'x64'), [
    'win32-x64.node',
    'win32-x64/usearch.node',
    'win32/x64/onnxruntime_binding.node',
  ]);
  const onMac = [
    'darwin-arm64+x64/usearch.node',
    'darwin-arm64.node',
    'darwin-x64.node',
    'darwin/arm64/onnxruntime_binding.node',
  ];
  for (const arch of ['x64', 'arm64']) assert.deepEqual(packed('darwin', arch), onMac);
});

test('on macOS, the builds for both processors have equal archives and the same machine code', () => {
  const { mac } = configuration;
  // Merging archives lists every unpacked file in one pattern, which is too long.
  assert.equal(mac?.mergeASARs, false);
  const at = 'Contents/Resources/app.asar.unpacked/node_modules';
  for (const name of [
    'better-sqlite3/prebuilds/darwin-x64.node',
    '@napi-rs/keyring-darwin-arm64/keyring.darwin-arm64.node',
    '@vscode/ripgrep-darwin-arm64/bin/rg',
    'onnxruntime-node/bin/napi-v6/darwin/arm64/libonnxruntime.1.30.0.dylib',
  ])
    assert.ok(matchesGlob(`${at}/${name}`, mac?.x64ArchFiles ?? ''), name);
});

test('the app for macOS gets the packages that have a build for one processor', () => {
  const folder = temporaryFolder('locus-mac-');
  try {
    const project = join(folder, 'project');
    const names = ['@napi-rs/keyring', '@parcel/watcher', '@vscode/ripgrep'].flatMap((name) =>
      ['arm64', 'x64'].map((arch) => `${name}-darwin-${arch}`),
    );
    for (const name of names)
      writeFiles(join(project, 'node_modules', name), { 'package.json': '{}', 'a.node': name });
    const added = addMacBuilds(project, join(folder, 'app'));
    assert.deepEqual([...added.keys()].sort(), names.sort());
    for (const name of names)
      assert.equal(readFileSync(join(folder, 'app/node_modules', name, 'a.node'), 'utf8'), name);
  } finally {
    removeFolder(folder);
  }
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
  const used = listInstalledGrammars(getLanguages()).map(
    ({ package: name, file }) => `${name}/${file}`,
  );
  const excluded = patterns
    .filter((pattern) => pattern.startsWith('!node_modules'))
    .map((pattern) => pattern.slice('!node_modules/'.length));
  const installed = globSync('{@cursorless,@repomix,@tree-sitter-grammars}/**/*.wasm', {
    cwd: join(root, 'node_modules'),
  }).concat(globSync('tree-sitter-*/*.wasm', { cwd: join(root, 'node_modules') }));
  const packed = installed.filter(
    (path) => !excluded.some((pattern) => matchesGlob(path, pattern)),
  );
  assert.ok(installed.length > packed.length);
  assert.deepEqual(packed.sort(), [...new Set(used)].sort());
});

test('only the files that run usearch are packed, for every platform with a build', () => {
  const builds = globSync('node_modules/usearch/prebuilds/*/usearch.node', { cwd: root });
  assert.ok(builds.length >= 4, builds.join(', '));
  for (const [platform, arch] of [
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'arm64'],
    ['darwin', 'x64'],
    ['win32', 'x64'],
  ] as const) {
    const packed = builds.filter((path) => !isLeftOut(path, platform, arch));
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
      assert.ok(!isLeftOut(path, platform, arch), path);
    }
    for (const path of globSync('node_modules/usearch/{c,cpp,numkong/c}/*', { cwd: root }))
      assert.ok(isLeftOut(path, platform, arch), path);
  }
});
