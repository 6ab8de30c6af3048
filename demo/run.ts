/**
 * `npm run demo`: searches a small repository for an issue whose fix is known.
 * `npm run demo -- <dir> [issue text]`: searches any folder. Without an issue, the message of the newest commit to Python code is the
 * issue, and the tree before that commit is searched.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { git } from '../src/base/git/git.ts';
import { enterCallersFolder, getInvocation } from '../src/cli/invocation.ts';
import { getDataDirectory } from '../src/services/locations.ts';
import { createSample, findSample, SAMPLE_ANSWER } from '../src/services/sample.ts';
import { assertPresent } from '../src/shared/assert-present.ts';
import { LocusError } from '../src/shared/errors.ts';
import type { SearchResponse } from '../src/shared/search.ts';
import { readMessage } from './messages.ts';

enterCallersFolder('demo');
const HERE = dirname(fileURLToPath(import.meta.url));
const LOCUS = join(HERE, '../src/cli/locus.ts');
const ISSUE = relative(process.cwd(), join(HERE, 'issue.md'));

const USAGE = `Usage: npm run demo [-- <dir> [issue]]

Without <dir>, searches a small sample repository for an issue whose fix is known.

  <dir>    git repository. Its last commit to Python code is the issue, and the tree before that commit is searched.
  [issue]  text of an issue. <dir>, which can be any folder, is searched for it as it is.

Examples:
  npm run demo
  npm run demo -- ~/src/django
  npm run demo -- ~/src/django "cookies with a quoted comma are cut short"`;

const [dir, ...words] = process.argv.slice(2);
process.exitCode = await run();

async function run(): Promise<number> {
  if (dir === undefined) return runOnDemo();
  if (dir !== '-h' && dir !== '--help') return runOn(dir, words.join(' '));
  print(USAGE);
  return 0;
}

async function runOnDemo(): Promise<number> {
  const { root } = assertPresent(findSample(getDataDirectory()), 'the sample, in a checkout');
  await createSample(root);
  const search = ['search', root, '--file', ISSUE, '--limit', '8'];
  print(
    'The issue, demo/issue.md: Failing jobs wait longer than `max_delay`',
    `$ ${getInvocation({ env: process.env, argv: ['node', LOCUS] })} ${search.join(' ')}`,
    '',
  );
  const shown = runLocus(search, 'inherit');
  if (shown.status !== 0) return shown.status ?? 1;
  const { results } = JSON.parse(runLocus([...search, '--json'], 'pipe').stdout) as SearchResponse;
  const rank = results.find(({ address }) => address === SAMPLE_ANSWER)?.rank;
  print(
    '',
    `The fix belongs in ${SAMPLE_ANSWER}: ${rank === undefined ? 'not among the first 8' : `rank ${rank}`}.`,
  );
  print('Your own: npm run demo -- <dir> "issue text"');
  return 0;
}

async function runOn(folder: string, issue: string): Promise<number> {
  if (issue !== '')
    return runLocus(['search', folder, '--limit', '10', '--', issue], 'inherit').status ?? 1;
  const commit = await newestPythonCommit(folder);
  if (commit === null) {
    console.error(
      `demo: ${folder} has no commit to Python code to take as the issue.\n  → Give the issue: npm run demo -- ${folder} "issue text"`,
    );
    return 2;
  }
  print(
    `The issue is the message of ${commit.id.slice(0, 10)}, the tree searched is the one before it.`,
    '',
    indent(commit.message),
    '',
  );
  const { status } = runLocus(
    ['search', folder, '--limit', '10', '--at', `${commit.id}~1`, '--', commit.message],
    'inherit',
  );
  print('', 'That commit changed:', indent(commit.files));
  return status ?? 1;
}

interface Commit {
  id: string;
  message: string;
  /** Paths, one per line. */
  files: string;
}

/** Returns the newest commit that changed Python files and is neither a merge nor the first one; null if none exists. */
async function newestPythonCommit(folder: string): Promise<Commit | null> {
  try {
    const one = ['--max-count=1', '--min-parents=1', '--max-parents=1', 'HEAD'];
    const id = String(await git(folder, ['rev-list', ...one, '--', '*.py'])).trim();
    if (id === '') return null;
    const names = ['-r', '-M', '--name-only', `${id}~1`, id, '--', '*.py'];
    const changed = await git(folder, ['diff-tree', ...names]);
    return { id, message: await readMessage(folder, id), files: String(changed).trim() };
  } catch (error) {
    if (error instanceof LocusError) return null;
    throw error;
  }
}

function runLocus(args: string[], output: 'inherit' | 'pipe') {
  return spawnSync(process.execPath, [LOCUS, ...args], {
    stdio: ['ignore', output, 'inherit'],
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
}

function print(...lines: string[]): void {
  console.log(lines.join('\n'));
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
