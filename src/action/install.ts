/** Installs the npm package of Locus in exactly the version of the action. No script of a package runs. */
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { badInput, LocusError } from '../shared/errors.ts';
import { quoteText } from '../shared/quote.ts';
import { PACKAGE, VERSION } from '../shared/version.ts';
import { runProgram } from './program.ts';
import type { Runner } from './runner.ts';

const INSTALL_SECONDS = 600;

/**
 * Installs Locus, unless an earlier step of the job did. Returns the path of its program.
 * @throws LocusError `bad-input` for an unsupported system or a folder without packages; `not-fetched` if npm fails
 */
export async function installLocus(runner: Runner): Promise<string> {
  if (process.platform === 'win32')
    throw badInput('The action does not run on Windows.', 'Set runs-on: ubuntu-latest.');
  const packages = runner.getInput('packages');
  // Packages of a folder may change while their version does not, so they are for this job alone.
  const cache = runner.getVariable(packages ? 'RUNNER_TEMP' : 'RUNNER_TOOL_CACHE');
  const folder = join(cache, PACKAGE, VERSION, process.arch);
  const program = join(folder, 'node_modules', PACKAGE, 'bin/locus.js');
  if (existsSync(program)) return program;
  const what = packages ? listPackages(packages) : [`${PACKAGE}@${VERSION}`];
  mkdirSync(dirname(folder), { recursive: true });
  const staged = mkdtempSync(`${folder}-`);
  try {
    await runNpm(runner, staged, [...(packages ? ['--offline'] : []), ...what]);
    moveUnlessThere(staged, folder);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
  return program;
}

/** Returns the packages for everybody in a folder, and those for this platform in a folder of its name in it. */
function listPackages(folder: string): string[] {
  const { platform, arch } = process;
  const found = [`*.tgz`, `${platform}-${arch}/*.tgz`].map((pattern) =>
    globSync(pattern, { cwd: folder }).map((path) => resolve(folder, path)),
  );
  if (found.every((paths) => paths.length > 0)) return found.flat();
  throw badInput(
    `${folder} has no packages of Locus for ${platform}-${arch}.`,
    'Give the folder that npm run package:npm writes.',
  );
}

/** Runs npm in a folder of its own, so that it reads no settings of the repository. */
async function runNpm(runner: Runner, folder: string, args: string[]): Promise<void> {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];
  const { code, stderr } = await runProgram(
    'npm',
    ['install', '--prefix', folder, ...flags, ...args],
    { cwd: folder, env: runner.env, seconds: INSTALL_SECONDS },
  );
  if (code === 0) return;
  throw new LocusError(
    'not-fetched',
    `Installing ${PACKAGE} ${VERSION} with npm failed: ${quoteText(stderr.trim().slice(-500))}.`,
    'Check that npm works on this runner and reaches its registry, or give the input packages.',
  );
}

/** Moves a folder to its place, unless another job was first. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}
