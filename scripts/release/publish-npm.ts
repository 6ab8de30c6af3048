/**
 * `node scripts/release/publish-npm.ts <folder> [--provenance]`: publishes the npm packages in a folder that `npm run release` wrote. A
 * package is published after those that it names, so whoever installs it finds them. Versions that exist are skipped, so a publication
 * that stopped half-way can be repeated. Imports no package, as it runs with the right to publish.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { NAMES } from './names.ts';

const REGISTRY = 'https://registry.npmjs.org/';
const TIMEOUT_MS = 60_000;

interface PackageManifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  bundleDependencies?: string[];
}

/** Answer of the registry about a package. */
interface PublishedPackage {
  versions?: Record<string, { dist: { integrity: string } }>;
}

/** A package file with its manifest. */
export interface PackedPackage {
  tarball: string;
  manifest: PackageManifest;
}

export interface PublishOptions {
  registry?: string;
  /** More arguments of `npm publish`. */
  options?: readonly string[];
  report?(line: string): void;
}

/**
 * Publishes the packages in a folder, or in folders in it.
 * @throws Error if a named package is missing, if a version exists with other content, or if npm fails
 */
export async function publishPackages(
  folder: string,
  { registry = REGISTRY, options = [], report = console.log }: PublishOptions = {},
): Promise<void> {
  const paths = globSync(['*.tgz', '*/*.tgz'], { cwd: folder }).sort();
  const packed = await Promise.all(paths.map((path) => readPackage(join(folder, path))));
  if (packed.length === 0) throw new Error(`${folder} has no package. Run npm run release.`);
  const missing: PackedPackage[] = [];
  // A published version cannot be changed, so every package is compared before the first upload.
  for (const one of orderPackages(packed)) {
    const { name, version } = one.manifest;
    if (await isPublished(one, registry)) report(`${name} ${version} is already published`);
    else missing.push(one);
  }
  for (const { tarball, manifest } of missing) {
    const tag = ['--tag', chooseTag(manifest), '--access', 'public'];
    await run('npm', ['publish', tarball, '--registry', registry, ...tag, ...options]);
    report(`${manifest.name} ${manifest.version} published`);
  }
}

/**
 * Returns the packages, each after those that it names.
 * @throws Error that names a package that is missing, or that has another version than the one that is named
 */
export function orderPackages(packed: readonly PackedPackage[]): PackedPackage[] {
  const byName = new Map(packed.map((one) => [one.manifest.name, one]));
  const ordered = new Set<PackedPackage>();
  const add = (one: PackedPackage) => {
    if (ordered.has(one)) return;
    const { name, dependencies, optionalDependencies, bundleDependencies = [] } = one.manifest;
    for (const [needed, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      if (bundleDependencies.includes(needed)) continue;
      const found = byName.get(needed);
      if (found?.manifest.version !== version)
        throw new Error(`${name} needs ${needed} ${version}, which is not in the folder.`);
      add(found);
    }
    ordered.add(one);
  };
  for (const one of packed) add(one);
  return [...ordered];
}

/** Returns the tag under which npm finds a version. The version of the models looks like a prerelease, but is a release. */
function chooseTag({ name, version }: PackageManifest): string {
  return version.includes('-') && name !== NAMES.npmModels ? 'next' : 'latest';
}

/** Returns true if the registry has the version. @throws Error if its content differs */
async function isPublished(
  { tarball, manifest }: PackedPackage,
  registry: string,
): Promise<boolean> {
  const { name, version } = manifest;
  const response = await fetch(new URL(name, registry), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 404) return false;
  if (!response.ok)
    throw new Error(`${registry} answered ${response.status} for ${name}. Run the job again.`);
  const { versions = {} } = (await response.json()) as PublishedPackage;
  const found = versions[version];
  if (found === undefined) return false;
  // The version of the models is a digest of their files. Only the compression may differ.
  if (name === NAMES.npmModels) return true;
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (found.dist.integrity === `sha512-${digest}`) return true;
  throw new Error(
    `${name} ${version} is published with other content. Run the failed jobs again, which keep their files, or release a new version.`,
  );
}

async function readPackage(tarball: string): Promise<PackedPackage> {
  const text = await run('tar', ['xzOf', tarball, 'package/package.json']);
  return { tarball, manifest: JSON.parse(text) };
}

async function run(program: string, args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(program, args, { maxBuffer: 1e8 })).stdout;
}

if (import.meta.filename === process.argv[1]) {
  const { values, positionals } = parseArgs({
    options: { provenance: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  await publishPackages(positionals[0] ?? '', {
    options: values.provenance ? ['--provenance'] : [],
  }).catch((error: Error) => {
    console.error(`release: ${error.message}`);
    process.exitCode = 1;
  });
}
