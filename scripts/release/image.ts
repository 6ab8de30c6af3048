/**
 * `node scripts/release/image.ts build|check|push|join`: the Docker image. `build` makes it for this machine from the packages in
 * dist/release/npm, `check` uses it, `push` sends it to the registry, `join` gives the images of all machines one name, which it prints
 * with the digest. Imports no package, as it runs with the right to publish.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAMES } from './names.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Processors that have an image, as `process.arch`. */
export const IMAGE_PROCESSORS = ['x64', 'arm64'] as const;

/** Options that deny what Locus does not need. The demo runs without a network, privileges, and a root that can be written. */
const CONFINED = [
  ['--rm', '--init', '--network', 'none', '--read-only', '--tmpfs', '/tmp'],
  ['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
].flat();

/** Runs Docker. Returns its output. */
export type RunDocker = (args: readonly string[]) => string;

export interface ImageBuild {
  version: string;
  /** Commit, for a label. */
  revision: string;
  /** As `process.arch`. */
  processor: string;
}

export const IMAGE_STEPS = {
  build: ({ version, revision, processor }, docker) => {
    const labels = {
      title: 'Locus',
      source: NAMES.repository,
      licenses: 'MIT',
      version,
      revision,
    };
    const named = Object.entries(labels).flatMap(([key, value]) => [
      '--label',
      `org.opencontainers.image.${key}=${value}`,
    ]);
    const tag = ['--tag', tagFor(version, processor)];
    // The workflow attests the image, so Docker does not.
    const options = ['--load', '--provenance=false', '--file', join(ROOT, 'Dockerfile')];
    docker(['buildx', 'build', ...options, ...tag, ...named, PACKAGES]);
  },
  check: ({ version, processor }, docker) => {
    const image = tagFor(version, processor);
    const { rank } = JSON.parse(
      docker(['run', ...CONFINED, image, 'demo', '--json', '--no-daemon']),
    );
    if (rank !== 1) throw new Error(`The demo in ${image} ranks the answer ${rank}.`);
  },
  push: ({ version, processor }, docker) => {
    docker(['push', tagFor(version, processor)]);
  },
  join: ({ version }, docker) => {
    const image = `${NAMES.dockerImage}:${version}`;
    const isPrerelease = version.includes('-');
    const tags = [image, ...(isPrerelease ? [] : [`${NAMES.dockerImage}:latest`])];
    const named = tags.flatMap((tag) => ['--tag', tag]);
    const images = IMAGE_PROCESSORS.map((processor) => tagFor(version, processor));
    docker(['buildx', 'imagetools', 'create', ...named, ...images]);
    const inspect = ['buildx', 'imagetools', 'inspect', image, '--format', '{{json .Manifest}}'];
    const { digest } = JSON.parse(docker(inspect));
    console.log(`name=${NAMES.dockerImage}\ndigest=${digest}`);
  },
} satisfies Record<string, (build: ImageBuild, docker: RunDocker) => void>;

const PACKAGES = join(ROOT, 'dist/release/npm');

const tagFor = (version: string, processor: string) =>
  `${NAMES.dockerImage}:${version}-${processor}`;

if (import.meta.filename === process.argv[1]) {
  const [step = ''] = process.argv.slice(2);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  const run: RunDocker = (args) =>
    execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const steps: Record<string, (build: ImageBuild, docker: RunDocker) => void> = IMAGE_STEPS;
  try {
    if (!Object.hasOwn(steps, step)) throw new Error(`Use ${Object.keys(steps).join(', ')}.`);
    steps[step]?.({ version, revision: revision.trim(), processor: process.arch }, run);
  } catch (error) {
    console.error(`release: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
