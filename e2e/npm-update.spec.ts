/** Installation from a registry and updates, against a registry of the test's own. */

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ensureProgram } from '../scripts/debian.ts';
import { getPlatformName, thisMachine } from '../scripts/npm/platforms.ts';
import type { WrittenPackages } from '../scripts/pack.ts';
import { getPlatformPackage, NAMES } from '../scripts/release/names.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../test/support/repository.ts';
import { NpmRegistry } from './npm-registry.ts';
import { ensurePackages } from './shared-packages.ts';

const PLATFORM_PACKAGE = getPlatformPackage(getPlatformName(thisMachine()));
const NEXT = '0.1.1';

describe('npm with a registry', { skip: process.platform === 'win32' && 'paths differ' }, () => {
  const registry = new NpmRegistry();
  let folder: string;
  let packages: WrittenPackages;
  let models: string;

  before(async () => {
    folder = temporaryFolder('locus-registry-');
    packages = await ensurePackages();
    models = JSON.parse(readFileSync(join(packages.staged.models, 'package.json'), 'utf8')).version;
    // Somebody else has a package with the name of the command, and a later version than any of Locus.
    writeFiles(join(folder, 'stranger'), {
      'package.json': '{ "name": "locus", "version": "99.0.0", "bin": { "locus": "locus.js" } }',
      'locus.js': "#!/usr/bin/env node\nconsole.log('stranger');\n",
    });
    await registry.start();
    registry.publish(pack(join(folder, 'stranger')));
  });
  after(async () => {
    await registry.close();
    removeFolder(folder);
  });

  /** Packs a folder. Returns the path of the tarball. */
  function pack(staged: string): string {
    const options = ['--json', '--pack-destination', folder];
    const printed = execFileSync(ensureProgram('npm'), ['pack', staged, ...options], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return join(folder, JSON.parse(printed)[0].filename);
  }

  /** Runs npm for global packages of a prefix. The registry answers in this process, so it must not block. */
  const npm = async (prefix: string, ...args: string[]) => {
    const options = ['--prefix', join(folder, prefix), '--registry', registry.url, '--no-audit'];
    const cache = `--cache=${join(folder, 'cache')}`;
    await promisify(execFile)(
      ensureProgram('npm'),
      [...args, '-g', ...options, cache, '--no-fund'],
      {
        cwd: folder,
      },
    );
  };

  const locus = (prefix: string, ...args: string[]) =>
    spawnSync(join(folder, prefix, 'bin/locus'), args, { encoding: 'utf8' }).stdout;

  /** Returns versions of installed packages by name. */
  const installed = (prefix: string) =>
    Object.fromEntries(
      globSync(`lib/**/node_modules/${NAMES.npm}*/package.json`, { cwd: join(folder, prefix) })
        .map((path) => JSON.parse(readFileSync(join(folder, prefix, path), 'utf8')))
        .map(({ name, version }) => [name, version]),
    );

  it('npm update leaves an installation from files alone: the stranger’s package has another name', async () => {
    const { main, models: modelsTarball, platforms } = packages;
    await npm('files', 'install', main, modelsTarball, ...platforms.values());
    const version = locus('files', '--version');
    assert.match(version, /^\d+\.\d+\.\d+\n$/);
    // Nothing of Locus is in the registry yet, so npm may fail.
    await npm('files', 'update').catch(() => {});
    assert.equal(locus('files', '--version'), version);
    assert.deepEqual(registry.downloads, []);
  });

  it('npm install brings the packages of this platform alone', async () => {
    const { main, models: modelsTarball, platforms } = packages;
    for (const tarball of [main, modelsTarball, ...platforms.values()]) registry.publish(tarball);
    await npm('registry', 'install', NAMES.npm);
    const version = locus('registry', '--version').trim();
    const expected = {
      [NAMES.npm]: version,
      [NAMES.npmModels]: models,
      [PLATFORM_PACKAGE]: version,
    };
    assert.deepEqual(installed('registry'), expected);
    assert.match(locus('registry', 'models'), /bag-1.*coret-1/s);
    await npm('registry', 'update');
    assert.deepEqual(installed('registry'), expected);
    assert.ok(!registry.downloads.includes('locus 99.0.0'));
  });

  it('npm update brings a new version without downloading the models again', async () => {
    const { main, platforms } = packages.staged;
    for (const staged of [main, ...platforms.values()]) publishNext(staged);
    registry.downloads.length = 0;
    await npm('registry', 'update');
    assert.deepEqual(installed('registry'), {
      [NAMES.npm]: NEXT,
      [NAMES.npmModels]: models,
      [PLATFORM_PACKAGE]: NEXT,
    });
    assert.deepEqual(registry.downloads.sort(), [
      `${NAMES.npm} ${NEXT}`,
      `${PLATFORM_PACKAGE} ${NEXT}`,
    ]);
    assert.match(locus('registry', 'models'), /bag-1.*coret-1/s);
  });

  it('npm uninstall leaves nothing', async () => {
    await npm('registry', 'uninstall', NAMES.npm);
    const left = globSync('**/*', { cwd: join(folder, 'registry'), withFileTypes: true });
    assert.deepEqual(
      left.filter((entry) => !entry.isDirectory()),
      [],
    );
  });

  /** Publishes a staged package under the next version. */
  function publishNext(staged: string): void {
    const copy = join(folder, 'next', staged.slice(-20));
    cpSync(staged, copy, { recursive: true });
    const manifest = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8'));
    const { optionalDependencies } = manifest;
    const next = {
      ...manifest,
      version: NEXT,
      ...(optionalDependencies && {
        optionalDependencies: Object.fromEntries(
          Object.keys(optionalDependencies).map((name) => [name, NEXT]),
        ),
      }),
    };
    writeFileSync(join(copy, 'package.json'), JSON.stringify(next));
    registry.publish(pack(copy));
  }
});
