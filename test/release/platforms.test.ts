import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkBinaries, readTargets } from '../../scripts/npm/binaries.ts';
import { checkIntegrity } from '../../scripts/npm/locate.ts';
import {
  createMainManifest,
  createModelsManifest,
  createPlatformManifest,
} from '../../scripts/npm/manifests.ts';
import { partsFor } from '../../scripts/npm/parts.ts';
import { getPlatformName, PLATFORMS, thisMachine } from '../../scripts/npm/platforms.ts';
import { getPlatformPackage, NAMES } from '../../scripts/release/names.ts';
import { getLanguages } from '../../src/engine/languages/index.ts';
import { listInstalledGrammars } from '../../src/engine/parse/grammar-file.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const root = join(import.meta.dirname, '../..');
const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const grammars = listInstalledGrammars(getLanguages());

describe('the packages for platforms', () => {
  for (const machine of PLATFORMS)
    it(`${getPlatformName(machine)}: each part is pinned, and those that are installed have its files`, () => {
      const parts = partsFor(machine, grammars);
      for (const [name, { files, pinned }] of Object.entries(parts)) {
        const locked = lock[`node_modules/${name}`];
        assert.ok(pinned ?? locked, `${name} is in the lockfile`);
        assert.match((pinned ?? locked).integrity, /^sha512-/, name);
        const folder = join(root, 'node_modules', name);
        if (pinned || !existsSync(folder)) continue;
        for (const pattern of files)
          assert.ok(globSync(pattern, { cwd: folder }).length > 0, `${name} has ${pattern}`);
      }
      const { arch, platform, musl } = machine;
      const libc = musl ? 'musl' : 'glibc';
      const { os, cpu, ...manifest } = createPlatformManifest(project, machine, new Map(), '1.0.0');
      assert.deepEqual([os, cpu], [[platform], [arch]]);
      assert.deepEqual(manifest.libc, platform === 'linux' ? [libc] : undefined);
      assert.deepEqual(manifest.dependencies, { [NAMES.npmModels]: '1.0.0' });
    });

  it('are optional dependencies of the main package, which has no other and no scripts', () => {
    const manifest = createMainManifest(project);
    assert.deepEqual(Object.keys(manifest.bin), [NAMES.command, NAMES.alias]);
    assert.deepEqual(
      manifest.optionalDependencies,
      Object.fromEntries(
        PLATFORMS.map((machine) => [getPlatformPackage(getPlatformName(machine)), project.version]),
      ),
    );
    assert.ok(!('dependencies' in manifest) && !('scripts' in manifest));
    assert.equal(manifest.mcpName, NAMES.mcpServer);
  });
});

it('the version of the models follows their content alone', () => {
  const folder = temporaryFolder();
  const versionOf = () => createModelsManifest(folder, 'MIT AND Apache-2.0').version;
  try {
    writeFiles(folder, { 'bag-1/model.json': '{}', 'bag-1/model.onnx': 'weights' });
    const first = versionOf();
    // No part of it is a number with a leading zero, which npm rejects.
    assert.match(first, /^1\.0\.0-content\.h[0-9a-f]{12}$/);
    writeFiles(folder, { 'package.json': '{}' });
    assert.equal(versionOf(), first);
    writeFiles(folder, { 'bag-1/model.onnx': 'Weights' });
    assert.notEqual(versionOf(), first);
  } finally {
    removeFolder(folder);
  }
});

describe('machine code', () => {
  const builds = join(root, 'node_modules/better-sqlite3/prebuilds');
  const read = (path: string) => readFileSync(join(builds, path));

  it('tells its platform: ELF, Mach-O and PE', () => {
    for (const name of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'])
      assert.deepEqual(readTargets(read(`${name}.node`)), [name]);
    assert.deepEqual(readTargets(read('linuxmusl-x64.node')), ['linux-x64-musl']);
    const universal = join(root, 'node_modules/usearch/prebuilds/darwin-arm64+x64/usearch.node');
    assert.deepEqual(readTargets(readFileSync(universal)).sort(), ['darwin-arm64', 'darwin-x64']);
    assert.deepEqual(readTargets(Buffer.from('no code')), []);
  });

  it('of another platform is refused in a package', () => {
    const folder = temporaryFolder();
    try {
      const machine = { platform: 'linux', arch: 'x64', musl: false };
      assert.throws(() => checkBinaries(folder, machine), /has no machine code for linux-x64/);
      mkdirSync(join(folder, 'lib'));
      writeFileSync(join(folder, 'lib/a.node'), read('linux-x64.node'));
      checkBinaries(folder, machine);
      writeFileSync(join(folder, 'lib/b.node'), read('linuxmusl-x64.node'));
      assert.throws(
        () => checkBinaries(folder, machine),
        /lib\/b\.node is for linux-x64-musl, not for linux-x64/,
      );
    } finally {
      removeFolder(folder);
    }
  });
});

it('a download with another digest is refused', () => {
  const locked = `sha512-${'A'.repeat(86)}==`;
  assert.throws(
    () => checkIntegrity(Buffer.from('other'), locked, 'usearch 1.0.0'),
    /^Error: usearch 1\.0\.0 has the digest sha512-/,
  );
});

it('this machine is a platform that is published, on the systems that run the tests', () => {
  assert.ok(
    PLATFORMS.some((machine) => getPlatformName(machine) === getPlatformName(thisMachine())),
  );
});
