/** The GitHub Action, as action.yml declares it. It runs from these sources, so it imports no package. */
import { badInput, formatFailure, toFailure } from '../shared/errors.ts';
import { parseRemote } from '../shared/remote-url.ts';
import { writeComment } from './comment.ts';
import { readIssue } from './issue.ts';
import { parseList } from './list.ts';
import { putComment } from './post.ts';
import { buildIndex, rankIssue } from './rank.ts';
import { Runner, SkippedIssue } from './runner.ts';

const MODES: Readonly<Record<string, (runner: Runner) => Promise<void>>> = {
  index: withoutToken(buildIndex),
  rank: withoutToken(rankIssue),
  post: postList,
};

/** Refuses a token where strangers' text and code are read. */
function withoutToken(work: (runner: Runner) => Promise<void>) {
  return (runner: Runner) => {
    if (runner.getInput('token') === '') return work(runner);
    throw badInput(
      'The input token is only for mode: post.',
      'Remove it here, and post in a job of its own.',
    );
  };
}

/** Writes the comment from the list of another job. Reads no file of the repository, and runs no program. */
async function postList(runner: Runner): Promise<void> {
  const label = runner.getInput('label');
  const { number } = readIssue(await runner.readEvent(), label);
  const list = parseList(runner.getInput('list'));
  const token = runner.getInput('token');
  if (token === '')
    throw badInput('The input token is missing.', 'Give it the value github.token.');
  const server = runner.getVariable('GITHUB_SERVER_URL');
  const project = runner.getVariable('GITHUB_REPOSITORY');
  const api = runner.getVariable('GITHUB_API_URL');
  const remote = parseRemote(`${server}/${project}`);
  if (!remote || !isSafe(api))
    throw badInput(`${server} or ${api} is not an https:// address.`, 'Check the runner.');
  const action = runner.env.GITHUB_ACTION_REPOSITORY;
  const homepage = action && /^[\w.-]+\/[\w.-]+$/.test(action) ? `${server}/${action}` : null;
  const author = runner.getInput('author') || 'github-actions[bot]';
  const text = writeComment(list, { remote, label, homepage });
  const { outcome, url } = await putComment({ api, token, project, number, author }, text);
  runner.setOutput('comment', url);
  runner.summarize(`The comment on issue ${number} is ${outcome}.`);
}

/** Returns true for an address to which a token may be sent: encrypted, or on this machine. */
function isSafe(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || url?.hostname === '127.0.0.1';
}

/** Runs the step. Returns its exit code. */
async function runStep(runner: Runner): Promise<number> {
  try {
    const mode = runner.getInput('mode');
    const work = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
    if (!work)
      throw badInput(
        `The input mode is ${mode === '' ? 'missing' : `“${mode}”`}.`,
        `Give one of ${Object.keys(MODES).join(', ')}.`,
      );
    await work(runner);
    return 0;
  } catch (error) {
    if (error instanceof SkippedIssue) {
      runner.summarize(`No ranking. ${error.message}`);
      return 0;
    }
    runner.fail(formatFailure(toFailure(error)));
    return 1;
  }
}

process.exitCode = await runStep(new Runner(process.env));
