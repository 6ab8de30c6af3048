/** Installation with each package manager, from a registry of the test's own. `npm-update.spec.ts` has updates. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ensureProgram } from '../scripts/debian.ts';
import { getPlatformName, thisMachine } from '../scripts/npm/platforms.ts';
import { getPlatformPackage, NAMES } from '../scripts/release/names.ts';
import { removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { ensurePackage } from './nodes.ts';
import { NpmRegistry } from './npm-registry.ts';
import { ensurePackages } from './shared-packages.ts';

interface PackageManager {
  /** Returns the path of the program. */
  find: () => string;
  /** Folder of commands, in the home folder. */
  bin: string;
  add: string[];
  remove: string[];
  /** Arguments that run a command of a package without installing it. */
  execute: string[];
  skip?: string | false;
}

const BUN = '@oven/bun-linux-x64';
const MANAGERS: Record<string, PackageManager> = {
  npm: {
    find: () => ensureProgram('npm'),
    bin: 'npm/bin',
    add: ['install', '-g'],
    remove: ['uninstall', '-g'],
    execute: ['exec', '--yes', '--'],
  },
  pnpm: {
    find: () => ensurePackage('pnpm-12.21.0', 'pnpm@12.21.0', '.bin/pnpm'),
    bin: 'pnpm/bin',
    add: ['add', '-g'],
    remove: ['remove', '-g'],
    execute: ['dlx'],
  },
  bun: {
    find: () => ensurePackage('bun-1.4.5', `${BUN}@1.4.5`, `${BUN}/bin/bun`),
    bin: 'bun/bin',
    add: ['add', '-g'],
    remove: ['remove', '-g'],
    execute: ['x'],
    skip: getPlatformName(thisMachine()) !== 'linux-x64' && 'the test has its build for Linux',
  },
};
/** Folders in which package managers keep what they downloaded. */
const CACHES = ['store', 'cache', '.cache', '.npm'];

describe('package managers', { skip: process.platform === 'win32' && 'paths differ' }, () => {
  const registry = new NpmRegistry();
  let folder: string;
  let expected: string[];

  before(async () => {
    folder = temporaryFolder('locus-managers-');
    const { main, models, platforms, staged } = await ensurePackages();
    await registry.start();
    for (const tarball of [main, models, ...platforms.values()]) registry.publish(tarball);
    const read = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const platform = read(staged.platforms.values().next().value ?? '');
    // Bun asks for bundled packages too.
    for (const name of platform.bundleDependencies)
      registry.describe(name, platform.dependencies[name]);
    const { version } = platform;
    expected = [
      `${NAMES.npm} ${version}`,
      `${getPlatformPackage(getPlatformName(thisMachine()))} ${version}`,
      `${NAMES.npmModels} ${read(staged.models).version}`,
    ].sort();
  });
  after(async () => {
    await registry.close();
    removeFolder(folder);
  });

  for (const [name, { find, bin, add, remove, execute, skip = false }] of Object.entries(MANAGERS))
    it(`${name} installs three packages, runs both commands, and removes all`, {
      skip,
    }, async () => {
      const manager = find();
      const home = join(folder, name);
      mkdirSync(join(home, bin), { recursive: true });
      const prefix = `prefix=${join(home, 'npm')}`;
      writeFileSync(join(home, '.npmrc'), `registry=${registry.url}\n${prefix}\n`);
      const env = {
        HOME: home,
        PATH: [join(home, bin), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
        PNPM_HOME: join(home, 'pnpm'),
        BUN_INSTALL: join(home, 'bun'),
        LOCUS_DATA_DIR: join(folder, 'data', name),
        CI: 'true',
      };
      const run = async (program: string, ...args: string[]) =>
        (await promisify(execFile)(program, args, { env, cwd: home })).stdout;
      registry.downloads.length = 0;

      await run(manager, ...add, NAMES.npm);
      assert.deepEqual(registry.downloads.toSorted(), expected);
      const version = `${expected[0]?.split(' ')[1]}\n`;
      for (const command of [NAMES.command, NAMES.alias])
        assert.equal(await run(join(home, bin, command), '--version'), version);
      const demo = await run(join(home, bin, NAMES.command), 'demo', '--json', '--no-daemon');
      assert.equal(JSON.parse(demo).rank, 1);

      await run(manager, ...remove, NAMES.npm);
      const isCache = (path: string) => CACHES.some((part) => path.split('/').includes(part));
      assert.deepEqual(globSync('**/*locus*', { cwd: home, exclude: isCache }), []);
      assert.ok((await run(manager, ...execute, NAMES.alias, '--version')).endsWith(version));
    });
});
