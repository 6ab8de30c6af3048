/**
 * Finds a Python that can train, and makes one where there is none: a virtual environment in the user's cache with what
 * `lab/requirements.txt` names. `node scripts/python.ts` prints its path.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ensureProgram, installOnDebian } from './debian.ts';

const REQUIREMENTS = join(import.meta.dirname, '../lab/requirements.txt');
const ENVIRONMENT = join(
  homedir(),
  '.cache/locus-lab',
  `python-${hash('sha1', readFileSync(REQUIREMENTS)).slice(0, 12)}`,
);

/**
 * The path of a Python that can train: `LOCUS_PYTHON`, python3, or the one that was made.
 * @throws Error when there is none, saying what to do.
 */
export function findPython(): string {
  known ??= searched();
  return known;
}

/** To try a Python takes seconds. */
let known: string | undefined;

function searched(): string {
  const { LOCUS_PYTHON } = process.env;
  const candidates = LOCUS_PYTHON ? [LOCUS_PYTHON] : ['python3', inEnvironment()];
  const found = candidates.find(canTrain);
  if (found) return found;
  throw new Error(
    `no Python with what lab/requirements.txt names${LOCUS_PYTHON ? ` at LOCUS_PYTHON=${LOCUS_PYTHON}` : ''}: node scripts/python.ts makes one`,
  );
}

function inEnvironment(): string {
  return join(ENVIRONMENT, 'bin/python');
}

function canTrain(python: string): boolean {
  try {
    execFileSync(python, ['-c', 'import lightgbm, numpy, snowballstemmer, torch'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/** Makes the environment; what an interrupted try left is made anew. */
function makeEnvironment(): void {
  console.error(`Making ${ENVIRONMENT} with PyTorch, for the tests of training.`);
  rmSync(ENVIRONMENT, { recursive: true, force: true });
  const make = () =>
    execFileSync('python3', ['-m', 'venv', ENVIRONMENT], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  try {
    make();
  } catch {
    installOnDebian('python3-venv');
    rmSync(ENVIRONMENT, { recursive: true, force: true });
    make();
  }
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r'];
  execFileSync(inEnvironment(), [...install, REQUIREMENTS], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

if (import.meta.filename === process.argv[1]) {
  ensureProgram('zstd');
  try {
    findPython();
  } catch (error) {
    if (process.env.LOCUS_PYTHON) {
      console.error((error as Error).message);
      process.exit(1);
    }
    makeEnvironment();
  }
  console.log(findPython());
}
