/**
 * Measures what Locus is worth to a coding agent: `npm run -s lab -- agent-trial --dataset issues.jsonl --repos <folder> --out <folder>
 * --agent '<command line>' [--server-options '<options>'] [--arms rg,locus,placebo] [--minutes 15] [--jobs 1] [--data-dir <folder>] [--resume]`
 *
 * Each issue is tried once in each arm. docs/how-to/measure-an-agent.md explains the options, the arms and the tables. An interrupt ends
 * the run; `--resume` continues it.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findProgram } from '../../src/base/programs.ts';
import { Semaphore } from '../../src/base/semaphore.ts';
import {
  type EvaluationInstance,
  getCloneName,
  parseDataset,
} from '../../src/services/evaluation/dataset.ts';
import { COMMITS_KEPT, findPatchedChunks } from '../../src/services/evaluation/evaluate.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { makeAttempt, nameFolder, type PreparedIssue, type TrialOptions } from './attempt.ts';
import { copyAncestors } from './limited-clone.ts';
import { type Outcome, openOutcomes } from './outcome.ts';
import { formatReport } from './report.ts';
import { ARMS, type Arm } from './tools.ts';

const { values } = parseArgs({
  options: {
    dataset: { type: 'string' },
    repos: { type: 'string' },
    out: { type: 'string' },
    agent: { type: 'string' },
    'server-options': { type: 'string', default: '' },
    arms: { type: 'string', default: ARMS.join(',') },
    minutes: { type: 'string', default: '15' },
    jobs: { type: 'string', default: '1' },
    'data-dir': { type: 'string' },
    resume: { type: 'boolean', default: false },
  },
});

function fail(message: string): never {
  console.error(`agent-trial: ${message}`);
  process.exit(2);
}

const { dataset, repos, agent } = values;
if (!dataset || !repos || !agent || !values.out)
  fail(
    "usage: npm run -s lab -- agent-trial --dataset <jsonl> --repos <folder> --out <folder> --agent '<command line>'",
  );
const arms = values.arms.split(',').map((name) => {
  const arm = ARMS.find((one) => one === name);
  return arm ?? fail(`There is no arm ${name}. Choose from ${ARMS.join(', ')}.`);
});
if (findProgram(['rg'], process.env, process.platform) === null)
  fail('rg is missing. Install ripgrep.');
const out = resolve(values.out);
const results = join(out, 'results.jsonl');
if (existsSync(results) && !values.resume)
  fail(`${results} exists. Give --resume to continue it, or another --out.`);

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
process.once('SIGTERM', () => stopping.abort());
const options: TrialOptions = {
  out,
  agent,
  dataDir: resolve(values['data-dir'] ?? join(out, 'data')),
  serverOptions: values['server-options'],
  limitMs: 60_000 * Number(values.minutes),
  signal: stopping.signal,
};
for (const folder of [out, options.dataDir]) mkdirSync(folder, { recursive: true });
const finished = openOutcomes(results, { agent, server: options.serverOptions });
const instances = parseDataset(readFileSync(dataset, 'utf8'), dataset);
const outcomes: Outcome[] = [];
const jobs = new Semaphore(Number(values.jobs));
/** One repository is prepared at a time, since that uses all cores. */
const preparing = new Semaphore(1);
const prepared = new Map<string, Promise<PreparedIssue | null>>();
const left = new Map<string, number>();

/** Copies and indexes an issue's base commit; null if its clone is missing or its fix edits no function. */
async function prepare(instance: EvaluationInstance): Promise<PreparedIssue | null> {
  const { instance_id, repo, base_commit: revision, patch } = instance;
  const clone = join(resolve(repos ?? ''), getCloneName(repo));
  if (!existsSync(clone)) return skip(instance_id, 'its clone is missing');
  const source = join(out, nameFolder(instance_id), 'source.git');
  rmSync(source, { recursive: true, force: true });
  mkdirSync(join(out, nameFolder(instance_id)), { recursive: true });
  await copyAncestors(clone, revision, source);
  const { dataDir } = options;
  const repository = await openRepository(source, {
    dataDir,
    revision,
    commitsKept: COMMITS_KEPT,
  });
  try {
    await repository.index({ signal: options.signal });
    const edited = await findPatchedChunks(patch, repository);
    if (edited.length === 0) return skip(instance_id, 'its fix edits no function');
    return { instance, source, edited: edited.map(({ address }) => address) };
  } finally {
    await repository.close();
  }
}

function skip(instance: string, reason: string): null {
  console.error(`${instance}: skipped, ${reason}`);
  return null;
}

/** Makes an attempt, unless it is finished. */
async function tryArm(instance: EvaluationInstance, arm: Arm): Promise<void> {
  const { instance_id } = instance;
  const identity = { instance, arm };
  const known = finished.find(identity);
  if (known) {
    outcomes.push(known);
    return;
  }
  if (options.signal.aborted) return;
  if (!prepared.has(instance_id))
    prepared.set(
      instance_id,
      preparing.run(undefined, 'Preparing', () => prepare(instance)),
    );
  const issue = await prepared.get(instance_id);
  if (!issue) return;
  const outcome = await makeAttempt(issue, arm, options);
  finished.add(identity, outcome);
  outcomes.push(outcome);
  const { ending, ranks, calls, bytes, seconds } = outcome;
  const found = `ranks ${ranks.map((rank) => rank ?? 'none').join(' ')}`;
  console.error(
    `${instance_id}  ${arm}  ${ending}  ${found}  ${calls} commands  ${bytes} bytes  ${seconds.toFixed(0)} s`,
  );
  removeSourceAfterLast(instance_id, issue);
}

function removeSourceAfterLast(instance: string, { source }: PreparedIssue): void {
  const open = (left.get(instance) ?? arms.length) - 1;
  left.set(instance, open);
  if (open === 0) rmSync(source, { recursive: true, force: true });
}

const attempts = instances.flatMap((instance, i) => {
  // Another arm begins for each issue, so that none always has the warmer machine.
  const rotated = arms.map((_, at) => arms[(at + i) % arms.length] ?? 'rg');
  return rotated.map((arm) => ({ instance, arm }));
});
const ended = await Promise.allSettled(
  attempts.map(({ instance, arm }) =>
    jobs.run(undefined, 'The trial', () => tryArm(instance, arm)),
  ),
);
for (const line of formatReport(outcomes)) console.log(line);
const failures = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
if (options.signal.aborted) {
  console.error('Interrupted. Repeat the command with --resume to continue.');
  process.exitCode = 130;
} else if (failures.length > 0) {
  for (const failure of failures) console.error(failure);
  process.exitCode = 1;
}
