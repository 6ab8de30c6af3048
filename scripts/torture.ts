/**
 * `npm run torture [-- factor [file ...]]`: what takes longer than `npm test` may. The tests of `test/trust`, and all that kill, with many
 * times the rounds (100 when no factor is given), drawn anew each time; without files also the tests of training, and
 * every screen of the window at every size and in every look. Takes hours; LOCUS_SEED repeats a draw.
 */
import { spawnSync } from 'node:child_process';
import './compile-cache.ts';

const [factor = '100', ...files] = process.argv.slice(2);
if (!(Number(factor) > 0)) {
  console.error(`torture: ${factor} is no factor; give a number above 0`);
  process.exit(2);
}

/** Whether a program of Node's ends well. */
function passes(...args: string[]): boolean {
  const env = { ...process.env, LOCUS_TORTURE: factor };
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status === 0;
}

const TEST = ['--test', '--test-concurrency=1'];
const passed =
  files.length > 0
    ? [passes(...TEST, ...files)]
    : [
        passes(
          ...TEST,
          'test/trust/**/*.test.ts',
          'test/{fleet,shared-index}/kills.test.ts',
          'test/golden/rankings.test.ts',
        ),
        passes('scripts/training.ts'),
        passes('scripts/browsers.ts') &&
          passes('node_modules/electron-vite/bin/electron-vite.js', 'build') &&
          passes('e2e/run.ts', 'screens'),
      ];
process.exitCode = passed.every(Boolean) ? 0 : 1;
