/** Contents of the manifests of package managers: the project's description and the digests of the artifacts. */
import { NAMES } from '../names.ts';

export interface Release {
  version: string;
  /** One sentence without a period, for managers that want a short one. */
  summary: string;
  description: string;
  license: string;
  /** SHA-256 digests in hexadecimal, by file name. */
  digests: ReadonlyMap<string, string>;
}

/** Texts of a manager's files, by path relative to its folder. */
export type ManifestFiles = Record<string, string>;

/** Author of the packages, as electron-builder.yml has it. */
export const AUTHOR = 'Locus contributors';
export const PRODUCT = 'Locus';

/** Says that a manifest cannot be made, because an artifact is missing. */
export class MissingArtifactError extends Error {}

export interface PublishedArtifact {
  /** File name, the last part of the address. */
  name: string;
  url: string;
  sha256: string;
}

/**
 * Returns a file of the desktop app on the release page. `artifactName` in electron-builder.yml makes its name.
 *
 * @param ending such as `win-x64.exe`.
 * @throws MissingArtifactError if it was not made
 */
export function getDesktopFile(release: Release, ending: string): PublishedArtifact {
  const name = `${NAMES.npm}-${release.version}-${ending}`;
  const url = `${NAMES.repository}/releases/download/v${release.version}/${name}`;
  return { name, url, sha256: getDigest(release, name) };
}

/**
 * Returns the tarball of an npm package as the registry has it. The release publishes the file itself, so its digest is the same there.
 * @throws MissingArtifactError if it was not made
 */
export function getTarball(release: Release, name: string): PublishedArtifact {
  return getRegistryFile(release, name, `${name}-${release.version}.tgz`);
}

/**
 * Returns the tarball of the models, which have a version of their own.
 * @throws MissingArtifactError if it was not made
 */
export function getModelsTarball(release: Release): PublishedArtifact {
  const file = [...release.digests.keys()].find(
    (name) => name.startsWith(`${NAMES.npmModels}-`) && name.endsWith('.tgz'),
  );
  return getRegistryFile(release, NAMES.npmModels, file ?? `${NAMES.npmModels}-<version>.tgz`);
}

function getRegistryFile(release: Release, name: string, file: string): PublishedArtifact {
  const url = `https://registry.npmjs.org/${name}/-/${file}`;
  return { name: file, url, sha256: getDigest(release, file) };
}

function getDigest({ digests }: Release, name: string): string {
  const digest = digests.get(name);
  if (digest !== undefined) return digest;
  throw new MissingArtifactError(`${name} was not made here.`);
}
