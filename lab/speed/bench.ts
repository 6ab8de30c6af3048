/**
 * Times Locus on a large and a small repository, each figure beside its limit and its peers: `npm run -s lab -- bench
 * --repository <clone> [--small <clone>] [--queries <clone>] [--against <locus>] [--package <locus.js>] [--rounds 5]
 * [--only <text>] [--json]`
 *
 * Both repositories are cloned once more, so nothing is written to them; without `--small` a Ruby repository is made. The npm
 * package of this checkout is built and measured, or the one whose `bin/locus.js` is given. `--against` names the `locus.js` or
 * `locus.ts` of another version; both take turns. Peers run in the same rounds. Commit messages of the repository, or of the clone
 * that `--queries` names, are searched for. `--only` measures figures whose name or run contains a text. Prints the time of each
 * round on standard error, then a Markdown table, or JSON. Needs the system's `time`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stagePackages } from '../../scripts/npm/stage.ts';
import { getOrAdd } from '../../src/shared/get-or-add.ts';
import { FIGURES, type Values } from './figures.ts';
import { copyRepository, describeRepository } from './folders.ts';
import { LOCUS_RUNS } from './locus-runs.ts';
import { PEER_RUNS } from './peer-runs.ts';
import { compare, formatReport, type Samples } from './report.ts';
import type { Bench, Missing, Subject } from './run.ts';
import { makeSmallRepository } from './small-repository.ts';

const ROOT = join(import.meta.dirname, '../..');
const CHECKOUT = join(ROOT, 'src/cli/locus.ts');

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    small: { type: 'string' },
    against: { type: 'string' },
    package: { type: 'string' },
    queries: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    rg: { type: 'string', default: 'rg' },
    ctags: { type: 'string', default: 'ctags' },
    json: { type: 'boolean', default: false },
  },
});
if (values.repository === undefined) {
  console.error('usage: npm run -s lab -- bench --repository <clone> [--small <clone>]');
  process.exit(2);
}
const figures = FIGURES.filter(({ name, of }) => `${of} ${name}`.includes(values.only));
const wanted = new Set(
  figures.flatMap(({ of, peers }) => [of, ...peers.map((peer) => peer.of)]).map(getRunId),
);
for (const { id, needs } of LOCUS_RUNS.toReversed())
  if (needs !== undefined && wanted.has(id)) wanted.add(needs);
const scratch = mkdtempSync(join(tmpdir(), 'locus-bench-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

const bench = await prepare(values.repository);
const own = describeSubject('this', values.package ?? (await makePackage()), CHECKOUT);
const other = values.against
  ? describeSubject(
      'before',
      values.against,
      values.against.endsWith('.ts') ? values.against : null,
    )
  : null;
const subjects = other ? [own, other] : [own];
const samples = new Map(
  subjects.map(({ name }) => [name, new Map<string, (Values | Missing)[]>()]),
);
for (let round = 0; round < Number(values.rounds); round++) await measureRound(round);
report();

function getRunId(value: string): string {
  return value.split('.')[0] ?? '';
}

async function prepare(clone: string): Promise<Bench> {
  for (const folder of ['large', 'small']) mkdirSync(join(scratch, folder));
  const small = values.small
    ? copyRepository(resolve(values.small), join(scratch, 'small'))
    : await makeSmallRepository(join(scratch, 'small', 'made'));
  return {
    scratch,
    large: await describeRepository(
      copyRepository(resolve(clone), join(scratch, 'large')),
      scratch,
      values.queries,
    ),
    small: await describeRepository(small, scratch),
    ripgrep: values.rg,
    ctags: values.ctags,
  };
}

/** Builds the npm package of this checkout. Returns the path of its command. */
async function makePackage(): Promise<string> {
  execFileSync('npm', ['run', '-s', 'build'], {
    cwd: ROOT,
    stdio: 'pipe',
  });
  const folder = join(scratch, 'package');
  const { main } = await stagePackages(ROOT, folder);
  return join(main, 'bin/locus.js');
}

function describeSubject(name: string, entry: string, checkout: string | null): Subject {
  const command = [process.execPath, resolve(entry)];
  const help = execFileSync(process.execPath, [resolve(entry), 'search', '--help'], {
    encoding: 'utf8',
  });
  return {
    name,
    command,
    checkout: checkout === null ? null : [process.execPath, resolve(checkout)],
    hasResident: help.includes('--no-daemon'),
  };
}

async function measureRound(round: number): Promise<void> {
  const start = performance.now();
  for (const run of PEER_RUNS) if (isDue(run, round)) add('this', run.id, await run.measure(bench));
  const inTurn = round % 2 === 0 ? subjects : subjects.toReversed();
  for (const run of LOCUS_RUNS)
    if (isDue(run, round))
      for (const subject of inTurn) add(subject.name, run.id, await run.measure(bench, subject));
  console.error(`round ${round + 1}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
}

function isDue(
  { id, rounds = Number.POSITIVE_INFINITY }: { id: string; rounds?: number },
  round: number,
) {
  return wanted.has(id) && round < rounds;
}

function add(subject: string, run: string, measured: Values | Missing): void {
  const of = samples.get(subject);
  if (of) getOrAdd(of, run, () => []).push(measured);
}

function report(): void {
  const none: Samples = new Map();
  const reported = compare(
    figures,
    samples.get('this') ?? none,
    other && { name: other.name, samples: samples.get(other.name) ?? none },
  );
  const machine = { processor: cpus()[0]?.model ?? 'unknown', threads: availableParallelism() };
  if (values.json) {
    const folders = [bench.large, bench.small].map(({ name, files, megabytes }) => {
      return { name, files, megabytes };
    });
    console.log(
      JSON.stringify(
        { machine, folders, rounds: Number(values.rounds), figures: reported },
        null,
        2,
      ),
    );
    return;
  }
  for (const { name, files, megabytes } of [bench.large, bench.small])
    console.log(`${name}: ${files} files, ${megabytes.toFixed(1)} MB`);
  console.log(`${machine.threads} processors, ${machine.processor}, ${values.rounds} rounds\n`);
  for (const line of formatReport(reported)) console.log(line);
}
