/** The rehearsal of a release, with the packages of this machine. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeMcpBundles } from '../scripts/mcp-bundle.ts';
import { getPlatformName, PLATFORMS, thisMachine } from '../scripts/npm/platforms.ts';
import { type WrittenPackages, writePackages } from '../scripts/pack.ts';
import { rehearse } from '../scripts/rehearsal/rehearsal.ts';
import { findMissingLicenses } from '../scripts/release/licenses.ts';
import { listArtifacts, writeManifests } from '../scripts/release/manifests.ts';
import { removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { copyTarballs, ensurePackages } from './shared-packages.ts';

describe('the rehearsal of a release', {
  skip: process.platform !== 'linux' && 'paths differ',
}, () => {
  let folder: string;
  let packages: WrittenPackages;
  before(async () => {
    folder = temporaryFolder('locus-release-');
    packages = copyTarballs(await ensurePackages(), join(folder, 'npm'));
  });
  after(() => removeFolder(folder));

  it('gives the same bytes each time, so that anyone can compare a package with their own', async () => {
    const again = await writePackages(join(folder, 'again'));
    const digest = ({ main, models, platforms }: WrittenPackages) =>
      [main, models, ...platforms.values()].map((path) =>
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      );
    assert.deepEqual(digest(again), digest(packages));
    removeFolder(join(folder, 'again'));
  });

  it('starts the bundle of the MCP server, and installs, uses and removes the packages', async () => {
    // This machine's package stands for those of other processors. The bundles of other systems are packed the same way.
    const [own = ''] = packages.staged.platforms.values();
    const machines = PLATFORMS.filter(({ platform }) => platform === process.platform);
    const platforms = new Map(machines.map((machine) => [getPlatformName(machine), own]));
    const project = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
    const bundles = writeMcpBundles(
      join(import.meta.dirname, '..'),
      folder,
      { ...packages.staged, platforms },
      project,
    );
    const { where, steps } = await rehearse(join(folder, 'npm'), bundles.get('linux'));
    const failed = steps.filter(({ problem }) => problem !== null);
    assert.deepEqual(failed, [], where);
    assert.equal(steps.length, 9);
  });

  it('has the license and the notices in every archive', () => {
    const script = join(import.meta.dirname, '../scripts/vscode.ts');
    execFileSync(process.execPath, [script, folder], { stdio: 'ignore' });
    const paths = listArtifacts(folder);
    for (const ending of ['.mcpb', '.vsix', '.tgz'])
      assert.ok(
        paths.some((path) => path.endsWith(ending)),
        ending,
      );
    assert.deepEqual(findMissingLicenses(folder), []);
  });

  it('installs the packages as the AUR does', () => {
    const release = join(folder, 'aur');
    const [sources, target] = [join(release, 'src'), join(folder, 'aur-target')];
    mkdirSync(sources, { recursive: true });
    for (const path of [packages.main, packages.models, ...packages.platforms.values()])
      copyFileSync(path, join(sources, basename(path)));
    // The manifest needs the digests of both processors.
    const own = getPlatformName(thisMachine());
    const other = own === 'linux-arm64' ? 'linux-x64' : 'linux-arm64';
    const [path = ''] = packages.platforms.values();
    writeFileSync(join(release, basename(path).replace(own, other)), '');
    writeManifests(release);
    const script = 'source "$1"; srcdir=$2 pkgdir=$3; package';
    const manifest = join(release, 'manifests/aur/PKGBUILD');
    execFileSync('bash', ['-euc', script, 'bash', manifest, sources, target], { stdio: 'pipe' });
    for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES.txt'])
      assert.ok(existsSync(join(target, 'usr/share/licenses/locus-edit', name)), name);
    const env = { PATH: process.env.PATH, LOCUS_DATA_DIR: join(folder, 'data') };
    const locus = join(target, 'usr/bin/locus');
    const printed = execFileSync(locus, ['demo', '--json', '--no-daemon'], { env });
    assert.equal(JSON.parse(String(printed)).rank, 1);
  });

  it('fails at the first step if a package is missing', async () => {
    removeFolder(packages.models);
    const { steps } = await rehearse(join(folder, 'npm'));
    assert.equal(steps.length, 1);
    assert.match(steps[0]?.problem ?? '', /locus-edit-models/);
  });
});
