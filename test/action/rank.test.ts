import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { parseList } from '../../src/action/list.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { COMMIT, list, opened } from './samples.ts';
import { installStandIn, NOT_HERE, runStep, type Step } from './step.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeFiles(folder, { 'workspace/.git/HEAD': 'ref: refs/heads/main\n' });
});
afterEach(() => removeFolder(folder));

const [shown] = list().results;
const FOUND = {
  repository: { chunks: 1416 },
  partial: null,
  results: [{ ...shown, qualifiedName: shown.name }],
};

/** Installs a program that records how it was called, and then runs the script. */
const standIn = (script: string) =>
  installStandIn(
    folder,
    `import { appendFileSync, readFileSync } from 'node:fs';
     const args = process.argv.slice(2);
     const at = args.indexOf('--file') + 1;
     const issue = at > 0 ? readFileSync(args[at], 'utf8') : null;
     const { env } = process;
     appendFileSync(${JSON.stringify(join(folder, 'calls'))}, JSON.stringify({ args, env, issue, cwd: process.cwd() }) + '\\n');
     ${script}`,
  );

const print = (value: unknown) => `console.log(${JSON.stringify(JSON.stringify(value))});`;

const calls = (): { args: string[]; env: Record<string, string>; issue: string; cwd: string }[] =>
  existsSync(join(folder, 'calls'))
    ? readFileSync(join(folder, 'calls'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

const SECRETS = {
  GITHUB_TOKEN: 'secret-1',
  ACTIONS_RUNTIME_TOKEN: 'secret-2',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret-3',
  AWS_SECRET_ACCESS_KEY: 'secret-4',
  LOCUS_PUBLISHER_KEY: 'secret-5',
  NODE_OPTIONS: '',
};

const run = (mode: string, step: Partial<Step> = {}) =>
  runStep(folder, {
    event: opened(),
    ...step,
    inputs: { mode, label: 'no-ranking', ...step.inputs },
  });

describe('mode: rank', { skip: NOT_HERE }, () => {
  it('searches the commit with the text of the issue, and sets the list', async () => {
    standIn(print(FOUND));
    const { code, log, outputs, summary } = await run('rank', { env: SECRETS });
    assert.equal(code, 0, log);
    assert.deepEqual(parseList(outputs.list), list());
    assert.match(summary, /^Ranked 1,416 functions of 0123456789ab for issue 7\./);
    const [{ args, issue, env, cwd }] = calls();
    const workspace = join(folder, 'workspace');
    assert.deepEqual(args.slice(0, 5), ['search', workspace, '--at', COMMIT, '--file']);
    assert.deepEqual(args.slice(6), ['--limit', '5', '--json']);
    assert.equal(issue, 'parse_cookie cuts a quoted value\n\nThe value is cut at a comma.\n');
    assert.ok(!existsSync(args[5]));
    assert.equal(cwd, join(folder, 'temp'));
    assert.equal(env.LOCUS_DATA_DIR, join(folder, 'temp/locus'));
  });

  it('gives Locus no secret, no file of the runner and no input', async () => {
    standIn(print(FOUND));
    await run('rank', { env: SECRETS });
    const [{ env }] = calls();
    const names = Object.keys(env).filter(
      (name) => !/^(PATH|HOME|__CF_USER_TEXT_ENCODING)$/.test(name),
    );
    assert.deepEqual(names.toSorted(), [
      ...['CI', 'LOCUS_DATA_DIR', 'LOCUS_KEYCHAIN', 'LOCUS_NO_DAEMON', 'NO_COLOR'],
    ]);
    assert.doesNotMatch(JSON.stringify(env), /secret/);
  });

  it('prints nothing that Locus prints, so no text becomes a command of the runner', async () => {
    const text = '::set-output name=list::evil\\n##[error]evil\\n::error::evil';
    standIn(`console.error('${text}'); console.log('${text}'); process.exitCode = 70;`);
    const { code, log, outputs, summary } = await run('rank', {
      event: opened({ title: '::error::evil title of three words', body: '##[error]evil' }),
    });
    assert.equal(code, 0);
    assert.deepEqual(outputs, {});
    assert.deepEqual(
      log
        .split('\n')
        .filter((line) => /^\s*::/.test(line) && !line.startsWith('::warning::Locus failed:')),
      [],
    );
    assert.doesNotMatch(log.replace(/^::warning::.*$/m, ''), /evil|##\[/);
    assert.match(summary, /could not rank issue 7/);
  });

  it('writes the list on one line, whatever it contains', async () => {
    const name = 'a\nlist=evil\r\u2028::set-env name=x::y';
    standIn(print({ ...FOUND, results: [{ ...FOUND.results[0], qualifiedName: name }] }));
    const { outputs } = await run('rank');
    assert.deepEqual(Object.keys(outputs), ['list']);
    assert.equal(parseList(outputs.list).results[0].name, name);
  });

  it('reports a partial list', async () => {
    standIn(print({ ...FOUND, partial: { reason: 'Half is indexed.' } }));
    assert.equal(parseList((await run('rank')).outputs.list).partial, 'Half is indexed.');
  });

  it('ends with success, a warning and a summary if Locus fails or finds nothing', async () => {
    standIn(
      `${print({ error: { message: 'It broke.', remedy: 'Mend it.' } })} process.exitCode = 4;`,
    );
    const failed = await run('rank');
    assert.equal(failed.code, 0);
    assert.match(failed.log, /^::warning::Locus failed: It broke\.$/m);
    assert.match(failed.summary, /^No ranking\. Locus could not rank issue 7/);
    standIn(`${print({ ...FOUND, results: [] })} process.exitCode = 1;`);
    const none = await run('rank');
    assert.equal(none.code, 0);
    assert.match(none.summary, /matches no function/);
    assert.deepEqual(none.outputs, {});
  });

  for (const [what, change, reason] of [
    [
      'only a picture',
      { title: 'Bug', body: '![cut.png](https://example.org/a/b/c/cut.png)' },
      /too few words/,
    ],
    [
      'only a picture as HTML',
      { title: 'Bug', body: '<img width="1" alt="a b c d" src="x">' },
      /too few words/,
    ],
    [
      'only the comments of a template',
      { title: 'Bug', body: '<!-- Tell us what happens -->' },
      /too few words/,
    ],
    ['no text', { title: 'Help', body: null }, /too few words/],
    ['a huge text', { body: 'word '.repeat(1_000_001) }, /more than 5000000 characters/],
  ] as const)
    it(`skips an issue with ${what} before it installs anything`, async () => {
      const { code, summary } = await run('rank', { event: opened(change) });
      assert.equal(code, 0);
      assert.match(summary, reason);
    });

  it('ranks a long issue', async () => {
    standIn(print(FOUND));
    const body = `<!--${'x'.repeat(30_000)} ${'<a '.repeat(20_000)} ![${'['.repeat(20_000)}`;
    const { outputs } = await run('rank', { event: opened({ body }) });
    assert.ok(outputs.list);
    assert.ok(calls()[0].issue.endsWith(body));
  });

  it('refuses a token, which this job must not have', async () => {
    const { code, log } = await run('rank', { inputs: { token: 'ghs_secret' } });
    assert.equal(code, 1);
    assert.match(log, /::error::The input token is only for mode: post\./);
    assert.deepEqual(calls(), []);
  });

  for (const [what, event, error] of [
    ['is not an object', 7, /The event has no valid issue/],
    ['has an issue without a number', { issue: { title: 'x' } }, /The event has no valid issue/],
    ['is missing', undefined, /is unreadable: the file cannot be read/],
  ] as const)
    it(`says that the event ${what}`, async () => {
      const { code, log } = await run('rank', { event });
      assert.equal(code, 1);
      assert.match(log, error);
    });
});

describe('mode: index', { skip: NOT_HERE }, () => {
  it('indexes the commit and reads no event, so that its result can be cached', async () => {
    standIn(print({}));
    const { code, log } = await run('index', { event: undefined });
    assert.equal(code, 0, log);
    assert.equal(log, `Locus: ${COMMIT} is indexed.\n`);
    assert.deepEqual(
      calls().map(({ args }) => args),
      [['index', join(folder, 'workspace'), '--at', COMMIT, '--json']],
    );
  });

  const SHARED = {
    'shared-index': 'https://example.org/locus',
    'shared-index-key': 'ed25519:a ed25519:b',
  };

  it('takes the published index', async () => {
    standIn(print({}));
    assert.equal((await run('index', { inputs: SHARED })).code, 0);
    assert.deepEqual(
      calls().map(({ args }) => args),
      [
        [
          ...['pull', join(folder, 'workspace'), '--at', COMMIT],
          ...['--from', 'https://example.org/locus', '--key', 'ed25519:a', '--key', 'ed25519:b'],
          '--json',
        ],
      ],
    );
  });

  it('builds an index, with a warning, if the published one cannot be read', async () => {
    standIn(`if (args[0] === 'pull') process.exitCode = 8;`);
    const { code, log } = await run('index', { inputs: SHARED });
    assert.equal(code, 0);
    assert.match(log, /^::warning::No published index: Locus failed/m);
    assert.deepEqual(
      calls().map(({ args }) => args[0]),
      ['pull', 'index'],
    );
  });

  it('fails if the published index is given wrongly', async () => {
    standIn(
      `${print({ error: { message: 'x is not a public key.', remedy: 'Give one.' } })} process.exitCode = 2;`,
    );
    const { code, log } = await run('index', { inputs: SHARED });
    assert.equal(code, 1);
    assert.match(log, /^::error::Locus failed: x is not a public key\. Give one\.$/m);
    assert.deepEqual(
      calls().map(({ args }) => args[0]),
      ['pull'],
    );
  });

  it('fails with the message of Locus', async () => {
    standIn(
      `${print({ error: { message: 'It broke.', remedy: 'Mend it.' } })} process.exitCode = 3;`,
    );
    const { code, log } = await run('index');
    assert.equal(code, 1);
    assert.match(log, /^::error::Locus failed: It broke\. Mend it\.$/m);
  });

  for (const [what, step, error] of [
    [
      'a bucket',
      { inputs: { 'shared-index': 's3://acme/index' } },
      /is a bucket, which needs credentials/,
    ],
    [
      'a published index without a key',
      { inputs: { 'shared-index': 'https://x.example' } },
      /shared-index-key is missing/,
    ],
    [
      'no checkout',
      { env: { GITHUB_WORKSPACE: '/nowhere' } },
      /\/nowhere is not a git repository.*actions\/checkout/,
    ],
    ['no commit', { env: { GITHUB_SHA: '--upload-pack=x' } }, /GITHUB_SHA is not a commit/],
    ['no workspace', { env: { GITHUB_WORKSPACE: '' } }, /GITHUB_WORKSPACE is missing/],
  ] as [string, Partial<Step>, RegExp][])
    it(`refuses ${what}`, async () => {
      standIn(print({}));
      const { code, log } = await run('index', step);
      assert.equal(code, 1);
      assert.match(log, error);
      assert.deepEqual(calls(), []);
    });
});
