/** The publication of the npm packages, to a registry of the test's own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { NpmRegistry } from '../../e2e/npm-registry.ts';
import { NAMES } from '../../scripts/release/names.ts';
import { orderPackages, publishPackages } from '../../scripts/release/publish-npm.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const PLATFORM = `${NAMES.npm}-linux-x64`;
const MODELS = '1.0.0-content.habc';

describe('publishing to npm', { skip: process.platform === 'win32' && 'runs on Linux' }, () => {
  let registry: NpmRegistry;
  let folder: string;
  let home: string;
  const userConfig = process.env.NPM_CONFIG_USERCONFIG;

  before(() => {
    home = temporaryFolder('locus-npm-home-');
    process.env.NPM_CONFIG_USERCONFIG = join(home, 'npmrc');
    process.env.NPM_CONFIG_CACHE = join(home, 'cache');
  });
  after(() => {
    delete process.env.NPM_CONFIG_CACHE;
    if (userConfig === undefined) delete process.env.NPM_CONFIG_USERCONFIG;
    else process.env.NPM_CONFIG_USERCONFIG = userConfig;
    removeFolder(home);
  });
  beforeEach(async () => {
    folder = temporaryFolder('locus-publish-');
    registry = new NpmRegistry();
    await registry.start();
    // npm sends nothing without a token; the registry does not read it.
    writeFiles(home, { npmrc: `${registry.url.replace('http:', '')}:_authToken=none\n` });
  });
  afterEach(async () => {
    await registry.close();
    removeFolder(folder);
  });

  /** Writes a package as npm packs it. Returns its path. */
  function pack(
    manifest: { name: string; version: string; [key: string]: unknown },
    text = '',
  ): string {
    const scratch = temporaryFolder();
    writeFiles(scratch, { 'package/package.json': JSON.stringify(manifest), 'package/a.js': text });
    const isPlatform = manifest.name === PLATFORM;
    const to = isPlatform ? join(folder, 'linux-x64') : folder;
    mkdirSync(to, { recursive: true });
    const path = join(to, `${manifest.name}-${manifest.version}.tgz`);
    execFileSync('tar', ['czf', path, '-C', scratch, 'package']);
    removeFolder(scratch);
    return path;
  }

  const packAll = (version: string, text = '') => [
    pack({ name: NAMES.npm, version, optionalDependencies: { [PLATFORM]: version } }, text),
    pack(
      {
        name: PLATFORM,
        version,
        dependencies: { [NAMES.npmModels]: MODELS, usearch: '1.0.0' },
        bundleDependencies: ['usearch'],
      },
      text,
    ),
    pack({ name: NAMES.npmModels, version: MODELS }, text),
  ];

  const publish = async () => {
    const lines: string[] = [];
    await publishPackages(folder, {
      registry: registry.url,
      report: (line) => lines.push(line),
    });
    return lines;
  };

  it('sends the models, then the platforms, then the main package', async () => {
    packAll('0.1.0');
    await publish();
    assert.deepEqual(registry.uploads, [
      `${NAMES.npmModels} ${MODELS} latest`,
      `${PLATFORM} 0.1.0 latest`,
      `${NAMES.npm} 0.1.0 latest`,
    ]);
  });

  it('continues where it stopped: versions that exist are skipped', async () => {
    const [main = ''] = packAll('0.1.0');
    await publish();
    registry.uploads.length = 0;
    assert.deepEqual(await publish(), [
      `${NAMES.npmModels} ${MODELS} is already published`,
      `${PLATFORM} 0.1.0 is already published`,
      `${NAMES.npm} 0.1.0 is already published`,
    ]);
    assert.deepEqual(registry.uploads, []);
    rmSync(main);
    rmSync(join(folder, 'linux-x64'), { recursive: true });
    packAll('0.1.1');
    await publish();
    assert.deepEqual(registry.uploads, [`${PLATFORM} 0.1.1 latest`, `${NAMES.npm} 0.1.1 latest`]);
  });

  it('gives a prerelease another tag than the one that people install', async () => {
    packAll('0.2.0-rc.1');
    await publish();
    assert.deepEqual(registry.uploads.slice(1), [
      `${PLATFORM} 0.2.0-rc.1 next`,
      `${NAMES.npm} 0.2.0-rc.1 next`,
    ]);
  });

  it('refuses a version that exists with other content, before it publishes anything', async () => {
    // The main package is the last one that is published.
    const [main = ''] = packAll('0.1.0');
    registry.publish(main);
    packAll('0.1.0', 'changed');
    await assert.rejects(publish(), /edit 0\.1\.0 is published with other content/);
    assert.deepEqual(registry.uploads, []);
  });

  it('takes the models for equal if their version is, in whatever compression', async () => {
    packAll('0.1.0');
    await publish();
    registry.uploads.length = 0;
    pack({ name: NAMES.npmModels, version: MODELS }, 'packed by another version of npm');
    assert.equal((await publish()).length, 3);
    assert.deepEqual(registry.uploads, []);
  });

  it('publishes nothing if a package of a platform is missing', async () => {
    const [, platform = ''] = packAll('0.1.0');
    rmSync(platform);
    await assert.rejects(publish(), new RegExp(`needs ${PLATFORM} 0\\.1\\.0`));
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    await assert.rejects(publish(), /has no package/);
    assert.deepEqual(registry.uploads, []);
  });

  it('reports a registry that fails', async () => {
    packAll('0.1.0');
    await registry.close();
    const failing = publish();
    registry = new NpmRegistry();
    await registry.start();
    await assert.rejects(failing);
  });
});

it('a package of another version than the one that is named is missing', () => {
  const packed = [
    { tarball: 'a', manifest: { name: 'a', version: '2.0.0', dependencies: { b: '2.0.0' } } },
    { tarball: 'b', manifest: { name: 'b', version: '1.0.0' } },
  ];
  assert.throws(() => orderPackages(packed), /a needs b 2\.0\.0, which is not in the folder/);
});
