/**
 * Runs the training tests, the files `*.training.ts`: `node scripts/training.ts [pattern ...]`. Installs PyTorch in a virtual
 * environment first, and fails if that fails.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs a script of this folder. */
function runScript(script: string, ...args: string[]): boolean {
  const path = join(import.meta.dirname, script);
  return spawnSync(process.execPath, [path, ...args], { stdio: 'inherit' }).status === 0;
}

const given = process.argv.slice(2);
const patterns = given.length > 0 ? given : ['test/lab/*.training.ts'];
process.exitCode = runScript('python.ts') && runScript('test.ts', ...patterns) ? 0 : 1;
