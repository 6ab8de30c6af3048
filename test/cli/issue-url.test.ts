import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openAppDatabase } from '../../src/backend/app-database.ts';
import { SettingsStore } from '../../src/backend/settings.ts';
import { COOKIES } from '../exchange/sample.ts';
import {
  answer,
  BODY,
  createCodeHosts,
  githubIssue,
  serving,
  TITLE,
} from '../issue-urls/code-host-server.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { fakeEngine, locus, type Setting } from './fake-host.ts';

const TEXT = `${TITLE}\n\n${BODY.replaceAll('\r\n', '\n').trim()}\n`;
const SECRET = 'gt_S3cret';

describe('an issue URL', () => {
  const start = createCodeHosts();
  let root: string;
  let dataDir: string;
  before(() => {
    root = gitRepository({ 'a.py': 'def f(): pass\n' });
    dataDir = temporaryFolder();
  });
  after(() => {
    removeFolder(root);
    removeFolder(dataDir);
  });

  const forge = () => start(serving({ '/api/v1/repos/acme/shop/issues/7': githubIssue() }));
  const run = async (args: string[], setting: Setting = {}) => {
    const fake = fakeEngine(COOKIES);
    const env = {
      PATH: process.env.PATH ?? '',
      NO_COLOR: '1',
      LOCUS_DATA_DIR: dataDir,
      ...setting.env,
    };
    const done = await locus(fake, args, { ...setting, env });
    assert.doesNotMatch(done.stdout + done.stderr, /S3cret/);
    return { ...done, fake };
  };

  it('is not fetched without consent, however it is given, and its words are not searched for', async () => {
    const { origin, asked } = await forge();
    const link = `${origin}/acme/shop/issues/7`;
    writeFiles(dataDir, { 'link.md': `${link}\n` });
    const given: [string[], Setting?][] = [
      [['search', root, link]],
      [['search', root, '--issue', link]],
      [['search', root, '--file', join(dataDir, 'link.md')]],
      [['search', root, '-'], { stdin: link, seated: true, terminal: 80 }],
      [['export', root, '--issue', link]],
      [['show', root, 'parse_cookie', '--issue', link]],
      [['search', root, link], { seated: true }],
      [['--json', 'search', root, link], { seated: true, terminal: 80 }],
    ];
    for (const [args, setting] of given) {
      const { exitCode, stderr, fake } = await run(args, setting);
      assert.equal(exitCode, 2, args.join(' '));
      assert.match(
        stderr,
        /This is a URL of issue #7 of acme\/shop on http:\/\/127\.0\.0\.1:\d+\. Locus fetches it only if you agree/,
      );
      assert.match(
        stderr,
        /Add --fetch, or paste the text of the issue\. .* LOCUS_FETCH_HOSTS=http:\/\/127/,
      );
      assert.deepEqual([fake.searched, asked], [[], []]);
    }
  });

  it('is fetched with --fetch, which is reported', async () => {
    const { origin } = await forge();
    const args = [
      'search',
      root,
      '--issue',
      `${origin}/acme/shop/issues/7#issuecomment-1`,
      '--fetch',
    ];
    const { exitCode, stderr, fake } = await run(args);
    assert.equal(exitCode, 0);
    assert.equal(fake.searched[0]?.issue, TEXT);
    assert.match(
      stderr,
      /Fetched issue #7 of acme\/shop from 127\.0\.0\.1:\d+, without a token: title and body, \d+ characters: `parse_cookie cuts/,
    );

    const json = (await run([...args, '--json'])).json();
    assert.deepEqual(json.source, { label: 'acme/shop#7', url: `${origin}/acme/shop/issues/7` });
    const shown = await run(['show', root, 'parse_cookie', ...args.slice(2)]);
    assert.equal(shown.fake.searched[0]?.issue, TEXT);
    const exported = await run(['export', root, ...args.slice(2)]);
    assert.equal(exported.fake.searched[0]?.issue, TEXT);
  });

  it('is fetched with its comments on request', async () => {
    const path = '/api/v1/repos/acme/shop/issues/7';
    const { origin } = await start(
      serving({
        [path]: githubIssue(),
        [`${path}/comments`]: [
          { user: { login: 'ann' }, created_at: '2026-01-02T00:00:00Z', body: 'Here too.' },
        ],
      }),
    );
    const { fake, stderr } = await run([
      'search',
      root,
      `${origin}/acme/shop/issues/7`,
      '--fetch',
      '--comments',
    ]);
    assert.equal(fake.searched[0]?.issue, `${TEXT}\n## Comment by ann, 2026-01-02\n\nHere too.\n`);
    assert.match(stderr, /title, body and 1 comment,/);
  });

  it('is fetched from allowed hosts only', async () => {
    const [mine, other] = [await forge(), await forge()];
    const search = (origin: string) => ['search', root, `${origin}/acme/shop/issues/7`];
    const env = { LOCUS_FETCH_HOSTS: `github.com, ${mine.origin}` };
    assert.equal((await run(search(mine.origin), { env })).exitCode, 0);
    assert.equal((await run(search(other.origin), { env })).exitCode, 2);
    assert.equal(other.asked.length, 0);
    const wrong = await run(search(mine.origin), { env: { LOCUS_FETCH_HOSTS: '*.com/x' } });
    assert.match(wrong.stderr, /LOCUS_FETCH_HOSTS is “\*\.com\/x”, which is not a list of hosts/);

    const database = openAppDatabase(dataDir);
    new SettingsStore(database).set({ fetchHosts: [mine.origin] });
    database[Symbol.dispose]();
    assert.equal((await run(search(mine.origin))).exitCode, 0);
    const text = `see ${mine.origin}/acme/shop/issues/7`;
    const { fake } = await run(['search', root, text]);
    assert.equal(fake.searched[0]?.issue, text);
  });

  it('asks once on a terminal', async () => {
    const { origin, port, asked } = await forge();
    const env = { GITEA_TOKEN: SECRET, GITEA_SERVER_URL: origin };
    const search = (answer: string) =>
      run(['search', root, `${origin}/acme/shop/issues/7`], {
        env,
        seated: true,
        terminal: 100,
        stdin: answer,
      });
    for (const no of ['\n', 'n\n', 'no\n', '', 'yess\n']) {
      const { exitCode, stderr } = await search(no);
      assert.equal(exitCode, 2);
      assert.match(
        stderr,
        new RegExp(
          `^This is an issue URL\\. Fetch issue #7 of acme/shop from ${origin}\\? Locus asks 127\\.0\\.0\\.1:${port}, with your token of GITEA_TOKEN\\.`,
        ),
      );
    }
    assert.equal(asked.length, 0);
    assert.equal((await search('y\n')).exitCode, 0);
    assert.equal(asked[0]?.headers.authorization, `token ${SECRET}`);
    assert.equal((await search('a\n')).exitCode, 0);
    // The host is allowed now, so there is no question.
    const { exitCode, stderr } = await search('');
    assert.equal(exitCode, 0);
    assert.doesNotMatch(stderr, /\?/);
  });

  it('can be a number, of the project of the remote upstream or origin', async () => {
    const { origin } = await forge();
    const hash = ['search', root, '#7', '--fetch'];
    const unknown = await run(hash);
    assert.equal(unknown.exitCode, 2);
    assert.match(unknown.stderr, /no remote named origin or upstream says of which project/);
    git(root, 'remote', 'add', 'origin', `${origin}/me/fork.git`);
    git(
      root,
      'remote',
      'add',
      'upstream',
      `http://user:${SECRET}@${new URL(origin).host}/acme/shop.git`,
    );
    const { exitCode, fake } = await run(hash);
    assert.equal(exitCode, 0);
    assert.equal(fake.searched[0]?.issue, TEXT);
    assert.equal((await run(['search', root, 'acme/shop#7', '--fetch'])).exitCode, 0);
    const missing = await run(['search', root, '#8', '--fetch']);
    assert.equal(missing.exitCode, 6);
    assert.match(
      missing.stderr,
      /has no issue #8 of acme\/shop, or it is private and no token was sent\.\n .*paste the text/,
    );
    assert.equal(missing.fake.searched.length, 0);
  });

  it('is fetched unencrypted only from a host that is allowed by name', async () => {
    const args = ['search', root, 'http://git.invalid/acme/shop/issues/7', '--fetch'];
    const { exitCode, stderr } = await run(args);
    assert.equal(exitCode, 2);
    assert.match(stderr, /http:\/\/git\.invalid are not fetched: the connection is not encrypted/);
    const env = { LOCUS_FETCH_HOSTS: 'http://git.invalid' };
    assert.equal((await run(args, { env })).exitCode, 6);
  });

  it('is refused if it is not an issue, and fails with exit code 6 and JSON', async () => {
    const discussion = await run([
      'search',
      root,
      'https://github.com/o/r/discussions/1',
      '--fetch',
    ]);
    assert.equal(discussion.exitCode, 2);
    assert.match(discussion.stderr, /This is a link to a discussion, which is not fetched/);
    const { origin } = await start((_, response) => answer(response, 500, {}));
    const failed = await run(['--json', 'search', root, `${origin}/acme/shop/pulls/7`, '--fetch']);
    assert.equal(failed.exitCode, 6);
    assert.equal(failed.json().error.code, 'not-fetched');
    const twice = await run(['search', root, 'words', '--issue', '#1']);
    assert.match(twice.stderr, /given twice, as text and with --issue/);
  });
});
