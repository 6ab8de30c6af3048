/**
 * Finds a Python that has the packages of `lab/requirements.txt`, or creates a virtual environment with them in the user's cache.
 * `node scripts/python.ts` prints its path.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { environmentFolder, makeEnvironment } from './virtual-environment.ts';

const REQUIREMENTS = join(import.meta.dirname, '../lab/requirements.txt');
const ENVIRONMENT = environmentFolder('locus-lab', REQUIREMENTS);

/**
 * Returns the path of a Python that can train: `LOCUS_PYTHON`, python3, or the one that was created.
 * @throws Error with a remedy if none can train.
 */
export function findPython(): string {
  known ??= searchPython();
  return known;
}

/** Cached result: trying a Python takes seconds. */
let known: string | undefined;

function searchPython(): string {
  const { LOCUS_PYTHON } = process.env;
  const candidates = LOCUS_PYTHON ? [LOCUS_PYTHON] : ['python3', inEnvironment()];
  const found = candidates.find(canTrain);
  if (found) return found;
  throw new Error(
    `no Python with what lab/requirements.txt names${LOCUS_PYTHON ? ` at LOCUS_PYTHON=${LOCUS_PYTHON}` : ''}: npx node scripts/python.ts makes one`,
  );
}

function inEnvironment(): string {
  return join(ENVIRONMENT, 'bin/python');
}

function canTrain(python: string): boolean {
  try {
    execFileSync(python, ['-c', 'import numpy, snowballstemmer, torch'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

if (import.meta.filename === process.argv[1]) {
  try {
    findPython();
  } catch (error) {
    if (process.env.LOCUS_PYTHON) {
      console.error((error as Error).message);
      process.exit(1);
    }
    console.error(`Making ${ENVIRONMENT} with PyTorch, for the tests of training.`);
    makeEnvironment(ENVIRONMENT, REQUIREMENTS);
  }
  console.log(findPython());
}
