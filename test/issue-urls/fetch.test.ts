import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CODE_HOSTS } from '../../src/services/issue-urls/code-hosts.ts';
import { fetchIssue } from '../../src/services/issue-urls/issue-urls.ts';
import { type IssueUrl, parsePastedUrl } from '../../src/shared/issue-url.ts';
import { VERSION } from '../../src/shared/version.ts';
import {
  answer,
  BODY,
  createCodeHosts,
  githubComment,
  githubIssue,
  gitlabIssue,
  gitlabNote,
  serving,
  TITLE,
} from './code-host-server.ts';

function linkTo(text: string): IssueUrl {
  const pasted = parsePastedUrl(text);
  assert.equal(pasted?.is, 'link');
  return pasted.link;
}

/** Environment without tools that store tokens, and without tokens. */
const env = { PATH: '/nowhere' };
const TEXT = `${TITLE}\n\n${BODY.replaceAll('\r\n', '\n').trim()}\n`;

/** All headers that a request may have. */
const HEADERS = (host: string, more: object = {}) => ({
  host,
  connection: 'keep-alive',
  accept: 'application/json',
  'user-agent': `locus/${VERSION}`,
  // Node’s fetch adds these. None of them is about the user.
  'accept-encoding': 'gzip, deflate',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  ...more,
});

describe('an issue on GitHub', () => {
  const start = createCodeHosts();

  it('is requested with nothing but the necessary headers', async () => {
    const server = await start(serving({ '/api/v3/repos/acme/shop/issues/7': githubIssue() }));
    const fetched = await fetchIssue(linkTo(`${server.origin}/acme/shop/pull/7/files`), { env });
    const host = server.origin.slice('http://'.length);
    assert.deepEqual(server.asked, [
      {
        method: 'GET',
        url: '/api/v3/repos/acme/shop/issues/7',
        headers: HEADERS(host, {
          accept: 'application/vnd.github+json',
          'x-github-api-version': '2022-11-28',
        }),
      },
    ]);
    assert.deepEqual(fetched, {
      text: TEXT,
      source: { label: 'acme/shop#7', url: `${server.origin}/acme/shop/pull/7` },
      host: server.origin,
      apiHost: host,
      token: null,
      comments: 0,
      notes: [],
    });
  });

  it('includes comments from several pages if requested', async () => {
    const page = (count: number, from: number) =>
      Array.from({ length: count }, (_, i) => githubComment(`comment ${from + i}`));
    const path = '/api/v3/repos/acme/shop/issues/7';
    const server = await start(
      serving({
        [path]: githubIssue(),
        [`${path}/comments?per_page=50&page=1`]: page(50, 1),
        [`${path}/comments?per_page=50&page=2`]: [...page(2, 51), githubComment('last', null)],
      }),
    );
    const link = linkTo(`${server.origin}/acme/shop/pull/7`);
    const { text, comments, notes } = await fetchIssue(link, { env, comments: true });
    assert.equal(comments, 53);
    assert.deepEqual(notes, []);
    assert.ok(text.startsWith(TEXT));
    assert.match(text, /\n## Comment by hubot, 2026-05-01\n\ncomment 52\n/);
    assert.ok(text.endsWith('## Comment by ghost, 2026-05-01\n\nlast\n'));
    assert.equal(server.asked.length, 3);
  });

  it('includes as many comments as fit, and says that there are more', async () => {
    const server = await start(({ url }, response) =>
      url.includes('comments')
        ? answer(response, 200, Array(50).fill(githubComment('again')))
        : answer(response, 200, githubIssue()),
    );
    const link = linkTo(`${server.origin}/acme/shop/pull/7`);
    const many = await fetchIssue(link, { env, comments: true });
    assert.equal(many.comments, 200);
    assert.deepEqual(many.notes, ['Only the first 200 comments were fetched.']);
    assert.equal(server.asked.length, 5);

    const long = await start(({ url }, response) =>
      url.includes('comments')
        ? answer(response, 200, Array(5).fill(githubComment('x'.repeat(60_000))))
        : answer(response, 200, githubIssue()),
    );
    const few = await fetchIssue(linkTo(`${long.origin}/a/b/pull/7`), { env, comments: true });
    assert.equal(few.comments, 3);
    assert.deepEqual(few.notes, ['Only the first 3 comments were fetched.']);
  });

  it('is fetched even if its comments fail', async () => {
    const path = '/api/v3/repos/acme/shop/issues/7';
    const server = await start(
      serving({
        [path]: githubIssue(),
        [`${path}/comments?per_page=50&page=1`]: (_, response) => answer(response, 502, {}),
      }),
    );
    const link = linkTo(`${server.origin}/acme/shop/pull/7`);
    const fetched = await fetchIssue(link, { env, comments: true });
    assert.equal(fetched.text, TEXT);
    assert.match(
      fetched.notes.join(),
      /^Some comments are missing: .* is not available now \(status 502\)\.$/,
    );
  });

  it('may have no body, and any title', async () => {
    const title = '  two\r\nlines\u2028 here ';
    const server = await start((_, response) => {
      answer(response, 200, githubIssue({ body: null, title }));
    });
    const { text } = await fetchIssue(linkTo(`${server.origin}/a/b/pull/7`), { env });
    assert.equal(text, 'two lines here\n');
  });

  it('is found if its repository was renamed on the same host', async () => {
    const server = await start(
      serving({
        '/api/v3/repos/old/name/issues/7': (_, response) =>
          answer(
            response,
            301,
            { message: 'Moved Permanently' },
            {
              location: '/api/v3/repositories/42/issues/7',
            },
          ),
        '/api/v3/repositories/42/issues/7': githubIssue(),
      }),
    );
    const { text } = await fetchIssue(linkTo(`${server.origin}/old/name/pull/7`), { env });
    assert.equal(text, TEXT);
  });

  it('is requested from the API’s own host for github.com', async () => {
    const { github } = CODE_HOSTS;
    const cases = [
      ['https://github.com/o/r/pull/1', 'https://api.github.com/repos/o/r/issues/1'],
      ['https://acme.ghe.com/o/r/issues/1', 'https://api.acme.ghe.com/repos/o/r/issues/1'],
      [
        'https://github.com.evil.org/o/r/pull/1',
        'https://github.com.evil.org/api/v3/repos/o/r/issues/1',
      ],
    ];
    for (const [address = '', api] of cases) {
      const link = linkTo(address);
      assert.equal(github.api(link.origin) + github.issuePath(link), api);
    }
  });
});

describe('an issue on GitLab', () => {
  const start = createCodeHosts();

  it('is requested by the complete path of its project', async () => {
    const path = '/api/v4/projects/g%2Fs%2Fp/issues/7';
    const notes = `${path}/notes?order_by=created_at&sort=asc&per_page=50&page=`;
    const server = await start(
      serving({
        [path]: gitlabIssue(),
        [`${notes}1`]: [
          ...Array.from({ length: 49 }, () => gitlabNote('changed the description', true)),
          gitlabNote('Me too.'),
        ],
        [`${notes}2`]: [gitlabNote('assigned to @root', true)],
      }),
    );
    const link = linkTo(`${server.origin}/g/s/p/-/issues/7#note_1`);
    const fetched = await fetchIssue(link, { env, comments: true });
    assert.equal(fetched.text, `${TEXT}\n## Comment by pipin, 2026-10-02\n\nMe too.\n`);
    assert.equal(fetched.source.label, 'g/s/p#7');
    assert.equal(fetched.comments, 1);
    assert.equal(server.asked.length, 3);
    assert.deepEqual(server.asked[0]?.headers, HEADERS(server.origin.slice(7)));
  });

  it('may be a merge request', async () => {
    const path = '/api/v4/projects/g%2Fp/merge_requests/7';
    const server = await start(serving({ [path]: gitlabIssue({ description: null }) }));
    const { text, source } = await fetchIssue(
      linkTo(`${server.origin}/g/p/-/merge_requests/7/diffs`),
      { env },
    );
    assert.equal(text, `${TITLE}\n`);
    assert.equal(source.label, 'g/p!7');
  });
});

describe('an issue on Gitea or Forgejo', () => {
  const start = createCodeHosts();

  it('is requested with its comments, which have no pages', async () => {
    const path = '/api/v1/repos/acme/shop/issues/7';
    const server = await start(
      serving({
        [path]: githubIssue(),
        [`${path}/comments`]: Array(60).fill(githubComment('+1')),
      }),
    );
    const link = linkTo(`${server.origin}/acme/shop/pulls/7`);
    const { comments } = await fetchIssue(link, { env, comments: true });
    assert.equal(comments, 60);
    assert.equal(server.asked.length, 2);
  });

  it('is requested first if the kind of host is unknown, then as on other hosts', async () => {
    const server = await start(serving({ '/api/v3/repos/acme/shop/issues/7': githubIssue() }));
    const fetched = await fetchIssue(linkTo(`${server.origin}/acme/shop/issues/7`), { env });
    assert.equal(fetched.text, TEXT);
    assert.deepEqual(
      server.asked.map(({ url }) => url),
      ['/api/v1/repos/acme/shop/issues/7', '/api/v3/repos/acme/shop/issues/7'],
    );
  });
});
