import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fetchIssue, makeFetchOffer } from '../../src/services/issue-urls/issue-urls.ts';
import { findToken } from '../../src/services/issue-urls/tokens.ts';
import type { CodeHostKind, IssueUrl } from '../../src/shared/issue-url.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { answer, createCodeHosts, githubIssue } from './code-host-server.ts';

const link = (origin: string, ...forges: [CodeHostKind, ...CodeHostKind[]]): IssueUrl => ({
  origin,
  project: 'acme/shop',
  number: 7,
  kind: 'issue',
  codeHosts: forges,
});

const NONE = { PATH: '/nowhere' };

describe('a token in the environment', () => {
  const of = async (forge: CodeHostKind, origin: string, env: Record<string, string>) => {
    const token = await findToken(forge, link(origin, forge), { ...NONE, ...env });
    return token && `${token.value} of ${token.from}`;
  };

  const GITHUB = { GITHUB_TOKEN: 'gh-secret' };
  const CASES: [CodeHostKind, string, Record<string, string>, string | null][] = [
    ['github', 'https://github.com', GITHUB, 'gh-secret of GITHUB_TOKEN'],
    ['github', 'https://github.com', { ...GITHUB, GH_TOKEN: 'x' }, 'x of GH_TOKEN'],
    ['github', 'https://github.com', { GH_TOKEN: ' \n', ...GITHUB }, 'gh-secret of GITHUB_TOKEN'],
    ['github', 'https://github.com.evil.org', GITHUB, null],
    ['github', 'https://ghe.acme.com', GITHUB, null],
    ['github', 'https://acme.ghe.com', GITHUB, null],
    [
      'github',
      'https://ghe.acme.com',
      { ...GITHUB, GH_HOST: 'ghe.acme.com' },
      'gh-secret of GITHUB_TOKEN',
    ],
    // Then it is for that host only.
    ['github', 'https://github.com', { ...GITHUB, GH_HOST: 'ghe.acme.com' }, null],
    ['github', 'https://ghe.acme.com:8443', { ...GITHUB, GH_HOST: 'ghe.acme.com' }, null],
    ['gitlab', 'https://github.com', GITHUB, null],
    ['gitlab', 'https://gitlab.com', { GITLAB_TOKEN: 'gl' }, 'gl of GITLAB_TOKEN'],
    ['gitlab', 'https://git.acme.com', { GITLAB_TOKEN: 'gl' }, null],
    [
      'gitlab',
      'https://git.acme.com',
      { GITLAB_TOKEN: 'gl', GITLAB_HOST: 'https://git.acme.com/' },
      'gl of GITLAB_TOKEN',
    ],
    ['gitea', 'https://gitea.com', { GITEA_TOKEN: 'gt' }, 'gt of GITEA_TOKEN'],
    [
      'gitea',
      'https://codeberg.org',
      { GITEA_TOKEN: 'gt', FORGEJO_TOKEN: 'fj' },
      'fj of FORGEJO_TOKEN',
    ],
    [
      'gitea',
      'https://git.acme.com',
      { FORGEJO_TOKEN: 'fj', FORGEJO_SERVER_URL: 'https://git.acme.com' },
      'fj of FORGEJO_TOKEN',
    ],
    [
      'gitea',
      'https://git.acme.com',
      { GITEA_TOKEN: 'gt', GITEA_SERVER_URL: 'nonsense at all' },
      null,
    ],
    // Not encrypted, but on this machine.
    [
      'gitea',
      'http://127.0.0.1:3000',
      { GITEA_TOKEN: 'gt', GITEA_SERVER_URL: 'http://127.0.0.1:3000' },
      'gt of GITEA_TOKEN',
    ],
    [
      'gitea',
      'http://git.acme.com',
      { GITEA_TOKEN: 'gt', GITEA_SERVER_URL: 'http://git.acme.com' },
      null,
    ],
  ];
  for (const [forge, origin, env, expected] of CASES) {
    it(`${forge} at ${origin} with ${Object.keys(env).join(', ')}: ${expected}`, async () => {
      assert.equal(await of(forge, origin, env), expected);
    });
  }

  it('is rejected if it cannot be sent, and is not in the error', async () => {
    const env = { GITHUB_TOKEN: 'gh-sec ret\u00e9' };
    await assert.rejects(of('github', 'https://github.com', env), (error: Error) => {
      assert.equal(error.message, 'The token from GITHUB_TOKEN contains invalid characters.');
      return true;
    });
  });
});

describe('a token of a tool', {
  skip: process.platform === 'win32' && 'the tools are scripts',
}, () => {
  const start = createCodeHosts();
  let bin: string;
  const log = () => readFileSync(join(bin, 'log'), 'utf8');
  const env = () => ({
    PATH: [bin, dirname(process.execPath)].join(delimiter),
    HOME: bin,
    LOG: join(bin, 'log'),
    GH_ENTERPRISE_TOKEN: 'for-another',
  });

  before(() => {
    bin = temporaryFolder();
    const tool = (body: string) =>
      `#!/usr/bin/env node\nrequire('fs').appendFileSync(process.env.LOG, JSON.stringify([process.argv.slice(2), process.cwd(), Object.keys(process.env)]) + '\\n');\nconst host = process.argv.at(-1).split('=')[1];\n${body}`;
    writeFiles(bin, {
      log: '',
      gh: tool(
        `if (host === 'github.com') console.log('gho_stored'); else { console.error('no oauth token'); process.exit(1); }`,
      ),
      // A setting for all hosts.
      glab: tool(`console.log(host === 'gitlab.acme.com' ? 'glpat-own' : 'glpat-global');`),
    });
    for (const name of ['gh', 'glab']) chmodSync(join(bin, name), 0o755);
  });
  after(() => removeFolder(bin));

  it('is only for the host that it is stored for', async () => {
    const token = (forge: CodeHostKind, origin: string) =>
      findToken(forge, link(origin, forge), {
        ...process.env,
        ...env(),
        PATH: `${bin}${delimiter}${process.env.PATH}`,
      });
    assert.deepEqual(await token('github', 'https://github.com'), {
      value: 'gho_stored',
      from: 'gh',
    });
    assert.equal(await token('github', 'https://ghe.acme.com'), null);
    assert.deepEqual(await token('gitlab', 'https://gitlab.acme.com'), {
      value: 'glpat-own',
      from: 'glab',
    });
    assert.equal(await token('gitlab', 'https://other.acme.com'), null);
    assert.equal(await token('gitea', 'https://codeberg.org'), null);
    const calls = log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(calls[0][0], ['auth', 'token', '--hostname=github.com']);
    for (const [, cwd, names] of calls) {
      assert.notEqual(cwd, process.cwd());
      assert.ok(!names.includes('GH_ENTERPRISE_TOKEN'));
      assert.ok(names.includes('GH_NO_UPDATE_NOTIFIER'));
    }
  });

  it('tells which kind of host it is', async () => {
    const server = await start((_, response) => answer(response, 200, githubIssue()));
    const mine = link(server.origin, 'gitea', 'github');
    const tokens = { ...NONE, GH_TOKEN: 'x', GH_HOST: new URL(server.origin).host };
    assert.equal((await makeFetchOffer(mine, [], tokens)).token, 'GH_TOKEN');
    assert.equal((await fetchIssue(mine, { env: tokens })).token, 'GH_TOKEN');
    assert.deepEqual(
      server.asked.map(({ url, headers }) => [url, headers.authorization]),
      [['/api/v3/repos/acme/shop/issues/7', 'Bearer x']],
    );
  });
});
