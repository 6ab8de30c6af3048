/** Installs the packages of this machine as a stranger does, uses them, and removes them. */
import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import AdmZip from 'adm-zip';
import { getPlatformName, thisMachine } from '../npm/platforms.ts';
import { getPlatformPackage, NAMES } from '../release/names.ts';
import { enterRoot, tryCleanRoot } from './clean-root.ts';

interface RehearsalStep {
  name: string;
  /** Null if the step succeeded. */
  problem: string | null;
}

export interface Rehearsal {
  /** Description of the system in which it took place. */
  where: string;
  steps: RehearsalStep[];
}

/** Argument of `steps.ts`. */
export interface StepsInput {
  /** Folder in which no file may remain. */
  watched: string;
  /** Folder with the tarballs. */
  packages: string;
  prefix: string;
  /** Names of the installed packages; the last one has the sample. */
  names: string[];
  /** Folder of the unpacked bundle of the MCP server; null if it was not made. */
  bundle: string | null;
}

/**
 * Rehearses with the packages in a folder that `writePackages` has written.
 *
 * @param bundle path of the bundle of the MCP server for this system, if it was made.
 */
export async function rehearse(packages: string, bundle: string | null = null): Promise<Rehearsal> {
  const scratch = mkdtempSync(join(tmpdir(), 'locus-rehearsal-'));
  try {
    const root = join(scratch, 'root');
    const reason = tryCleanRoot(root);
    const base = reason === null ? root : join(scratch, 'home');
    const inside = reason === null ? '' : base;
    const stage = join(base, 'rehearsal');
    mkdirSync(join(stage, 'packages'), { recursive: true });
    const own = getPlatformName(thisMachine());
    for (const path of globSync(['*.tgz', `${own}/*.tgz`], { cwd: packages }))
      cpSync(join(packages, path), join(stage, 'packages', basename(path)));
    copyFileSync(join(import.meta.dirname, 'steps.ts'), join(stage, 'steps.mts'));
    if (bundle !== null) new AdmZip(bundle).extractAllTo(join(stage, 'bundle'));
    const input: StepsInput = {
      watched: inside || '/',
      packages: `${inside}/rehearsal/packages`,
      prefix: `${inside}/opt/locus`,
      names: [NAMES.npm, NAMES.npmModels, getPlatformPackage(own)],
      bundle: bundle && `${inside}/rehearsal/bundle`,
    };
    const script = [`${inside}/rehearsal/steps.mts`, JSON.stringify(input)];
    const steps = await (reason === null
      ? readSteps(enterRoot(root, 'node', ...script), {})
      : readSteps([process.execPath, ...script], createEmptyEnvironment(base)));
    const where =
      reason === null
        ? "In a root with only Debian's required packages and Node, without network"
        : `With an empty home folder and environment. There is no clean root: ${reason}`;
    return { where, steps };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function createEmptyEnvironment(home: string): NodeJS.ProcessEnv {
  return { HOME: home, PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };
}

/** Runs the steps. A program that fails before its last step adds a failed step. */
async function readSteps(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<RehearsalStep[]> {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const steps: RehearsalStep[] = printed
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  if (code !== 0) steps.push({ name: 'the rehearsal', problem: `It ended with ${code}.` });
  return steps;
}
