import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCli } from '../../src/cli/program.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';

await keepThreads();

/** Functions that share the words of the message that names none of them. */
const NOUNS = ['walrus', 'otter', 'beaver', 'marmot', 'badger', 'lemur', 'gecko', 'ibis', 'heron'];
const OTHERS = ['puffin', 'osprey', 'condor'];

let folder: string;
let root: string;
const version: Record<string, number> = {};

before(() => {
  folder = temporaryFolder();
  at(2020);
  const sources = writeSources();
  root = gitRepository({ ...sources, 'tests/test_zoo.py': 'def test_zoo():\n    pass\n' });
  // Eight fixes: five that name their function, one of two functions, one that misleads, and a hostile message.
  at(2021);
  edit('Count every walrus of the enclosure once', 'walrus');
  edit(
    'The otter enclosure forgets its youngest otter (#12)\n\nFixes #12\nSigned-off-by: A <a@b>',
    'otter',
  );
  edit('Round the weight of each beaver to grams', 'beaver');
  at(2022);
  edit('The marmot summary of the ledger balance counts twice', 'marmot', 'quagga');
  edit('The summary of the ledger balance is wrong', 'quagga');
  edit(`Skip the lemur \u001b[2J\u001f\u202e| a | b |\n${'huge lemur\n'.repeat(50_000)}`, 'lemur');
  at(2023);
  edit('Do not lose a gecko that hides at night', 'gecko');
  edit('Return the ibis to the pond, see sort_ibis_by_age', 'ibis');
  // Commits that are left out.
  edit('Change a great many of the functions at once', ...NOUNS);
  writeFiles(root, { 'tests/test_zoo.py': 'def test_zoo():\n    assert True\n' });
  commit('Assert the truth about the zoo in a test');
  writeFiles(root, { 'zoo/land/walrus.py': readSource('walrus').replaceAll('"""', "'''") });
  commit('Use the other kind of quotes for docstrings');
  edit('Fix', 'heron');
  git(root, 'checkout', '-q', '-b', 'side', 'HEAD~1');
  git(root, 'merge', '-q', '--no-ff', '-m', 'Merge the main branch into the side', 'main');
  git(root, 'checkout', '-q', 'main');
  git(root, 'merge', '-q', '--ff-only', 'side');
});
after(() => {
  removeFolder(folder);
  removeFolder(root);
});

function at(year: number): void {
  const date = `${year}-06-01T12:00:00Z`;
  Object.assign(process.env, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date });
}

function getPath(noun: string): string {
  return `zoo/${NOUNS.includes(noun) ? 'land' : 'water'}/${noun}.py`;
}

function readSource(noun: string): string {
  return readFileSync(join(root, getPath(noun)), 'utf8');
}

function writeSources(): Record<string, string> {
  const shared = [...NOUNS, ...OTHERS].map((noun) => [
    getPath(noun),
    `def keep_${noun}(day):\n    """Summary of the ledger balance of the ${noun}."""\n    return day + 0\n`,
  ]);
  const quagga = 'def transport(x):\n    """Moves."""\n    return x + 0\n';
  return { ...Object.fromEntries(shared), 'zoo/water/quagga.py': quagga };
}

/** Commits a change of these functions. That of the ibis adds a function, too. */
function edit(message: string, ...nouns: string[]): void {
  for (const noun of nouns) {
    const next = (version[noun] ?? 0) + 1;
    const source = readSource(noun).replace(`+ ${next - 1}`, `+ ${next}`);
    version[noun] = next;
    const added = noun === 'ibis' ? '\n\ndef sort_ibis_by_age(all):\n    return sorted(all)\n' : '';
    writeFiles(root, { [getPath(noun)]: source + added });
  }
  commit(message);
}

function commit(message: string): void {
  writeFileSync(join(folder, 'message'), message);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '--cleanup=verbatim', '-F', join(folder, 'message'));
}

interface Setting {
  data?: string;
  signal?: AbortSignal;
  /** Called before a repository is opened. */
  onOpen?: () => unknown;
}

async function locus(args: string[], setting: Setting = {}) {
  const { data = 'data', signal = new AbortController().signal, onOpen } = setting;
  const written = { stdout: '', stderr: '' };
  const exitCode = await runCli(args, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    stdin: (async function* () {})(),
    env: { LOCUS_DATA_DIR: join(folder, data) },
    signal,
    openRepository: (path, options) => {
      onOpen?.();
      return openRepository(path, { ...options, device: 'cpu' });
    },
    diagnose: () => assert.fail('not asked for'),
  });
  return { exitCode, ...written };
}
function bench(...more: string[]) {
  return locus(['bench', root, '--since', '2021', '--count', '99', '--fast', ...more]);
}

test('fixes are replayed, with a row for each year and area, what is left out, and a picture', async () => {
  const svg = join(folder, 'bench.svg');
  const { exitCode, stdout, stderr } = await bench(
    '--svg',
    svg,
    '--resume',
    join(folder, 'whole.jsonl'),
  );
  assert.equal(exitCode, 0, stderr);
  const lines = stdout.split('\n');
  assert.deepEqual(
    lines.filter((line) => line.startsWith('|')),
    [
      '| year | fixes |    list |      first 1 |      first 5 |     first 10 |    all in 10 |',
      '|------|------:|--------:|-------------:|-------------:|-------------:|-------------:|',
      '| 2021 |     3 | initial | 100 (44–100) | 100 (44–100) | 100 (44–100) | 100 (44–100) |',
      '| 2022 |     3 | initial |   67 (21–94) |   67 (21–94) |   67 (21–94) |    33 (6–79) |',
      '| 2023 |     2 | initial | 100 (34–100) | 100 (34–100) | 100 (34–100) | 100 (34–100) |',
      '| all  |     8 | initial |   88 (53–98) |   88 (53–98) |   88 (53–98) |   75 (41–93) |',
      '| area      | fixes |    list |      first 1 |      first 5 |     first 10 |  all in 10 |',
      '|-----------|------:|--------:|-------------:|-------------:|-------------:|-----------:|',
      '| zoo/land  |     7 | initial | 100 (65–100) | 100 (65–100) | 100 (65–100) | 86 (49–97) |',
      '| zoo/water |     1 | initial |     0 (0–79) |     0 (0–79) |     0 (0–79) |   0 (0–79) |',
    ],
  );
  const leftOut = lines.slice(
    lines.findIndex((line) => line.startsWith('Left out')),
    -1,
  );
  assert.deepEqual(leftOut, [
    'Left out, 5 of 13 commits:',
    '  1  merges',
    '  1  too short a text',
    '  1  no existing source file changed, such as tests or docs only',
    '  1  too many files',
    '  1  formatting only',
  ]);
  assert.match(stdout, /A commit message is not an issue\./);
  // One line for each commit, whatever its message holds.
  assert.equal(stderr.trimEnd().split('\n').length, 1 + 9);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that act on a terminal
  assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u202e]/);
  const picture = readFileSync(svg, 'utf8');
  assert.equal(picture.match(/<circle [^>]*r="4"/g)?.length, 3 * (1 + 3 + 2));
  assert.match(picture, />zoo\/land \(7\)</);
});

/** Returns the report of the first test's run, of which every fix is finished. */
async function readWhole() {
  const { stdout, stderr } = await bench('--json', '--resume', join(folder, 'whole.jsonl'));
  assert.equal(stderr.trimEnd().split('\n').length, 1);
  return JSON.parse(stdout);
}

test('the text is the message without references, trailers and names that the fix adds', async () => {
  const { fixes } = await readWhole();
  const titles = fixes.map(({ title }: { title: string }) => title);
  assert.equal(titles[1], 'The otter enclosure forgets its youngest otter');
  assert.equal(titles.at(-1), 'Return the ibis to the pond, see');
  assert.deepEqual(fixes[3].edited, [
    'zoo/land/marmot.py::keep_marmot',
    'zoo/water/quagga.py::transport',
  ]);
});

test('an interrupted run continues, and indexes of past commits stay only with --keep', async () => {
  const resume = join(folder, 'finished.jsonl');
  const stopping = new AbortController();
  const args = ['bench', root, '--since', '2021', '--count', '99', '--fast', '--resume', resume];
  const indexes = () => readdirSync(join(folder, 'data/bench'));
  let opened = 0;
  const stopped = await locus(args, {
    signal: stopping.signal,
    onOpen: () => ++opened === 4 && stopping.abort(),
  });
  assert.equal(stopped.exitCode, 130);
  assert.deepEqual(indexes(), []);
  const done = readFileSync(resume, 'utf8').trimEnd().split('\n').length;
  assert.equal(done, 3);
  const rest = await locus([...args, '--json', '--keep']);
  assert.equal(rest.stderr.split('\n').length - 2, 9 - done);
  assert.equal(indexes().length, 1);
  assert.deepEqual(JSON.parse(rest.stdout), await readWhole());
  assert.deepEqual(indexes(), []);
  const other = await locus([...args, '--exclude', 'x']);
  assert.match(other.stderr, /were evaluated with another version, model or option/);
});

test('neither the files nor the history nor an index after the fix can give the answer away', async (t) => {
  at(2024);
  const fixed = git(root, 'rev-parse', 'HEAD');
  const clue = 'Zanzibar is missing from the zoo';
  t.after(() => git(root, 'reset', '-q', '--hard', fixed));
  const source = readSource('osprey');
  writeFiles(root, {
    [getPath('osprey')]: source.replace('+ 0', '+ 1 # zanzibar\n    # zanzibar'),
  });
  commit('Repair what was reported by our visitors');
  const fix = git(root, 'rev-parse', 'HEAD');
  writeFiles(root, { [getPath('osprey')]: source.replace('+ 0', '+ zanzibar(day)') });
  commit(`${clue}, again`);
  const issues = join(folder, 'issues.jsonl');
  writeFileSync(
    issues,
    `${JSON.stringify({ number: 7, title: clue, body: null, fix_commit: fix })}\n`,
  );

  // Control: after the fix, words and history point to the function. This index is in the same data directory.
  const search = ['search', root, clue, '--json', '--fast', '--tests', 'exclude', '--no-daemon'];
  const [first] = JSON.parse((await locus(search)).stdout).results;
  assert.equal(first.name, 'keep_osprey');
  const rank = async (repository: string, data: string) => {
    installSecondModel(join(folder, data));
    const { stdout, stderr } = await locus(['bench', repository, '--issues', issues], { data });
    assert.match(stdout, /1 fix, searched by issues.*coret-1 1/);
    assert.match(stdout, /\n\| +\| +\| reranked \|/);
    return /: rank (\d+), reranked (\d+)\n/.exec(stderr)?.slice(1);
  };
  const ranks = await rank(root, 'data');
  assert.ok(ranks);
  assert.notEqual(ranks[0], '1');
  // A repository that ends at the fix, without another index, has the same answer.
  const before = join(folder, 'before');
  git(folder, 'clone', '-q', root, before);
  git(before, 'reset', '-q', '--hard', fix);
  git(before, 'remote', 'remove', 'origin');
  assert.deepEqual(await rank(before, 'other-data'), ranks);
});

test('a shallow clone says what is missing', async () => {
  const shallow = join(folder, 'shallow');
  git(folder, 'clone', '-q', '--depth', '4', `file://${root}`, shallow);
  const some = await locus(['bench', shallow, '--fast']);
  assert.match(some.stdout + some.stderr, /This clone is shallow, so older commits are missing/);
  const tip = join(folder, 'tip');
  git(folder, 'clone', '-q', '--depth', '1', `file://${root}`, tip);
  const none = await locus(['bench', tip, '--fast']);
  assert.equal(none.exitCode, 1);
  assert.match(none.stderr, /None of 1 commit of .* Run git fetch --unshallow/s);
  assert.ok(!existsSync(join(tip, '.git/index.lock')));
});

test('a wrong day, issue or folder is an error that says what to give', async () => {
  assert.match((await bench('--since', '2023-02-31')).stderr, /a day such as 2023-01-31/);
  const issues = join(folder, 'wrong.jsonl');
  writeFileSync(issues, '{"title": "x", "fix_commit": "main"}\n');
  assert.match(
    (await bench('--issues', issues)).stderr,
    /line 1, field fix_commit: is not a full commit id/,
  );
  writeFileSync(issues, `${JSON.stringify({ title: 'x', fix_commit: 'a'.repeat(40) })}\n`);
  assert.match(
    (await bench('--issues', issues)).stderr,
    /None of the commits that fixed 1 issue is in .*\n {2}→ Fetch the branches/,
  );
  assert.match(
    (await locus(['bench', folder])).stderr,
    /is not in a git repository\.\n {2}→ Give a/,
  );
  assert.match((await bench('--at', 'no-tag')).stderr, /has no commit `no-tag`\./);
});
