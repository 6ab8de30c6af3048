/**
 * Runs unit tests: `node scripts/test.ts [pattern ...]`, by default all. At least two files run at a time: many wait for processes
 * that they start, and by default Node leaves one of two processors idle.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import './compile-cache.ts';

const given = process.argv.slice(2);
const patterns = given.length > 0 ? given : ['test/**/*.test.ts'];
const files = Math.max(2, availableParallelism() - 1);
const { status } = spawnSync(
  process.execPath,
  ['--test', `--test-concurrency=${files}`, ...patterns],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
