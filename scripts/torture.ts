/**
 * `npm run torture [-- factor [file ...]]`: runs tests that take hours. The randomized tests of `test/trust` run `factor` times as many
 * rounds (100 by default) with a new seed; without files, also the training tests, and each screen at each size and theme.
 * `LOCUS_SEED` repeats a run.
 */
import { spawnSync } from 'node:child_process';
import './compile-cache.ts';

const [factor = '100', ...files] = process.argv.slice(2);
if (!(Number(factor) > 0)) {
  console.error(`torture: ${factor} is no factor; give a number above 0`);
  process.exit(2);
}

/** Runs a script with Node; returns true if it exits with 0. */
function runScript(...args: string[]): boolean {
  const env = { ...process.env, LOCUS_TORTURE: factor };
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status === 0;
}

const TEST = ['--test', '--test-concurrency=1'];
const passed =
  files.length > 0
    ? [runScript(...TEST, ...files)]
    : [
        runScript(
          ...TEST,
          'test/trust/**/*.test.ts',
          'test/{fleet,shared-index}/kills.test.ts',
          'test/golden/rankings.test.ts',
        ),
        runScript('scripts/training.ts'),
        runScript('scripts/browsers.ts') &&
          runScript('node_modules/electron-vite/bin/electron-vite.js', 'build') &&
          runScript('e2e/run.ts', 'screens'),
      ];
process.exitCode = passed.every(Boolean) ? 0 : 1;
