import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { MARKER } from '../../src/action/comment.ts';
import { putComment } from '../../src/action/post.ts';
import { startLoopbackHost } from '../support/loopback.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { answer, BOT, type Github, startGithub } from './github.ts';
import { COMMIT, list, opened, PROJECT } from './samples.ts';
import { runStep } from './step.ts';

const TOKEN = 'ghs_secret';

let github: Github;
let folder: string;
beforeEach(async () => {
  github = await startGithub();
  folder = temporaryFolder();
});
afterEach(async () => {
  await github.close();
  removeFolder(folder);
});

const post = (given: { list?: unknown; event?: unknown; env?: Record<string, string> } = {}) =>
  runStep(folder, {
    inputs: {
      mode: 'post',
      token: TOKEN,
      label: 'no-ranking',
      list: typeof given.list === 'string' ? given.list : JSON.stringify(given.list ?? list()),
    },
    event: given.event ?? opened(),
    env: { GITHUB_API_URL: github.origin, GITHUB_ACTION_REPOSITORY: 'acme/locus', ...given.env },
  });

describe('mode: post', () => {
  it('comments on an opened issue', async () => {
    const { code, outputs, summary, log } = await post();
    assert.equal(code, 0, log);
    assert.deepEqual(
      github.comments.map(({ body }) => body.split('\n')),
      [
        [
          MARKER,
          `**Where a fix may edit**: the first 1 of 1,416 functions at [\`0123456789ab\`](<https://github.com/acme/shop/tree/${COMMIT}>)`,
          '',
          `1. [\`parse_cookie\`](<https://github.com/acme/shop/blob/${COMMIT}/src/http/cookies.py#L42-L60>) function, \`src/http/cookies.py:42\``,
          '   Why: the issue mentions `parse_cookie` · among the most similar in meaning',
          '',
          '<sub>A suggestion of [Locus](<https://github.com/acme/locus>) 0.1.0, from the text of the issue. It changes when the issue is edited. The label `no-ranking` prevents that.</sub>',
          '',
        ],
      ],
    );
    assert.equal(outputs.comment, github.comments[0].html_url);
    assert.equal(summary, 'The comment on issue 7 is created.\n\n');
    for (const { headers } of github.heard) assert.equal(headers.authorization, `Bearer ${TOKEN}`);
    assert.doesNotMatch(log, /ghs_secret/);
  });

  it('updates its comment after an edit, and writes nothing if it is the same', async () => {
    await post();
    const edited = { ...opened({ title: 'parse_cookie cuts everything' }), action: 'edited' };
    assert.equal(
      (await post({ event: edited })).summary,
      'The comment on issue 7 is unchanged.\n\n',
    );
    const done = await post({ event: edited, list: list({ partial: 'Half is indexed' }) });
    assert.equal(done.summary, 'The comment on issue 7 is updated.\n\n');
    assert.equal(github.comments.length, 1);
    assert.match(github.comments[0].body, /\*\*Not final\*\*: Half is indexed\n/);
    assert.deepEqual(github.writes(), [
      'POST /repos/acme/shop/issues/7/comments',
      'PATCH /repos/acme/shop/issues/comments/100',
    ]);
  });

  it('leaves comments of others that have its marker, and its account’s that quote it', async () => {
    github.add(`${MARKER}\nfake`, 'stranger');
    github.add(`> ${MARKER}\nquoted`, BOT);
    const before = structuredClone(github.comments);
    await post();
    assert.deepEqual(github.comments.slice(0, 2), before);
    assert.equal(github.comments.length, 3);
  });

  it('finds its comment on a later page', async () => {
    for (let i = 0; i < 120; i++) github.add('me too', 'stranger');
    github.add(`${MARKER}\nold`, BOT);
    for (let i = 0; i < 5; i++) github.add('me too', 'stranger');
    await post();
    assert.deepEqual(github.writes(), ['PATCH /repos/acme/shop/issues/comments/220']);
  });

  it('skips an issue with too many comments', async () => {
    for (let i = 0; i < 1000; i++) github.add('me too', 'stranger');
    const { code, summary } = await post();
    assert.equal(code, 0);
    assert.match(summary, /more than 1000 comments/);
    assert.deepEqual(github.writes(), []);
  });

  for (const [what, event, reason] of [
    ['a pull request', opened({ pull_request: { url: 'x' } }), /pull request/],
    ['an event without an issue', { action: 'opened', pull_request: { number: 1 } }, /no issue/],
    ['a label', opened({ labels: [{ name: 'No-Ranking' }] }), /has the label/],
    ['a locked issue', opened({ locked: true }), /is locked/],
    ['a transferred issue', { ...opened(), action: 'transferred' }, /is gone/],
  ] as const)
    it(`ignores ${what}, and says so in the summary`, async () => {
      const { code, summary } = await post({ event });
      assert.equal(code, 0);
      assert.match(summary, reason);
      assert.equal(github.heard.length, 0);
    });

  it('comments and links in the fork whose issue it is', async () => {
    const event = { ...opened(), repository: { full_name: 'fork/shop', fork: true } };
    github.before = ({ method }, response) =>
      method === 'GET' ? answer(response, 200, []) : answer(response, 201, {});
    await post({ event, env: { GITHUB_REPOSITORY: 'fork/shop' } });
    assert.deepEqual(github.writes(), ['POST /repos/fork/shop/issues/7/comments']);
    assert.match(String(github.heard[1].body), /github\.com\/fork\/shop\/blob/);
  });

  it('names a missing permission', async () => {
    github.before = ({ method }, response) =>
      method === 'POST' &&
      answer(response, 403, { message: 'Resource not accessible by integration' });
    const { code, log } = await post();
    assert.equal(code, 1);
    assert.match(
      log,
      /::error::The token may not comment on issue 7 of acme\/shop\. .*issues: write/,
    );
    assert.equal(github.writes().length, 1);
  });

  it('names a rejected and a missing token', async () => {
    github.before = (_, response) => answer(response, 401, { message: 'Bad credentials' });
    assert.match((await post()).log, /::error::127\.0\.0\.1:\d+ rejected the token/);
    const { log } = await runStep(folder, {
      inputs: { mode: 'post', list: JSON.stringify(list()) },
      event: opened(),
    });
    assert.match(log, /::error::The input token is missing/);
  });

  for (const status of [404, 410])
    it(`ends with success if the issue is gone (${status})`, async () => {
      github.before = (_, response) => answer(response, status, { message: 'Not Found' });
      const { code, summary } = await post();
      assert.equal(code, 0);
      assert.match(summary, /has no issue 7 in acme\/shop/);
      assert.equal(github.heard.length, 1);
    });

  it('follows no redirect, and sends the token nowhere else', async () => {
    const other = await startLoopbackHost((_, response) => response.end('[]'));
    try {
      github.before = (_, response) =>
        answer(
          response,
          301,
          {},
          { location: `${other.origin}/repos/acme/shop/issues/7/comments` },
        );
      assert.equal((await post()).code, 0);
      assert.equal(other.connections(), 0);
    } finally {
      await other.close();
    }
  });

  it('sends the token only to an encrypted address', async () => {
    const { code, log } = await post({ env: { GITHUB_API_URL: 'http://api.github.example' } });
    assert.equal(code, 1);
    assert.match(log, /is not an https:\/\/ address/);
  });

  it('refuses an invalid list before any request', async () => {
    const { code, log } = await post({ list: '{' });
    assert.equal(code, 1);
    assert.match(log, /::error::The input list is invalid: the list\. Give the output list/);
    assert.equal(github.heard.length, 0);
  });
});

describe('attempts', () => {
  const put = (body = 'x') =>
    putComment(
      { api: github.origin, token: TOKEN, project: PROJECT, number: 7, author: BOT },
      `${MARKER}\n${body}`,
      () => 0,
    );
  /** Answers the first `count` requests that write with a failure. */
  const failWrites = (count: number, status: number, headers: Record<string, string> = {}) => {
    let left = count;
    github.before = ({ method }, response) =>
      method !== 'GET' && left-- > 0 && answer(response, status, {}, headers);
  };

  for (const [status, headers] of [
    [500, {}],
    [502, {}],
    [429, {}],
    [403, { 'retry-after': '0' }],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }],
  ] as [number, Record<string, string>][])
    it(`repeats after ${status} ${JSON.stringify(headers)}`, async () => {
      failWrites(2, status, headers);
      assert.equal((await put()).outcome, 'created');
      assert.equal(github.comments.length, 1);
    });

  it('gives up after four attempts', async () => {
    failWrites(9, 503);
    await assert.rejects(put(), /is not available now \(status 503\)/);
    assert.equal(github.writes().length, 4);
  });

  it('does not wait for a limit that ends much later', async () => {
    failWrites(1, 429, { 'retry-after': '3600' });
    await assert.rejects(put(), /too many requests/);
    assert.equal(github.writes().length, 1);
  });

  it('leaves no second comment if the answer to the first is lost', async () => {
    let isFirst = true;
    github.before = ({ method, body }, response) => {
      if (method !== 'POST' || !isFirst) return false;
      isFirst = false;
      github.add(JSON.parse(String(body)).body, BOT);
      response.socket?.destroy();
      return true;
    };
    assert.equal((await put()).outcome, 'unchanged');
    assert.equal(github.comments.length, 1);
  });

  it('refuses an answer that is not GitHub’s', async () => {
    github.before = (_, response) => answer(response, 200, { hello: 'world' });
    await assert.rejects(put(), /did not answer like GitHub/);
    assert.equal(github.writes().length, 0);
  });

  it('refuses a comment that is too long before any request', async () => {
    await assert.rejects(put('x'.repeat(65_536)), /more than 65536 characters/);
    assert.equal(github.heard.length, 0);
  });
});
