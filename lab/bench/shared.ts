/**
 * Measures what a shared index saves: `npm run -s lab -- bench-shared [--to s3://…] [--behind 20] <clone>`.
 *
 * One data directory publishes the commit that is `--behind` commits before the checkout. Two others, which are empty, search
 * the checkout for the same issue, one with the shared index configured and one without. Prints a Markdown table of wall-clock
 * time and processor time, from the command to the first complete answer.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const LOCUS = join(import.meta.dirname, '../../src/cli/locus.ts');
const ISSUE = 'A filter over a related field ignores the ordering when the query is combined';

const { values, positionals } = parseArgs({
  options: { to: { type: 'string' }, behind: { type: 'string', default: '20' } },
  allowPositionals: true,
});
const [clone] = positionals;
if (!clone) {
  console.error('usage: npm run -s lab -- bench-shared [--to s3://…] [--behind 20] <clone>');
  process.exit(2);
}
const root = resolve(clone);
const folder = mkdtempSync(join(tmpdir(), 'locus-bench-shared-'));
try {
  const place = values.to ?? join(folder, 'shared');
  const at = (name: string) => join(folder, name);
  const publish = (revision: string) =>
    locus(['publish', root, '--to', place, '--at', revision, '--json'], at('publisher'));
  const first = publish(`HEAD~${values.behind}`);
  const { key, parts, bytes } = first.answer;
  locus(['shared', place, '--key', String(key), '--json'], at('with'));
  const [alone, shared] = ['without', 'with'].map((name) =>
    locus(['search', root, ISSUE, '--fast', '--json'], at(name)),
  );
  const second = publish('HEAD');
  const rows: [string, Run | undefined][] = [
    ['first full answer, indexed here', alone],
    [`first full answer, from the index of ${values.behind} commits before`, shared],
    ['publish, an empty place', first],
    [`publish, ${values.behind} commits later`, second],
  ];
  console.log('| | s | s of processors |\n|---|---|---|');
  for (const [what, run] of rows)
    if (run) console.log(`| ${what} | ${run.seconds.toFixed(1)} | ${run.cpu.toFixed(1)} |`);
  console.log(
    `\n${parts} parts, ${megabytes(bytes)} MB; ${values.behind} commits later ${second.answer.sent} of ${second.answer.parts} parts are uploaded, ${megabytes(second.answer.bytesSent)} MB.`,
    `Both answers list the same functions in the same order: ${same(alone, shared)}.`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Run {
  answer: Record<string, unknown>;
  seconds: number;
  cpu: number;
}

/** Runs a command in a separate process. Its processor time includes that of the git processes that it starts. */
function locus(args: readonly string[], dataDir: string): Run {
  const start = performance.now();
  const before = childSeconds();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [LOCUS, ...args, '--data-dir', dataDir],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  if (status !== 0) throw new Error(`locus ${args[0]} failed: ${stderr}`);
  const seconds = (performance.now() - start) / 1000;
  if (stderr.trim()) console.error(stderr.trim());
  return { answer: JSON.parse(stdout), seconds, cpu: childSeconds() - before };
}

/** Returns the processor time in seconds of all child processes that have ended, as the system reports it. */
function childSeconds(): number {
  const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Compares two answers. Scores may differ in their last digits, since embeddings differ slightly between runs. */
function same(one: Run | undefined, other: Run | undefined): string {
  const [a, b] = [one, other].map((run) => {
    const results = run?.answer.results as { path: string; qualifiedName: string }[];
    return results.map(({ path, qualifiedName }) => `${path}::${qualifiedName}`).join();
  });
  return a === b ? 'yes' : 'no';
}

function megabytes(bytes: unknown): string {
  return (Number(bytes) / 1e6).toFixed(1);
}
