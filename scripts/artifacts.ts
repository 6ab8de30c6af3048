/** The artifacts of a release: those that this machine can make, and the reasons for the others. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locatePackage } from './npm/locate.ts';
import { partsFor } from './npm/parts.ts';
import { getPlatformName, type Machine, PLATFORMS, thisMachine } from './npm/platforms.ts';
import { writePackages } from './pack.ts';

const ELECTRON =
  'npm run package makes them. It downloads Electron and the tools of electron-builder.';

/** Artifacts that one machine without accounts cannot make, with the reason. */
const ELSEWHERE: readonly (readonly [artifact: string, reason: string])[] = [
  ['AppImage, deb', ELECTRON],
  ['dmg', `${ELECTRON} It needs macOS.`],
  ['NSIS installer', `${ELECTRON} It needs Windows.`],
  ['rpm, universal dmg, portable zip', 'electron-builder.yml has no such target yet.'],
  ['signatures and notarization', 'They need certificates.'],
  ['provenance and Sigstore attestations', 'They need the identity of a hosted runner.'],
  ['Docker image', 'node scripts/release/image.ts build makes it. It downloads the base image.'],
  ['Homebrew, winget, Scoop, AUR manifests', 'Nothing generates them yet.'],
  ['server.json, .mcpb bundle', 'Nothing generates them yet.'],
];

export interface ReleasedArtifacts {
  /** Paths relative to the folder of the release, with a remark or null. */
  made: [path: string, remark: string | null][];
  missing: (readonly [artifact: string, reason: string])[];
}

/** Makes the artifacts in a folder. The pages must be built. */
export async function makeArtifacts(root: string, folder: string): Promise<ReleasedArtifacts> {
  const missing = [...ELSEWHERE];
  const machines = PLATFORMS.filter((machine) => {
    const reason = findMissingPart(root, machine);
    if (reason !== null) missing.push([`npm package for ${getPlatformName(machine)}`, reason]);
    return reason === null;
  });
  await writePackages(join(folder, 'npm'), machines);
  execFileSync(process.execPath, [join(root, 'scripts/vscode.ts'), folder], { stdio: 'ignore' });
  writeBillsOfMaterials(root, folder);
  writeFileSync(join(folder, 'release-notes.md'), readNotes(root));
  writeChecksums(folder);
  const own = getPlatformName(thisMachine());
  const paths = listArtifacts(folder).map((path): [string, string | null] => {
    const [first, platform] = path.split('/');
    const isRead = first === 'npm' && platform !== own && !platform?.endsWith('.tgz');
    return [path, isRead ? 'read, not run: another platform' : null];
  });
  return { made: paths, missing };
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

function writeChecksums(folder: string): void {
  const lines = listArtifacts(folder).map((path) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex');
    return `${digest}  ${path}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

/** Returns the paths of all artifacts, relative to the folder. */
function listArtifacts(folder: string): string[] {
  const paths = globSync(['*.*', 'SHA256SUMS', 'npm/*.tgz', 'npm/*/*.tgz'], { cwd: folder });
  return paths.map((path) => path.replaceAll('\\', '/')).sort();
}
