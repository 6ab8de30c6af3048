/** The package.json files of the npm packages. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getPlatformPackage, NAMES } from '../release/names.ts';
import { OLDEST_NODE } from '../release/oldest-node.ts';
import type { CopiedPart } from './parts.ts';
import { getPlatformName, type Machine, PLATFORMS } from './platforms.ts';

/** The fields of the project's package.json that the packages repeat. */
export interface ProjectManifest {
  name: string;
  version: string;
  description: string;
  license: string;
  main: string;
}

/** Node versions of the packages; the checkout needs a newer one. */
export const ENGINES = { node: `>=${OLDEST_NODE}` };
const PUBLISHER = {
  homepage: NAMES.homepage,
  repository: { type: 'git', url: `git+${NAMES.repository}.git` },
};

/** Returns the manifest of the package that people install. npm installs the package of their platform with it. */
export function createMainManifest({ version, description, license }: ProjectManifest) {
  const platforms = PLATFORMS.map((machine) => getPlatformPackage(getPlatformName(machine)));
  return {
    name: NAMES.npm,
    version,
    description,
    license,
    ...PUBLISHER,
    type: 'module',
    bin: { [NAMES.command]: 'bin/locus.js', [NAMES.alias]: 'bin/locus.js' },
    man: ['man/locus.1'],
    engines: ENGINES,
    optionalDependencies: Object.fromEntries(platforms.map((name) => [name, version])),
    // Proves to the MCP Registry that the entry of this name may refer to the package.
    mcpName: NAMES.mcpServer,
  };
}

/** Returns the manifest of a platform's package, which has the code and everything native. npm refuses it on another platform. */
export function createPlatformManifest(
  { version, description, license, main }: ProjectManifest,
  machine: Machine,
  copied: ReadonlyMap<string, CopiedPart>,
  modelsVersion: string,
) {
  const { platform, arch, musl } = machine;
  const name = getPlatformName(machine);
  const native = Array.from(copied, ([part, { version: own }]) => [part, own] as const);
  return {
    name: getPlatformPackage(name),
    version,
    description: `${description} The part for ${name}; install ${NAMES.npm} instead.`,
    license,
    ...PUBLISHER,
    type: 'module',
    main,
    engines: ENGINES,
    os: [platform],
    cpu: [arch],
    ...(platform === 'linux' && { libc: [musl ? 'musl' : 'glibc'] }),
    dependencies: { ...Object.fromEntries(native), [NAMES.npmModels]: modelsVersion },
    bundleDependencies: [...copied.keys()],
  };
}

/**
 * Returns the manifest of the package of the models. Its version is made from their content, so an update of Locus with the same models
 * does not download them again.
 */
export function createModelsManifest(folder: string, license: string) {
  return {
    name: NAMES.npmModels,
    version: `1.0.0-content.${digestFiles(folder)}`,
    description: `The models of ${NAMES.npm}, which installs them.`,
    license,
    ...PUBLISHER,
  };
}

/** Returns the start of a digest of all files of a folder, with their paths. It begins with a letter, as semver forbids a leading zero. */
function digestFiles(folder: string): string {
  const digest = createHash('sha256');
  const paths = globSync('**/*', { cwd: folder }).map((path) => path.replaceAll('\\', '/'));
  for (const path of paths.sort()) {
    const file = join(folder, path);
    if (!statSync(file).isFile() || path === 'package.json') continue;
    const bytes = readFileSync(file);
    digest.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return `h${digest.digest('hex').slice(0, 12)}`;
}
