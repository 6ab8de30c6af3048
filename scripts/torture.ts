/**
 * `npm run torture [-- factor [file ...]]`: the tests of `test/trust` with many times the rounds that `npm test`
 * runs (100 when no factor is given), drawn anew each time. Takes hours; LOCUS_SEED repeats a draw.
 */
import { spawnSync } from 'node:child_process';
import './compile-cache.ts';

const [factor = '100', ...files] = process.argv.slice(2);
if (!(Number(factor) > 0)) {
  console.error(`torture: ${factor} is no factor; give a number above 0`);
  process.exit(2);
}
const tests = files.length > 0 ? files : ['test/trust/**/*.test.ts'];
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...tests], {
  stdio: 'inherit',
  env: { ...process.env, LOCUS_TORTURE: factor },
});
process.exitCode = status ?? 1;
