import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { COOKIES } from '../exchange/sample.ts';
import { type FakeGh, fakeGh } from '../support/fake-gh.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { fakeEngine, locus, type Setting } from './fake-host.ts';

const ISSUE = 'parse_cookie cuts quoted values short';

describe('locus export --post', () => {
  let gh: FakeGh;
  let root: string;
  let dataDir: string;
  before(() => {
    root = gitRepository({ 'a.py': 'def f(): pass\n' });
    git(root, 'remote', 'add', 'origin', 'git@github.com:acme/shop.git');
    dataDir = temporaryFolder();
  });
  beforeEach(() => {
    gh = fakeGh();
  });
  afterEach(() => removeFolder(gh.folder));
  after(() => {
    removeFolder(root);
    removeFolder(dataDir);
  });

  async function run(args: string[], setting: Setting = {}) {
    const fake = fakeEngine(COOKIES);
    const env = {
      PATH: gh.path,
      HOME: dataDir,
      NO_COLOR: '1',
      LOCUS_DATA_DIR: dataDir,
      ...setting.env,
    };
    const done = await locus(fake, ['export', root, ISSUE, ...args], { ...setting, env });
    return { ...done, searched: fake.searched.length };
  }
  const terminal = (stdin: string): Setting => ({ stdin, seated: true, terminal: 100 });

  it('passes the Markdown to gh on its standard input, and prints the address', async () => {
    const markdown = (await run([])).stdout;
    assert.equal(gh.asked(), null);
    const { exitCode, stdout } = await run(['--post', 'psf/requests#6102', '--yes'], {
      env: { GH_HOST: 'ghe.acme.com', GH_DEBUG: 'api', GH_TOKEN: 'mine' },
    });
    assert.equal(exitCode, 0);
    assert.equal(
      stdout,
      'Posted to psf/requests#6102: https://github.com/psf/requests/issues/6102#issuecomment-99\n',
    );
    const { args = [], input, environment } = gh.asked() ?? {};
    // The repository includes the host, because GH_HOST would apply otherwise.
    assert.deepEqual(args, [
      ...['issue', 'comment', '6102', '--repo', 'github.com/psf/requests'],
      ...['--body-file', '-'],
    ]);
    assert.equal(input, markdown);
    assert.equal(environment?.GH_PROMPT_DISABLED, '1');
    assert.equal(environment?.GH_TOKEN, 'mine');
    assert.equal(environment?.GH_DEBUG, undefined);
  });

  it('accepts a number of the remote, a URL, pull requests and Enterprise hosts', async () => {
    for (const [given, number, repository] of [
      ['#7', '7', 'github.com/acme/shop'],
      ['https://github.com/o/r/pull/12/files', '12', 'github.com/o/r'],
      ['https://ghe.acme.com/o/r/issues/3#issuecomment-1', '3', 'ghe.acme.com/o/r'],
    ] as const) {
      const { json, exitCode } = await run(['--post', given, '--yes', '--json']);
      assert.equal(exitCode, 0, given);
      const { args } = gh.asked() ?? {};
      assert.deepEqual([args?.[2], args?.[4]], [number, repository]);
      assert.deepEqual(json(), {
        posted: {
          label: `${repository.replace('github.com/', '')}#${number}`,
          url: `https://${repository}/issues/${number}#issuecomment-99`,
        },
      });
    }
  });

  it('shows the whole text and asks at a terminal', async () => {
    const markdown = (await run([])).stdout;
    for (const no of ['\n', 'n\n', '', 'yess\n']) {
      const { exitCode, stderr } = await run(['--post', '#7'], terminal(no));
      assert.equal(exitCode, 2);
      assert.ok(stderr.startsWith(markdown), stderr);
      assert.match(stderr, /as your comment on acme\/shop#7, using gh\? \[y\/N\]/);
      assert.match(stderr, /Nothing was posted to acme\/shop#7: you did not agree/);
    }
    assert.equal(gh.asked(), null);
    const { exitCode, stdout } = await run(['--post', '#7'], terminal('y\n'));
    assert.equal(exitCode, 0);
    assert.match(stdout, /^Posted to acme\/shop#7: /);
    assert.equal(gh.asked()?.input, markdown);
  });

  it('neither posts nor searches if nobody can be asked', async () => {
    for (const setting of [{}, { terminal: 80, stdin: 'y\n' }, { seated: true, stdin: 'y\n' }]) {
      const { exitCode, stderr, searched } = await run(['--post', '#7'], setting);
      assert.equal(exitCode, 2);
      assert.match(stderr, /you did not agree[\s\S]*add --yes/);
      assert.equal(searched, 0);
    }
    assert.equal((await run(['--post', '#7', '--json'], terminal('y\n'))).exitCode, 2);
    assert.equal(gh.asked(), null);
  });

  it('refuses what gh cannot comment on, or what cannot be Markdown', async () => {
    for (const [args, says] of [
      [
        ['--post', 'https://gitlab.com/o/r/-/issues/1'],
        /gh cannot comment on issue #1 of o\/r, which is on gitlab\.com/,
      ],
      [['--post', 'http://ghe.acme.com/o/r/issues/1'], /is not encrypted/],
      [['--post', 'https://ghe.acme.com:8443/o/r/issues/1'], /has a port/],
      [['--post', '.'], /“\.” is not an issue/],
      [['--post'], /--post names no issue/],
      [['--post', '#7', '--format', 'json'], /--post cannot be combined with --format json/],
      [['--post', '#7', '-o', 'x.md'], /--post cannot be combined with --output/],
      [[], /--yes has no effect without --post/],
    ] as const) {
      const { exitCode, stderr, searched } = await run([...args, '--yes']);
      assert.equal(exitCode, 2, stderr);
      assert.match(stderr, says);
      assert.equal(searched, 0);
    }
    assert.equal(gh.asked(), null);
  });

  it('reports the message of gh for a failure, and what to do', async () => {
    for (const [says, remedy] of [
      [
        'To get started with GitHub CLI, please run:  gh auth login',
        /Run gh auth login --hostname github\.com/,
      ],
      [
        'GraphQL: Could not resolve to an issue or pull request with the number of 7.',
        /issues\/7 exists/,
      ],
      ['HTTP 403: \\033[31mlocked', /Check that the issue is not locked/],
      ['', /copy the Markdown and paste it/],
    ] as const) {
      gh.behave(`printf '${says}\\n' >&2; exit 1`);
      const { exitCode, stderr, stdout } = await run(['--post', '#7', '--yes']);
      assert.equal(exitCode, 7);
      assert.equal(stdout, '');
      assert.match(stderr, /gh did not post to acme\/shop#7: /);
      assert.match(stderr, remedy);
      assert.ok(!stderr.includes('\u001b'), stderr);
    }
  });

  it('says so without gh, and posts nothing when it is interrupted before', async () => {
    const bare = temporaryFolder();
    const none = await run(['--post', '#7', '--yes'], { env: { PATH: bare } });
    removeFolder(bare);
    assert.equal(none.exitCode, 7);
    assert.match(none.stderr, /GitHub’s command line, gh, is not installed/);
    const { exitCode } = await run(['--post', '#7', '--yes'], { signal: AbortSignal.abort() });
    assert.equal(exitCode, 130);
    assert.equal(gh.asked(), null);
  });

  it('keeps a comment within GitHub’s limit', async () => {
    const fake = fakeEngine(
      COOKIES.map((chunk) => ({ ...chunk, path: `${'long/'.repeat(20_000)}a.py` })),
    );
    const env = { PATH: gh.path, HOME: dataDir, LOCUS_DATA_DIR: dataDir };
    const args = ['export', root, ISSUE, '--post', '#7', '--yes'];
    const { exitCode, stderr } = await locus(fake, args, { env });
    assert.equal(exitCode, 2);
    assert.match(stderr, /a comment on GitHub can have at most 65536/);
    assert.equal(gh.asked(), null);
  });
});
