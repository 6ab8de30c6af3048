/**
 * Runs the end-to-end specs, two at a time, or those that are named: `node e2e/run.ts issue preview`. What one prints is
 * printed when it is done. One that fails is run once more, to tell a flake from a failure, not to let it pass: a flake is told by its name, and more
 * than one that `flaky.ts` does not know fail the run.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec as report } from 'node:test/reporters';
import '../scripts/compile-cache.ts';
import { FLAKY, MOST_UNNAMED } from './flaky.ts';
import { isBad, type Verdict, verdictOf } from './verdict.ts';

const wanted = process.argv.slice(2);
const specs = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.spec.ts'))
  .filter((name) => wanted.length === 0 || wanted.includes(name.replace('.spec.ts', '')))
  .sort();

/** How many run side by side: as often as not, a window waits for the engine, or the engine for a window. */
const AT_ONCE = 2;

/** Runs a spec; answers the names of the tests that failed, or of the suite or file that could not begin, and what it printed. */
async function tried(
  spec: string,
  env = process.env,
): Promise<{ failures: string[]; printed: string }> {
  const failures: string[] = [];
  const events = run({ files: [join(import.meta.dirname, spec)], concurrency: false, env });
  events.on('test:fail', ({ name, details }) => {
    const cause = Object(details.error).failureType;
    if (cause !== 'subtestsFailed' && cause !== 'cancelledByParent') failures.push(name);
  });
  let printed = '';
  for await (const text of events.compose(report)) printed += text;
  return { failures, printed };
}

async function judge(spec: string): Promise<Verdict> {
  const began = performance.now();
  const first = await tried(spec);
  process.stdout.write(first.printed);
  console.log(`${spec}: ${Math.round((performance.now() - began) / 1000)} s\n`);
  if (first.failures.length === 0) return { failed: [], known: [], unnamed: [] };
  console.log(`\n*** ${spec} failed; it is run once more ***\n`);
  const second = await tried(spec, { ...process.env, LOCUS_TRACE: '1' });
  process.stdout.write(second.printed);
  return verdictOf(spec, first.failures, second.failures, FLAKY);
}

const lines: string[] = [];
const verdicts: Verdict[] = [];
const queue = specs.values();
async function judgeInTurn(): Promise<void> {
  for (const spec of queue) {
    const verdict = await judge(spec);
    verdicts.push(verdict);
    lines.push(
      ...verdict.failed.map((test) => `failed: ${spec}: ${test}`),
      ...verdict.known.map((test) => `flaky, as e2e/flaky.ts says: ${spec}: ${test}`),
      ...verdict.unnamed.map((test) => `flaky, and not in e2e/flaky.ts: ${spec}: ${test}`),
    );
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, judgeInTurn));
const failed = verdicts.filter((verdict) => verdict.failed.length > 0).length;
console.log(
  `\n${[...lines, `${specs.length - failed} specs passed, ${failed} failed`].join('\n')}`,
);
const isFailure = isBad(verdicts, MOST_UNNAMED);
if (isFailure) console.log('What happened is in test-results; see docs/app.md, Checks.');
process.exitCode = isFailure ? 1 : 0;
