/** The artifacts of a release: those that this machine can make, and the reasons for the others. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeMcpBundles } from './mcp-bundle.ts';
import { locatePackage } from './npm/locate.ts';
import { partsFor } from './npm/parts.ts';
import { getPlatformName, type Machine, PLATFORMS, thisMachine } from './npm/platforms.ts';
import { writePackages } from './pack.ts';
import { CHECKSUMS, listArtifacts, writeChecksums, writeManifests } from './release/manifests.ts';

const ELECTRON =
  'npm run package makes them. It downloads Electron and the tools of electron-builder.';

/** Artifacts that one machine without accounts cannot make, with the reason. */
const ELSEWHERE: readonly (readonly [artifact: string, reason: string])[] = [
  ['AppImage, deb, rpm', `${ELECTRON} For rpm, it needs rpmbuild.`],
  ['universal dmg', `${ELECTRON} It needs macOS.`],
  ['NSIS installer, portable zip', `${ELECTRON} They need Windows.`],
  ['signatures and notarization', 'They need certificates.'],
  ['provenance and Sigstore attestations', 'They need the identity of a hosted runner.'],
  ['Docker image', 'node scripts/release/image.ts build makes it. It downloads the base image.'],
];

export interface ReleasedArtifacts {
  /** Paths relative to the folder of the release, with a remark or null. */
  made: [path: string, remark: string | null][];
  missing: (readonly [artifact: string, reason: string])[];
  /** Path of the bundle of the MCP server for this system; null if it was not made. */
  bundle: string | null;
}

/** Makes the artifacts in a folder. The pages must be built. */
export async function makeArtifacts(root: string, folder: string): Promise<ReleasedArtifacts> {
  const missing = [...ELSEWHERE];
  const machines = PLATFORMS.filter((machine) => {
    const reason = findMissingPart(root, machine);
    if (reason !== null) missing.push([`npm package for ${getPlatformName(machine)}`, reason]);
    return reason === null;
  });
  const { staged } = await writePackages(join(folder, 'npm'), machines);
  const bundles = writeMcpBundles(root, folder, staged, readManifest(root));
  for (const system of new Set(PLATFORMS.map(({ platform }) => platform)))
    if (!bundles.has(system))
      missing.push([`.mcpb bundle for ${system}`, 'One of its npm packages was not made.']);
  rmSync(join(staged.main, '../..'), { recursive: true });
  execFileSync(process.execPath, [join(root, 'scripts/vscode.ts'), folder], { stdio: 'ignore' });
  writeBillsOfMaterials(root, folder);
  writeFileSync(join(folder, 'release-notes.md'), readNotes(root));
  missing.push(...writeManifests(folder));
  writeChecksums(folder);
  const own = thisMachine();
  const bundle = bundles.get(own.platform) ?? null;
  const made = [...listArtifacts(folder), CHECKSUMS].map((path): [string, string | null] => {
    const [first, platform] = path.split('/');
    const isForeign =
      first === 'npm'
        ? platform !== getPlatformName(own) && !platform?.endsWith('.tgz')
        : path.endsWith('.mcpb') && path !== basename(bundle ?? '');
    return [path, isForeign ? 'read, not run: another platform' : null];
  });
  return { made, missing, bundle };
}

function readManifest(root: string) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/** Returns the reason why the package for a platform cannot be made; null if it can. */
function findMissingPart(root: string, machine: Machine): string | null {
  try {
    for (const [name, { pinned }] of Object.entries(partsFor(machine, [])))
      locatePackage(root, name, pinned);
    return null;
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n');
    return `A native dependency cannot be downloaded. ${line}`;
  }
}

/** Writes lists of all packages that Locus contains, in both common formats. */
function writeBillsOfMaterials(root: string, folder: string): void {
  for (const format of ['spdx', 'cyclonedx']) {
    const text = execFileSync('npm', ['sbom', '--omit=dev', `--sbom-format=${format}`], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e8,
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `sbom.${format}.json`), text);
  }
}

/** Returns the newest section of the changelog. */
function readNotes(root: string): string {
  const [, newest = ''] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m);
  return newest;
}
