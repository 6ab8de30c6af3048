/**
 * Runs unit tests: `node scripts/test.ts [pattern ...]`, by default all; `--quick` runs those of `quick-tests.ts`. One file more than
 * there are processors runs at a time, since many wait for processes that they start.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import './compile-cache.ts';
import { listQuickTests, QUICK_FLAGS } from './quick-tests.ts';

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
/** Time after which a file fails that waits for something that never comes. */
const HUNG_MS = 20 * 60_000;
const patterns = positionals.length > 0 ? positionals : ['test/**/*.test.ts'];
const chosen = values.quick
  ? { files: listQuickTests(join(import.meta.dirname, '..')), execArgv: QUICK_FLAGS }
  : { globPatterns: patterns };
const events = run({ ...chosen, concurrency: availableParallelism() + 1, timeout: HUNG_MS });
events.on('test:fail', () => {
  process.exitCode = 1;
});
events.compose(spec).pipe(process.stdout);
