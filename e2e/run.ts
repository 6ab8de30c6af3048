/**
 * Runs end-to-end specs, two at a time: all, or some by name, as in `node e2e/run.ts issue preview`. Prints the output of a spec when
 * it is done. A spec that fails runs a second time, to tell a flaky test from a failure. The run fails if more than one flaky test is
 * not listed in `flaky.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec as report } from 'node:test/reporters';
import '../scripts/compile-cache.ts';
import { FLAKY, MAX_UNNAMED } from './flaky.ts';
import { sharePackages } from './shared-packages.ts';
import { isBad, type Verdict, verdictOf } from './verdict.ts';

const wanted = process.argv.slice(2);
const specs = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.spec.ts'))
  .filter((name) => wanted.length === 0 || wanted.includes(name.replace('.spec.ts', '')))
  // Long ones first, so that none is left to run alone at the end.
  .sort((a, b) => estimateLength(b) - estimateLength(a));

/**
 * Number of specs that run at the same time. Much of a spec's time is spent waiting, in the window or in the engine, but with three on
 * two processors some waits take too long.
 */
const AT_ONCE = 2;

/** Estimates how long a spec takes, in characters of other specs: installing packages takes as long as many. */
function estimateLength(spec: string): number {
  const text = readFileSync(join(import.meta.dirname, spec), 'utf8');
  return text.length + (text.includes('./shared-packages.ts') ? 10_000 : 0);
}

/** Runs a spec. Returns its output and the names of failed tests, or of the suite or file that could not start. */
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
  console.log(`\n*** ${spec} failed, and runs once more ***\n`);
  const second = await tried(spec, { ...process.env, LOCUS_TRACE: '1' });
  process.stdout.write(second.printed);
  return verdictOf(spec, first.failures, second.failures, FLAKY);
}

sharePackages();
const lines: string[] = [];
const verdicts: Verdict[] = [];
const queue = specs.values();
async function judgeInTurn(): Promise<void> {
  for (const spec of queue) {
    const verdict = await judge(spec);
    verdicts.push(verdict);
    lines.push(
      ...verdict.failed.map((test) => `failed: ${spec}: ${test}`),
      ...verdict.known.map((test) => `flaky, listed in e2e/flaky.ts: ${spec}: ${test}`),
      ...verdict.unnamed.map((test) => `flaky, not listed in e2e/flaky.ts: ${spec}: ${test}`),
    );
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, judgeInTurn));
const failed = verdicts.filter((verdict) => verdict.failed.length > 0).length;
console.log(
  `\n${[...lines, `${specs.length - failed} specs passed, ${failed} failed`].join('\n')}`,
);
const isFailure = isBad(verdicts, MAX_UNNAMED);
if (isFailure) console.log('Pictures and traces are in test-results. See CONTRIBUTING.md.');
process.exitCode = isFailure ? 1 : 0;
