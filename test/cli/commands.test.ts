import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { renderChunk } from '../../src/cli/commands/show.ts';
import { renderResults } from '../../src/cli/results.ts';
import type { Session } from '../../src/cli/session.ts';
import { getColors } from '../../src/cli/terminal.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { Reranking, SearchResponse } from '../../src/shared/search.ts';
import { COOKIES, chunk, ISSUE, NOT_REFINED } from '../exchange/sample.ts';
import { fakeEngine, locus } from './fake-host.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'locus-cli-'));
});
after(() => rm(folder, { recursive: true }));

describe('locus search', () => {
  it('indexes, searches and closes', async () => {
    const fake = fakeEngine(COOKIES);
    const { exitCode, stdout, stderr } = await locus(fake, [
      'search',
      'shop',
      'quoted',
      'cookies',
      'are',
      'cut',
    ]);
    assert.equal(exitCode, 0);
    assert.equal(stderr, '');
    assert.match(stdout, /1 .*parse_cookie +function +shop\/http\/cookies\.py:42/);
    assert.match(stdout, /40 functions in 9 files of shop · bag-1 on cpu/);
    assert.equal(fake.searched[0]!.issue, 'quoted cookies are cut');
    assert.deepEqual([fake.indexed, fake.closed], [1, 1]);
  });

  it('takes the folder before or after the issue, or the current one', async () => {
    const text = 'cookies are cut';
    const calls = [['shop', text], [text, folder], [text], ['--issue', text], ['-']];
    const opened: unknown[] = [];
    for (const words of calls) {
      const fake = fakeEngine(COOKIES);
      await locus(fake, ['search', ...words], { stdin: text });
      opened.push(fake.opened.at(-1)?.root);
      assert.equal(fake.searched[0]?.issue, text);
    }
    assert.deepEqual(opened, ['shop', folder, '.', '.', '.']);
  });

  it('says which process it waits for, and what follows', async () => {
    const waitsFor = async (writer: number | null, command: string[]) =>
      (await locus(fakeEngine(COOKIES, { writer }), command)).stderr;
    assert.equal(
      await waitsFor(1234, ['search', 'shop', 'cookies']),
      'locus: Another Locus process, 1234, is writing this index. Waiting for it, at most ten minutes, then using the index as it is. If it is suspended, resume it or end it.\n',
    );
    assert.equal(
      await waitsFor(null, ['index', 'shop']),
      'locus: Another Locus process is writing this index. Waiting for it, at most ten minutes. If it is suspended, resume it or end it.\n',
    );
  });

  it('uses a complete index while another process writes it', async () => {
    const failure = new LocusError('busy', 'another process has been indexing', 'wait for it');
    const { exitCode, stdout, stderr } = await locus(fakeEngine(COOKIES, { failure }), [
      'search',
      'shop',
      'cookies',
    ]);
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /parse_cookie/);
    assert.equal(stderr, 'locus: another process has been indexing. The existing index is used.\n');
  });

  it('prints one JSON object', async () => {
    const { json } = await locus(fakeEngine(COOKIES), ['search', 'shop', 'cookies', '--json']);
    const { repository, issue, model, partial, results } = json();
    assert.equal(repository.chunks, 40);
    assert.equal(issue.title, 'Quoted cookies are cut');
    assert.equal(model.id, 'bag-1');
    assert.equal(partial, null);
    const [first] = results;
    assert.deepEqual(
      [
        first.rank,
        first.path,
        first.qualifiedName,
        first.kind,
        first.startLine,
        first.endLine,
        first.score,
      ],
      [1, 'shop/http/cookies.py', 'parse_cookie', 'function', 42, 45, 2.5],
    );
    assert.equal(first.evidence.name.spans[0].text, 'parse_cookie');
    assert.deepEqual(first.reasons, [
      'similar in meaning (0.61)',
      'the issue mentions `parse_cookie`',
    ]);
  });

  it('reads the issue from a file and from standard input', async () => {
    const file = join(folder, 'issue.md');
    await writeFile(file, ISSUE);
    const fake = fakeEngine(COOKIES);
    await locus(fake, ['search', 'shop', '--file', file]);
    await locus(fake, ['search', 'shop', '-'], { stdin: ISSUE });
    await locus(fake, ['search', 'shop', '--file', '-'], { stdin: ISSUE });
    assert.deepEqual(
      fake.searched.map(({ issue }) => issue),
      [ISSUE, ISSUE, ISSUE],
    );
  });

  it('reads an issue in UTF-16 that says so, as PowerShell writes files', async () => {
    const file = join(folder, 'issue.md');
    const fake = fakeEngine(COOKIES);
    const little = Buffer.from(`\ufeff${ISSUE}`, 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16(), Buffer.from(`\ufeff${ISSUE}`)]) {
      await writeFile(file, bytes);
      await locus(fake, ['search', 'shop', '--file', file]);
      await locus(fake, ['search', 'shop', '-'], { stdin: bytes });
    }
    assert.deepEqual(
      fake.searched.map(({ issue }) => issue),
      Array(6).fill(ISSUE),
    );
  });

  it('passes its options on', async () => {
    const fake = fakeEngine(COOKIES);
    const options = [
      '--at',
      'v1',
      '--device',
      'cpu',
      '--exclude',
      'a/**',
      '--exclude',
      'b/**',
      '--data-dir',
      '/d',
    ];
    const filters = [
      '--limit',
      '3',
      '--tests',
      'exclude',
      '--path',
      'src/**',
      '--kind',
      'class',
      '--kind',
      'method',
    ];
    await locus(fake, ['search', 'shop', 'x', ...options, ...filters]);
    const {
      root,
      options: { signal, ...given },
    } = fake.opened[0]!;
    assert.ok(signal instanceof AbortSignal, 'Ctrl-C ends the opening');
    assert.deepEqual(
      { root, given },
      {
        root: 'shop',
        given: {
          revision: 'v1',
          dataDir: '/d',
          model: undefined,
          device: 'cpu',
          exclude: ['a/**', 'b/**'],
          asksEngine: true,
        },
      },
    );
    assert.deepEqual(fake.searched[0], {
      issue: 'x',
      limit: 3,
      tests: 'exclude',
      paths: ['src/**'],
      kinds: ['class', 'method'],
    });
  });

  it('reranks, unless options or the environment turn it off', async () => {
    const fake = fakeEngine(COOKIES);
    await locus(fake, ['search', 'shop', 'x']);
    await locus(fake, ['search', 'shop', 'x', '--fast']);
    await locus(fake, ['search', 'shop', 'x'], { env: { LOCUS_FAST: '1' } });
    await locus(fake, ['search', 'shop', 'x', '--within', '0.4s']);
    await locus(fake, ['export', 'shop', 'x', '--fast']);
    await locus(fake, ['show', 'shop', 'parse_cookie', '--issue', 'x'], {
      env: { LOCUS_FAST: '1' },
    });
    assert.deepEqual(
      fake.searched.map(({ rerank }) => rerank),
      [undefined, { count: 0 }, { count: 0 }, { deadlineMs: 400 }, { count: 0 }, { count: 0 }],
    );
    const wrong = await locus(fake, ['search', 'shop', 'x', '--within', '601s']);
    assert.deepEqual([wrong.exitCode, /at most 600s/.test(wrong.stderr)], [2, true]);
    const both = await locus(fake, ['search', 'shop', 'x', '--fast', '--within', '2s']);
    assert.deepEqual([both.exitCode, /Give one of the two/.test(both.stderr)], [2, true]);
  });

  it('says whether the list is reranked', async () => {
    const printed = async (refined: Partial<Reranking>, ...more: string[]) => {
      const fake = fakeEngine(COOKIES, { refined: { ...NOT_REFINED, ...refined } });
      return locus(fake, ['search', 'shop', 'x', ...more]);
    };
    const refined = { state: 'reranked', count: 32, of: 50, milliseconds: 1511 } as const;
    const models = ['coret-1 1.0.0'];
    const { stdout } = await printed({ ...refined, models });
    assert.match(stdout, /^ rerank 32 of 50, by `coret-1 1\.0\.0`, in 1511 ms$/m);
    assert.deepEqual((await printed({ ...refined, models }, '--json')).json().reranking, {
      ...refined,
      models,
      note: null,
    });
    const note = 'the deadline of 2 s left out 18 results';
    const cut = await printed({ ...refined, models, note });
    assert.match(cut.stdout, /^ rerank the deadline of 2 s left out 18 results$/m);
    const failed = await printed({ state: 'failed', models, note: 'it ran out of memory' });
    assert.match(failed.stdout, /^ rerank not done: it ran out of memory$/m);
    for (const state of ['missing', 'off'] as const)
      assert.doesNotMatch((await printed({ state })).stdout, /^ rerank/m);
  });

  it('says what it recognized in the issue, a text that is a name and a path as a path only', async () => {
    const { json } = await locus(fakeEngine(COOKIES), ['search', 'shop', 'x', '--json']);
    const response: SearchResponse = json();
    const names = ['parse_cookie', 'tasklane.worker', 'lane.task', 'parse_cookie'];
    const session = {
      colors: getColors({ write: () => {} }, {}),
      columns: 100,
      isInteractive: false,
    };
    response.issue.names = names.map((text) => ({ start: 0, end: 1, text, definitions: 1 }));
    response.issue.paths = [{ start: 0, end: 1, text: 'tasklane.worker', files: ['worker.py'] }];
    const lines = renderResults(response, session as Session, null);
    assert.ok(
      lines.includes(' issue  names `parse_cookie`, `lane.task`; path `tasklane.worker`'),
      lines.join('\n'),
    );
  });

  it('takes the data directory from the option, else from the environment', async () => {
    const fake = fakeEngine(COOKIES);
    const setting = { env: { LOCUS_DATA_DIR: '/from/environment' } };
    await locus(fake, ['search', 'shop', 'x'], setting);
    await locus(fake, ['search', 'shop', 'x', '--data-dir', '/from/option'], setting);
    assert.deepEqual(
      fake.opened.map(({ options }) => options.dataDir),
      ['/from/environment', '/from/option'],
    );
  });

  it('exits with 1 when nothing is found', async () => {
    const { exitCode, stdout } = await locus(fakeEngine([]), ['search', 'shop', 'x']);
    assert.equal(exitCode, 1);
    assert.match(stdout, /^No results/);
  });
});

describe('locus show', () => {
  it('prints code with its line numbers and the input of the model', async () => {
    const { stdout } = await locus(fakeEngine(COOKIES), ['show', 'shop', 'parse_cookie']);
    assert.match(stdout, /^parse_cookie {2}function {2}shop\/http\/cookies\.py:42-45\n/);
    assert.match(stdout, /\n42 \| def parse_cookie\(header\):\n43 \| {5}return header\n/);
    assert.match(
      stdout,
      /input of bag-1 \(encoded\)\n {2}path 4 tokens\n {4}\| shop\/http\/cookies\.py\n/,
    );
    assert.match(stdout, /body 2 tokens, 7 cut off/);
    assert.doesNotMatch(stdout, /evidence/);
  });

  it('says if some bytes of the code could not be decoded', async () => {
    const { json } = await locus(fakeEngine(COOKIES), ['show', 'shop', 'parse_cookie', '--json']);
    const session = { colors: getColors({ write: () => {} }, {}), columns: 80 } as Session;
    const render = (code: string) => renderChunk({ ...json(), code }, null, session).join('\n');
    assert.match(render('# caf\ufffd\n'), /caf\ufffd\nSome bytes could not be decoded\./);
    assert.doesNotMatch(render('# cafe\n'), /decoded/);
  });

  it('adds the evidence for an issue', async () => {
    const fake = fakeEngine(COOKIES);
    const { stdout } = await locus(fake, [
      'show',
      'shop',
      'parse_cookie',
      '--issue',
      'cookies are cut',
    ]);
    assert.match(stdout, /evidence rank 1, score 2\.50 for `Quoted cookies are cut`/);
    assert.match(stdout, /Similar in meaning +\+1\.20.*similar in meaning \(0\.61\)/);
    const { json } = await locus(fake, ['show', 'shop', 'parse_cookie', '--issue', 'x', '--json']);
    assert.equal(json().ranked.rank, 1);
    assert.equal(json().qualifiedName, 'parse_cookie');
  });

  it('exits with 1 and a remedy when there is no such chunk', async () => {
    const { exitCode, stderr } = await locus(fakeEngine(COOKIES), ['show', 'shop', 'nothing']);
    assert.equal(exitCode, 1);
    assert.equal(stderr, 'locus: there is no chunk nothing\n  → see locus search\n');
  });
});

describe('locus neighbors', () => {
  it('prints callers as a tree, guesses marked', async () => {
    const { stdout } = await locus(fakeEngine(COOKIES), [
      'neighbors',
      'shop',
      'parse_cookie',
      '--depth',
      '2',
    ]);
    assert.match(
      stdout,
      /called by\n└─ Request\.cookies {2}shop\/http\/request\.py:10 {2}\?, 3 neighbors not shown\n/,
    );
  });
});

describe('locus demo', () => {
  it('searches the sample, and says at which rank the answer is', async () => {
    const sample = join(folder, 'demo');
    const answer = chunk('tasklane/retry.py', 'RetryPolicy.backoff', 'def backoff(self): ...');
    const fake = fakeEngine([...COOKIES, answer]);
    const { exitCode, stdout } = await locus(fake, ['demo', '--data-dir', sample]);
    assert.equal(exitCode, 0);
    assert.match(stdout, /The fix belongs in tasklane\/retry\.py::RetryPolicy\.backoff: rank 3\./);
    assert.equal(fake.opened.at(-1)?.root, join(sample, 'sample/tasklane'));
    assert.match(fake.searched[0]?.issue ?? '', /^# Failing jobs wait longer than/);
    assert.match(
      await readFile(join(sample, 'sample/tasklane/tasklane/retry.py'), 'utf8'),
      /backoff/,
    );
    const missing = await locus(fakeEngine(COOKIES), ['demo', '--json', '--data-dir', sample]);
    assert.equal(missing.exitCode, 1);
    assert.equal(JSON.parse(missing.stdout).rank, null);
  });
});

describe('locus similar', () => {
  it('prints similar functions, and how many could not be compared', async () => {
    const { stdout, json } = await locus(fakeEngine(COOKIES), ['similar', 'shop', 'parse_cookie']);
    assert.match(
      stdout,
      /^parse_cookie {2}shop\/.*\n\n 0\.83 {2}Request\.cookies {2}shop\/http\/request\.py:10\n/,
    );
    assert.match(stdout, /2 functions not compared: not encoded yet\n$/);
    assert.throws(json);
  });
});

describe('locus grep', () => {
  const args = ['grep', 'shop', 'parse'];

  it('prints functions with their matching lines, and what was not searched', async () => {
    const { stdout, exitCode } = await locus(fakeEngine(COOKIES), args);
    assert.equal(exitCode, 0);
    assert.match(
      stdout,
      /^parse_cookie {2}shop\/\S+:\d+ {2}1 caller\n {2}\d+ \| def parse_cookie\(\\e\)\n {2}… 2 more lines\n\n/,
    );
    assert.match(
      stdout,
      /\n3 matches in 1 function, in 1 of 9 files\.\nNot searched: `blob\.py` \(binary\)\.\n$/,
    );
    const { json } = await locus(fakeEngine(COOKIES), [...args, '--json']);
    assert.deepEqual(json().functions[0].lines[0].spans, [[4, 9]]);
  });

  it('colors matches on a terminal', async () => {
    const { stdout } = await locus(fakeEngine(COOKIES), args, { terminal: 100 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
    assert.match(stdout, /def \u001b\[31mparse\u001b\[39m_cookie/);
  });

  it('says that nothing was found, with code 1', async () => {
    const { stdout, exitCode } = await locus(fakeEngine(COOKIES), ['grep', 'shop', '--', '--none']);
    assert.match(stdout, /^No matches in 9 files\.\n/);
    assert.equal(exitCode, 1);
  });
});

describe('locus impact', () => {
  const DIFF = '--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-a\n+b\n';

  it('prints what is edited, what else may change with its reasons, and the tests', async () => {
    const fake = fakeEngine(COOKIES);
    const { stdout, json } = await locus(fake, ['impact', 'shop', '-'], { stdin: DIFF });
    assert.match(stdout, /^1 function edited\n {2}signature {2}parse_cookie {2}shop\S+\n/);
    assert.match(
      stdout,
      /\n {3}1 {2}Request\.cookies {2}.*\n {6}calls `parse_cookie`, .* \(line 12\)\n/,
    );
    assert.match(stdout, /\n2 more functions\. Use a larger --limit\.\n/);
    assert.match(stdout, /\n {3}1 {2}test_near {2}\S+ {2}in the diff, \?\n1 more test\./);
    assert.match(stdout, /\nNot in the index: `notes\.txt`\.\n$/);
    assert.throws(json);
    const alone = await locus(fake, ['impact', '-', '--json'], { stdin: DIFF });
    assert.equal(alone.json().suggestions[0].reasons[0].kind, 'call');
    assert.equal(fake.opened.at(-1)?.root, '.');
  });

  it('takes changes from one source', async () => {
    const run = async (...args: string[]) =>
      (await locus(fakeEngine(COOKIES), ['impact', ...args], { stdin: DIFF })).stderr;
    assert.match(await run('shop', '-', '--commit', 'HEAD'), /The changes are given twice\./);
    assert.match(await run('shop', 'changes.diff'), /Name a file with a diff after --file\./);
    assert.match(await run('shop', '--file', 'no/such.diff'), /Cannot read no\/such\.diff/);
    assert.equal(await run('shop'), '');
  });

  it('cuts a diff that is too long, and says so', async () => {
    const stdin = `diff --git a/a.py b/a.py\n${DIFF}`.repeat(90_000);
    const { stderr, exitCode } = await locus(fakeEngine(COOKIES), ['impact', 'shop', '-'], {
      stdin,
    });
    assert.match(stderr, /The diff is too long\. Its last files are left out\./);
    assert.equal(exitCode, 0);
  });
});

describe('locus tests', () => {
  const args = ['tests', 'shop', 'parse_cookie'];

  it('prints the tests with distance and path, and how many are omitted', async () => {
    const fake = fakeEngine(COOKIES);
    const { stdout } = await locus(fake, args);
    assert.match(stdout, /^parse_cookie {2}shop\/.*\n\n {3}1 {2}\w+ {2}shop\S+\n/);
    assert.match(stdout, /\n {3}2 {2}test_far {2}shop\S+ {2}through Request\.cookies, \?\n$/);
    assert.doesNotMatch(stdout, /more/);
    assert.match((await locus(fake, [...args, '-n', '1'])).stdout, /\n1 more test\. Use a larger/);
    const { json } = await locus(fake, [...args, '--json']);
    assert.deepEqual(
      json().tests.map(({ distance }: { distance: number }) => distance),
      [1, 2],
    );
  });

  it('says if no test reaches the function', async () => {
    const { stdout, exitCode } = await locus(fakeEngine(COOKIES, { untested: true }), args);
    assert.match(stdout, /\nNo test reaches it in the call graph\.\n$/);
    assert.equal(exitCode, 0);
  });

  it('takes the ranges of its numbers from the query schemas', async () => {
    const { stderr, exitCode } = await locus(fakeEngine(COOKIES), [...args, '--steps', '21']);
    assert.match(stderr, /whole number from 1 to 20/);
    assert.equal(exitCode, 2);
  });
});

describe('locus export and import', () => {
  it('writes the format that the file name asks for', async () => {
    const fake = fakeEngine(COOKIES);
    for (const [name, start] of [
      ['where.md', '# Where to edit'],
      ['list.json', '{\n  "format": "locus-export"'],
      ['list.csv', 'rank,score,path'],
      ['list.sarif', '{\n  "$schema"'],
    ] as const) {
      const file = join(folder, name);
      const { exitCode, stdout } = await locus(fake, [
        'export',
        'shop',
        'cookies',
        '--output',
        file,
      ]);
      assert.equal(exitCode, 0);
      assert.equal(stdout, `2 results written to ${file}\n`);
      assert.ok((await readFile(file, 'utf8')).startsWith(start), name);
    }
  });

  it('prints no empty line below a list without results', async () => {
    const file = join(folder, 'nothing.json');
    await locus(fakeEngine(COOKIES), ['export', 'shop', 'cookies', '--output', file]);
    const list = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...list, chunks: [] }));
    const { stdout } = await locus(fakeEngine(COOKIES), ['import', 'shop', file]);
    assert.match(stdout, /^.+ · 0 results of .+\n$/);
  });

  it('shows no rank for a marked function that is not in the ranking', async () => {
    const file = join(folder, 'marked.json');
    await locus(fakeEngine(COOKIES), ['export', 'shop', 'cookies', '--output', file]);
    const list = JSON.parse(await readFile(file, 'utf8'));
    list.chunks[1].rank = null;
    await writeFile(file, JSON.stringify(list));
    const { stdout } = await locus(fakeEngine(COOKIES), ['import', 'shop', file]);
    // The first line is legible without colors.
    assert.match(stdout, /^.+ · 2 results of .+\n {2}1 same .*\n {2}– same /);
  });

  it('shows what moved, changed or is gone', async () => {
    const file = join(folder, 'exported.json');
    const gone = chunk('old.py', 'old', 'old');
    await locus(fakeEngine([...COOKIES, gone]), ['export', 'shop', 'cookies', '--output', file]);
    const now = fakeEngine([
      chunk('shop/cookies.py', 'parse_cookie', 'def parse_cookie(header): ...', { line: 7 }),
      chunk('shop/http/request.py', 'Request.cookies', 'rewritten', { line: 20 }),
    ]);
    const { exitCode, stdout } = await locus(now, ['import', 'shop', file]);
    assert.equal(exitCode, 0);
    assert.match(
      stdout,
      /moved +parse_cookie {2}shop\/cookies\.py:7 was parse_cookie shop\/http\/cookies\.py:42\n/,
    );
    assert.match(stdout, /changed +Request\.cookies {2}shop\/http\/request\.py:20\n/);
    assert.match(stdout, /gone +old {2}old\.py:1\n1 moved · 1 changed · 1 gone\n$/);
    const { json } = await locus(now, ['import', 'shop', file, '--json']);
    assert.deepEqual(json().counts, {
      same: 0,
      moved: 1,
      changed: 1,
      'moved and changed': 0,
      gone: 1,
    });
  });

  it('shows how code changed, if the list has the code', async () => {
    const file = join(folder, 'with-code.json');
    const plain = join(folder, 'without-code.json');
    const fake = fakeEngine(COOKIES);
    await locus(fake, ['export', 'shop', 'cookies', '--code', '--output', file]);
    await locus(fake, ['export', 'shop', 'cookies', '--output', plain]);
    const list = JSON.parse(await readFile(file, 'utf8'));
    list.chunks[0].code = 'def parse_cookie(header):\n    return \u001b[2Jheader\n';
    await writeFile(file, JSON.stringify(list));
    const now = fakeEngine([
      chunk('shop/http/cookies.py', 'parse_cookie', 'rewritten', { line: 50 }),
      ...COOKIES.slice(1),
    ]);
    const { stdout } = await locus(now, ['import', 'shop', file, '--diff']);
    const diff = [
      ...['--- a/shop/http/cookies.py', '+++ b/shop/http/cookies.py', '@@ -42,2 +50,2 @@'],
      ...[' def parse_cookie(header):', '-    return \\e[2Jheader', '+    return header', ''],
    ].join('\n');
    const quoted = diff.replace(/^(?=.)/gm, '| ');
    assert.ok(stdout.includes(`parse_cookie  shop/http/cookies.py:50\n${quoted}`), stdout);
    assert.equal(stdout.split('@@').length, 3);
    const { entries } = (await locus(now, ['import', 'shop', file, '--diff', '--json'])).json();
    assert.equal(entries[0].diff, diff.replace('\\e', '\u001b'));
    assert.equal(entries[1].diff, null);
    const without = await locus(now, ['import', 'shop', plain, '--diff']);
    assert.match(without.stdout, /No code to compare with: the list was exported without --code/);
  });

  it('refuses a file that is not a list before it opens the repository', async () => {
    const file = join(folder, 'no-list.json');
    await writeFile(file, '{}');
    const fake = fakeEngine(COOKIES);
    const { exitCode, stderr } = await locus(fake, ['import', 'shop', file]);
    assert.equal(exitCode, 2);
    assert.match(
      stderr,
      /no-list\.json is not a Locus list.*\n {2}→ Export the list again as JSON: .*locus export/,
    );
    assert.deepEqual(fake.opened, []);
  });
});

describe('locus index, status, watch and doctor', () => {
  it('index --quiet prints nothing', async () => {
    const args = ['index', 'shop', '--quiet', '--embed-for-reranking'];
    const { exitCode, stdout, stderr } = await locus(fakeEngine(COOKIES), args);
    assert.deepEqual([exitCode, stdout, stderr], [0, '', '']);
  });

  it('index reports its work', async () => {
    const { stdout } = await locus(fakeEngine(COOKIES), ['index', 'shop']);
    assert.match(
      stdout,
      /^40 functions in 9 files, 60 call edges\n9 parsed · 0 removed · 40 encoded on cpu · 1 skipped/,
    );
  });

  it('index --embed-for-reranking reports the embedded functions', async () => {
    const { stdout } = await locus(fakeEngine(COOKIES), ['index', 'shop', '--embed-for-reranking']);
    assert.match(stdout, /\n35 functions embedded for reranking, 12 of them in 0\.9 s\n$/);
    const { json } = await locus(fakeEngine(COOKIES), [
      'index',
      'shop',
      '--embed-for-reranking',
      '--json',
    ]);
    assert.deepEqual(json().backgroundEmbedding, { functions: 35, embedded: 12, seconds: 0.9 });
    const without = await locus(fakeEngine(COOKIES), ['index', 'shop', '--json']);
    assert.equal(without.json().backgroundEmbedding, undefined);
  });

  it('status indexes nothing, and lists skipped files on request', async () => {
    const fake = fakeEngine(COOKIES);
    const { stdout } = await locus(fake, ['status', 'shop']);
    assert.match(stdout, /state +complete, indexed 2026-01-02/);
    const skipped = await locus(fake, ['status', 'shop', '--skipped']);
    assert.equal(skipped.stdout, 'binary  blob\\e.py  a NUL byte at 12\n1 file\n');
    assert.equal(fake.indexed, 0);
  });

  it('watch prints a line for each batch that changes a file, and JSON lines', async () => {
    const { stdout } = await locus(fakeEngine(COOKIES), ['watch', 'shop']);
    assert.equal(
      stdout,
      'a.py: searchable after 0.0 s, complete after 0.1 s, 2 functions encoded\n',
    );
    const { json } = await locus(fakeEngine(COOKIES), ['watch', 'shop', '--json']);
    assert.deepEqual(json().changed, ['a.py']);
  });

  it('doctor exits with 1 when there is a problem, and says how to fix it', async () => {
    const fine = { name: 'node', state: 'ok', detail: '24.1.0', remedy: null } as const;
    const broken = {
      name: 'sqlite',
      state: 'problem',
      detail: 'not built',
      remedy: 'npm ci',
    } as const;
    const report = (checks: (typeof fine | typeof broken)[]) => ({
      version: '0.1.0',
      platform: 'test',
      checks,
      log: { folder: '/data/logs', lines: ['entry 1', 'entry\u001b 2'], errors: 0, warnings: 1 },
    });
    const healthy = await locus(fakeEngine([], { doctor: report([fine]) }), ['doctor']);
    assert.equal(healthy.exitCode, 0);
    assert.match(healthy.stdout, /0 problems, 0 warnings\n$/);
    const ill = await locus(fakeEngine([], { doctor: report([fine, broken]) }), ['doctor']);
    assert.equal(ill.exitCode, 1);
    assert.match(
      ill.stdout,
      /✓ node {4}24\.1\.0\n✗ sqlite {2}not built\n {10}→ npm ci\n1 problem, 0 warnings\n\nLast entries of the log:\nentry 1\nentry\\e 2\n$/,
    );
  });
});
