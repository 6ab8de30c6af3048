/**
 * Writes the manifests of package managers and the checksums of a release. `node scripts/release/manifests.ts <folder>` does it for a
 * folder that has artifacts from several machines.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { createArchPackage } from './manifests/aur.ts';
import { createFormula } from './manifests/homebrew.ts';
import { createRegistryEntry } from './manifests/mcp-registry.ts';
import { type ManifestFiles, MissingArtifactError, type Release } from './manifests/release.ts';
import { createScoopManifest } from './manifests/scoop.ts';
import { createWingetManifests } from './manifests/winget.ts';

const ROOT = join(import.meta.dirname, '../..');
export const CHECKSUMS = 'SHA256SUMS';

/** Generators by folder. */
const MANAGERS: Record<string, (release: Release) => ManifestFiles> = {
  homebrew: createFormula,
  winget: createWingetManifests,
  scoop: createScoopManifest,
  aur: createArchPackage,
  'mcp-registry': createRegistryEntry,
};

/**
 * Writes the manifests to the folder `manifests` of a release. Those with a missing artifact are not written.
 * @returns the reasons, by manager
 */
export function writeManifests(
  folder: string,
  release: Release = readRelease(folder),
): [manager: string, reason: string][] {
  rmSync(join(folder, 'manifests'), { recursive: true, force: true });
  return Object.entries(MANAGERS).flatMap(([manager, create]): [string, string][] => {
    try {
      for (const [name, text] of Object.entries(create(release)))
        writeText(join(folder, 'manifests', manager, name), text);
      return [];
    } catch (error) {
      if (!(error instanceof MissingArtifactError)) throw error;
      return [[`manifest for ${manager}`, error.message]];
    }
  });
}

/** Returns the description of the project, with the digests of the artifacts in a folder. */
function readRelease(folder: string): Release {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { version, description, license } = manifest;
  const [summary = ''] = description.split(/\.(?:\s|$)/);
  return { version, summary, description, license, digests: digestArtifacts(folder) };
}

/** Writes the digests of all files below a folder, by file name, as the release page has no folders. */
export function writeChecksums(folder: string): void {
  const lines = Array.from(digestArtifacts(folder), ([name, digest]) => `${digest}  ${name}\n`);
  writeFileSync(join(folder, CHECKSUMS), lines.sort(compareNames).join(''));
}

const compareNames = (a: string, b: string) => (a.slice(64) < b.slice(64) ? -1 : 1);

/** Returns the paths of all files below a folder but its checksums, relative to it. */
export function listArtifacts(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== CHECKSUMS)
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

/** @throws Error if two files have the same name */
function digestArtifacts(folder: string): Map<string, string> {
  const digests = new Map<string, string>();
  for (const path of listArtifacts(folder)) {
    const name = basename(path);
    if (digests.has(name)) throw new Error(`Two artifacts have the name ${name}.`);
    const bytes = readFileSync(join(folder, path));
    digests.set(name, createHash('sha256').update(bytes).digest('hex'));
  }
  return digests;
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (import.meta.filename === process.argv[1]) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'dist/release'));
  for (const [manifest, reason] of writeManifests(folder))
    console.log(`Not written: ${manifest}. ${reason}`);
  writeChecksums(folder);
}
