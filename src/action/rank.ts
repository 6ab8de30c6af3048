/** Ranks the functions of the checked-out commit for the issue of the event. Runs in a job that may only read. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJsonOrNull } from '../base/http.ts';
import { EXIT } from '../cli/exit-codes.ts';
import { badInput, LocusError } from '../shared/errors.ts';
import { formatCounted } from '../shared/format-count.ts';
import { installLocus } from './install.ts';
import { readIssue } from './issue.ts';
import { createList, isCommitId, MAX_RESULTS_SHOWN, type SearchOutput } from './list.ts';
import { type EndedProgram, runProgram } from './program.ts';
import { type Runner, SkippedIssue } from './runner.ts';

/** Limits in seconds. */
const INDEX_SECONDS = 5 * 3600;
const SEARCH_SECONDS = 1800;

/**
 * Builds the index of the commit, from the published one if there is one. Reads nothing of the event, so its result can be cached.
 * @throws LocusError with Locus's own message if the commit cannot be indexed
 */
export async function buildIndex(runner: Runner): Promise<void> {
  const { folder, commit } = findCheckout(runner);
  const source = readSharedIndex(runner);
  const locus = await openLocus(runner);
  if (source.length > 0) {
    const pulled = await locus(['pull', folder, '--at', commit, ...source], INDEX_SECONDS);
    if (pulled.code === EXIT.ok)
      return runner.note(`${commit} is indexed, from a published index.`);
    // The inputs are wrong.
    if (pulled.code === EXIT.usage) throw describeFailure(pulled);
    if (pulled.code === EXIT.nothingFound)
      return runner.note(`${commit} is indexed. No index of a nearby commit is published.`);
    runner.warn(`No published index: ${describeFailure(pulled).message}`);
  }
  const indexed = await locus(['index', folder, '--at', commit], INDEX_SECONDS);
  if (indexed.code !== EXIT.ok) throw describeFailure(indexed);
  runner.note(`${commit} is indexed.`);
}

/**
 * Searches with the text of the issue, and sets the output `list`.
 * @throws SkippedIssue if there is nothing to rank, or Locus fails on this issue
 */
export async function rankIssue(runner: Runner): Promise<void> {
  const { folder, commit } = findCheckout(runner);
  const { number, text } = readIssue(await runner.readEvent(), runner.getInput('label'));
  const locus = await openLocus(runner);
  const file = join(mkdtempSync(join(runner.getVariable('RUNNER_TEMP'), 'issue-')), 'issue.md');
  writeFileSync(file, text.toWellFormed());
  const limit = String(MAX_RESULTS_SHOWN);
  const searched = await locus(
    ['search', folder, '--at', commit, '--file', file, '--limit', limit],
    SEARCH_SECONDS,
  );
  rmSync(file);
  if (searched.code === EXIT.nothingFound)
    throw new SkippedIssue(`Issue ${number} matches no function.`);
  const output = parseJsonOrNull(searched.stdout) as SearchOutput | null;
  if (searched.code !== EXIT.ok || output === null) {
    const { message } = describeFailure(searched);
    runner.warn(message);
    throw new SkippedIssue(`Locus could not rank issue ${number}. The log has the reason.`);
  }
  const list = createList(output, commit);
  runner.setOutput('list', list);
  runner.summarize(
    `Ranked ${formatCounted(list.functions, 'function')} of ${commit.slice(0, 12)} for issue ${number}.`,
  );
}

/** Returns the folder and the commit of the workflow. @throws LocusError `bad-input` if there is no checkout */
function findCheckout(runner: Runner): { folder: string; commit: string } {
  const folder = runner.getVariable('GITHUB_WORKSPACE');
  const commit = runner.getVariable('GITHUB_SHA');
  if (!isCommitId(commit)) throw badInput('GITHUB_SHA is not a commit.', 'Run the workflow again.');
  if (existsSync(join(folder, '.git'))) return { folder, commit };
  throw badInput(
    `${folder} is not a git repository.`,
    'Add a step with actions/checkout before this one.',
  );
}

/** Returns the options for a published index; none without one. */
function readSharedIndex(runner: Runner): string[] {
  const from = runner.getInput('shared-index');
  const keys = runner.getInput('shared-index-key').split(/\s+/).filter(Boolean);
  if (from === '') return [];
  if (from.startsWith('s3:'))
    throw badInput(
      'The input shared-index is a bucket, which needs credentials that this job should not have.',
      'Give the https:// address at which the bucket can be read, or leave the input out.',
    );
  if (keys.length === 0)
    throw badInput(
      'The input shared-index-key is missing.',
      'Give the public key that locus publish prints.',
    );
  return ['--from', from, ...keys.flatMap((key) => ['--key', key])];
}

/** Returns a function that runs a command of Locus, on this process's Node. */
async function openLocus(runner: Runner) {
  const program = await installLocus(runner);
  const cwd = runner.getVariable('RUNNER_TEMP');
  const added = { LOCUS_DATA_DIR: join(cwd, 'locus'), LOCUS_KEYCHAIN: 'off', LOCUS_NO_DAEMON: '1' };
  return (args: readonly string[], seconds: number): Promise<EndedProgram> =>
    runProgram(process.execPath, [program, ...args, '--json'], {
      cwd,
      env: runner.env,
      added,
      seconds,
    });
}

/** Returns the error that Locus printed. */
function describeFailure({ code, stdout, stderr }: EndedProgram): LocusError {
  const last = parseJsonOrNull(stdout.trim().split('\n').at(-1) ?? '');
  const { error } = (last ?? {}) as { error?: { message?: string; remedy?: string } };
  const message = error?.message ?? `${stderr.trim().slice(-500)} (exit code ${code})`;
  const remedy = error?.remedy ?? 'Run locus doctor on a machine of yours.';
  return new LocusError('bad-repository', `Locus failed: ${message}`, remedy);
}
