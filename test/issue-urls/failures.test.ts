import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { MAX_WAIT_MS, parseResetTime, parseRetryAfter } from '../../src/base/http.ts';
import { fetchIssue } from '../../src/services/issue-urls/issue-urls.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { CodeHostKind, IssueUrl } from '../../src/shared/issue-url.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { SELF_SIGNED } from './certificate.ts';
import { answer, type Behaviour, createCodeHosts, githubIssue } from './code-host-server.ts';

const TOKEN = 'ghp_S3cretThatNobodyIsToSee';
const alone = { PATH: '/nowhere' };

const linkOn = (origin: string, forge: CodeHostKind = 'github'): IssueUrl => ({
  origin,
  project: 'acme/shop',
  number: 7,
  kind: 'issue',
  codeHosts: [forge],
});

/** Returns the error, after checking that it holds no token. */
async function failure(promise: Promise<unknown>): Promise<LocusError> {
  const error = await promise.then(
    () => assert.fail('it was fetched'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof LocusError, String(error));
  assert.doesNotMatch(JSON.stringify([error.message, error.remedy, error.stack]), /S3cret/);
  assert.equal(error.cause, undefined);
  return error;
}

describe('an answer without an issue', () => {
  const start = createCodeHosts();
  const withToken = (origin: string) => ({
    ...alone,
    GITHUB_TOKEN: TOKEN,
    GH_HOST: new URL(origin).host,
  });

  const fails = async (
    behave: Behaviour,
    { token = false, forge = 'github' as CodeHostKind } = {},
  ) => {
    const server = await start(behave);
    const env = token ? withToken(server.origin) : alone;
    const error = await failure(fetchIssue(linkOn(server.origin, forge), { env }));
    return { error, said: error.message.replaceAll(server.origin, 'HOST'), server };
  };
  const status =
    (code: number, headers: Record<string, string> = {}): Behaviour =>
    ({ headers: asked }, response) =>
      // A code host that repeats what it was sent.
      answer(response, code, { message: `Bad: ${asked.authorization}` }, headers);

  const reset = Math.floor(Date.now() / 1000) + 3600;
  const local = (seconds: number) =>
    new Date(seconds * 1000).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  const CASES: [string, Behaviour, boolean, RegExp, RegExp][] = [
    [
      '404',
      status(404),
      false,
      /^HOST has no issue #7 of acme\/shop, or it is private and no token was sent\.$/,
      /gh auth login, or set GITHUB_TOKEN .* or paste/,
    ],
    [
      '404 with a token',
      status(404),
      true,
      /has no issue #7 of acme\/shop, or the token from GITHUB_TOKEN has no access to it\.$/,
      /Check the link and the token, or paste/,
    ],
    ['401', status(401), false, /requires a token for issue #7 of acme\/shop\.$/, /GITHUB_TOKEN/],
    [
      '401 with a token',
      status(401),
      true,
      /^HOST rejected the token from GITHUB_TOKEN\.$/,
      /Set a new token/,
    ],
    ['403', status(403), false, /requires a token for issue #7 of acme\/shop\.$/, /GITHUB_TOKEN/],
    [
      '403 with a token',
      status(403),
      true,
      /The token from GITHUB_TOKEN has no access to issue #7/,
      /single sign-on/,
    ],
    [
      '403 at the limit',
      status(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) }),
      false,
      new RegExp(
        `too many requests without a token\\. The limit ends ${local(reset)}, local time\\.$`,
      ),
      /Try again later\. Sign in/,
    ],
    [
      '429 with Retry-After',
      status(429, { 'retry-after': '120' }),
      true,
      /with the token from GITHUB_TOKEN\. The limit ends .*, local time\.$/,
      /Try again later/,
    ],
    ['429', status(429), false, /has received too many requests/, /[Pp]aste the text/],
    ...[
      '9'.repeat(20),
      '9'.repeat(400),
      '1e300',
      '8640000000000',
      'Thu, 01 Jan 275760 00:00:00 GMT',
    ].map((wait): [string, Behaviour, boolean, RegExp, RegExp] => [
      `429 with Retry-After: ${wait.slice(0, 40)}`,
      status(429, { 'retry-after': wait }),
      false,
      /has received too many requests without a token\.$/,
      /[Pp]aste/,
    ]),
    ...['9'.repeat(20), '9'.repeat(10), '0', '-1', '', 'Infinity', '0x10'].map(
      (time): [string, Behaviour, boolean, RegExp, RegExp] => [
        `429 with a limit that ends at “${time}”`,
        status(429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': time }),
        false,
        /has received too many requests without a token\.$/,
        /[Pp]aste/,
      ],
    ),
    [
      '403 with a limit that makes no sense',
      status(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }),
      false,
      /requires a token for/,
      /[Pp]aste/,
    ],
    [
      '410',
      status(410),
      false,
      /HOST no longer has issue #7 of acme\/shop: it was deleted, or issues are turned off/,
      /[Pp]aste the text/,
    ],
    ['500', status(500), false, /is not available now \(status 500\)\.$/, /later/],
    ['503', status(503), true, /is not available now \(status 503\)\.$/, /later/],
    [
      '418',
      status(418),
      false,
      /did not return issue #7 of acme\/shop \(status 418\)\.$/,
      /Check the link/,
    ],
    ['304 without a place', status(304), false, /\(status 304\)\.$/, /Check the link/],
    [
      'a page',
      (_, response) => response.writeHead(200).end('<h1>Sign in</h1>'),
      false,
      /did not answer like GitHub\.$/,
      /Check the link/,
    ],
    [
      'JSON of another form',
      (_, response) => answer(response, 200, { title: 7 }),
      false,
      /did not answer like GitHub\.$/,
      /Check/,
    ],
    [
      'JSON cut short',
      (_, response) => response.writeHead(200).end('{"title": "x'),
      false,
      /did not answer like GitHub\.$/,
      /Check/,
    ],
    [
      'a list',
      (_, response) => answer(response, 200, [githubIssue()]),
      false,
      /did not answer like GitHub\.$/,
      /Check/,
    ],
  ];
  for (const [name, behave, token, message, remedy] of CASES) {
    it(`${name}: says what happened, and what to do`, async () => {
      const { error, said, server } = await fails(behave, { token });
      assert.equal(error.code, 'not-fetched');
      assert.match(said, message);
      assert.match(error.remedy, remedy);
      assert.match(error.remedy, /[Pp]aste the text of the issue instead\.$/);
      assert.equal(server.asked.length, 1);
    });
  }

  it('says when GitLab’s limit ends, and how to sign in there', async () => {
    const headers = { 'ratelimit-remaining': '0', 'ratelimit-reset': String(reset) };
    const limited = await fails(status(429, headers), { forge: 'gitlab' });
    assert.ok(limited.said.includes(local(reset)), limited.said);
    assert.match((await fails(status(404), { forge: 'gitlab' })).error.remedy, /glab auth login/);
    assert.match((await fails(status(404), { forge: 'gitea' })).error.remedy, /FORGEJO_TOKEN/);
  });
});

describe('a wait that a host asks for', () => {
  it('is read from seconds and dates, and limited', () => {
    const soon = new Date(Date.now() + 60_000).toUTCString();
    assert.equal(parseRetryAfter('120'), 120_000);
    assert.ok(parseRetryAfter(soon) > 0 && parseRetryAfter(soon) <= 60_000);
    assert.ok(parseResetTime(String(Math.ceil(Date.now() / 1000) + 60)) > 0);
    for (const none of [null, '', ' ', '-5', 'soon', '0', 'NaN', 'Thu, 01 Jan 1970 00:00:00 GMT'])
      assert.equal(parseRetryAfter(none), 0, String(none));
    for (const far of ['9'.repeat(20), '9'.repeat(400), '01 Jan 275760 00:00:00 GMT'])
      assert.equal(parseRetryAfter(far), MAX_WAIT_MS);
    for (const none of [null, '', '-5', '1e9', 'Infinity', '1'])
      assert.equal(parseResetTime(none), 0);
    assert.equal(parseResetTime('9'.repeat(400)), MAX_WAIT_MS);
  });

  it('is a valid date for random values', () => {
    const draw = uniform();
    const letters = `${'0123456789'.repeat(4)}e+-., :xGMTJanZ`;
    for (let round = 0; round < scaleRounds(2_000); round++) {
      const length = Math.floor(draw() ** 3 * 400);
      const text = Array.from({ length }, () => letters[Math.floor(draw() * letters.length)]).join(
        '',
      );
      for (const ms of [parseRetryAfter(text), parseResetTime(text)]) {
        assert.ok(ms >= 0 && ms <= MAX_WAIT_MS, `seed ${SEED}: ${text}`);
        assert.doesNotThrow(() => new Date(Date.now() + ms).toISOString());
      }
    }
  });
});

describe('limits', () => {
  const start = createCodeHosts();
  const fetched = (origin: string, more: object = {}) =>
    fetchIssue(linkOn(origin), { env: alone, ...more });

  it('on size reject an answer larger than 2 MB, even if it is endless or compressed', async () => {
    const huge = await start((_, response) =>
      answer(response, 200, githubIssue({ body: 'x'.repeat(2_100_000) })),
    );
    assert.match((await failure(fetched(huge.origin))).message, /is larger than 2 MB\.$/);

    let written = 0;
    const endless = await start((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && response.write('"'.repeat(100_000))) written++;
      };
      response.on('drain', more);
      response.write('{"title": "');
      more();
    });
    assert.match((await failure(fetched(endless.origin))).message, /is larger than 2 MB\.$/);
    assert.ok(written < 400, `${written} pieces were read`);

    const { gzipSync } = await import('node:zlib');
    const bomb = gzipSync(Buffer.alloc(50_000_000, 32));
    const packed = await start((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bomb);
    });
    assert.match((await failure(fetched(packed.origin))).message, /is larger than 2 MB\.$/);
  });

  it('on time stop a slow host, at once or in the middle', async () => {
    const silent = await start(() => {});
    const error = await failure(fetched(silent.origin, { milliseconds: 100 }));
    assert.match(error.message, /did not answer within 0\.1 seconds\.$/);
    const dripping = await start((_, response) => {
      response.writeHead(200);
      response.write('{"title');
    });
    const late = await failure(fetched(dripping.origin, { milliseconds: 300 }));
    assert.match(late.message, /did not answer within 0\.3 seconds\.$/);
  });

  it('on time cover all requests together', async () => {
    let turn = 0;
    const server = await start(({ url }, response) => {
      if (!url.includes('comments')) answer(response, 200, githubIssue());
      else if (++turn === 1)
        answer(response, 200, Array(50).fill({ user: null, created_at: '', body: '' }));
    });
    const { notes, comments } = await fetched(server.origin, { milliseconds: 500, comments: true });
    assert.equal(comments, 50);
    assert.match(
      notes.join(),
      /^Some comments are missing: .* did not answer within 0\.5 seconds\.$/,
    );
  });

  it('let the user cancel without blaming the host', async () => {
    const controller = new AbortController();
    const silent = await start(() => controller.abort());
    const error = await failure(fetched(silent.origin, { signal: controller.signal }));
    assert.equal(error.code, 'cancelled');
    const before = await start(() => {});
    const at = await failure(fetched(before.origin, { signal: AbortSignal.abort() }));
    assert.equal(at.code, 'cancelled');
    assert.equal(before.asked.length, 0);
  });
});

describe('redirects', () => {
  const start = createCodeHosts();
  const to =
    (location: string, code = 301): Behaviour =>
    (_, response) => {
      response.writeHead(code, { location }).end();
    };

  it('are followed three times', async () => {
    let turn = 0;
    const server = await start((asked, response) => {
      if (turn++ < 3) to(`/next/${turn}`, 307)(asked, response);
      else answer(response, 200, githubIssue());
    });
    const { token } = await fetchIssue(linkOn(server.origin), { env: alone });
    assert.equal(token, null);
    assert.equal(server.asked.length, 4);

    const endless = await start(to('/again', 302));
    const error = await failure(fetchIssue(linkOn(endless.origin), { env: alone }));
    assert.match(error.message, /redirects more than 3 times\.$/);
    assert.equal(endless.asked.length, 4);
  });

  it('are not followed to another host, port, scheme or private address, and the token is not sent', async () => {
    const elsewhere = await start((_, response) => answer(response, 200, githubIssue()));
    const places = [
      `${elsewhere.origin}/api/v3/repos/acme/shop/issues/7`,
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]:80/',
      '//192.168.0.1/x',
      'https://127.0.0.1/x',
      'file:///etc/passwd',
      'http://',
    ];
    for (const place of places) {
      const server = await start(to(place));
      const env = { ...alone, GH_TOKEN: TOKEN, GH_HOST: new URL(server.origin).host };
      const error = await failure(fetchIssue(linkOn(server.origin), { env }));
      assert.match(
        error.message,
        /redirects to another host, which Locus does not follow\.$/,
        place,
      );
      assert.equal(server.asked.length, 1);
      assert.equal(server.asked[0]?.headers.authorization, `Bearer ${TOKEN}`);
    }
    assert.equal(elsewhere.asked.length, 0);
  });

  it('are not followed with a user name to the same host', async () => {
    const server = await start((_, response) => {
      const { host } = new URL(server.origin);
      response.writeHead(301, { location: `http://user:pass@${host}/x` }).end();
    });
    await failure(fetchIssue(linkOn(server.origin), { env: alone }));
    assert.equal(server.asked.length, 1);
  });
});

describe('connections', () => {
  const start = createCodeHosts();

  it('that are refused are reported', async () => {
    const gone = await start(() => {});
    await gone.close();
    const error = await failure(fetchIssue(linkOn(gone.origin), { env: alone }));
    assert.match(error.message, /^Nothing answers at 127\.0\.0\.1:\d+\.$/);
  });

  it('that break are reported', async () => {
    const server = await start((_, response) => response.destroy());
    const error = await failure(fetchIssue(linkOn(server.origin), { env: alone }));
    assert.match(error.message, /^The connection to 127\.0\.0\.1:\d+ failed/);
    assert.match(error.remedy, /NODE_USE_ENV_PROXY=1/);
  });

  it('to unknown host names are reported', async () => {
    const error = await failure(fetchIssue(linkOn('https://forge.invalid'), { env: alone }));
    assert.match(
      error.message,
      /^The host name forge\.invalid is unknown, or the network is down\.$/,
    );
  });

  it('with an untrusted certificate are reported', async () => {
    const server = createServer(SELF_SIGNED, (_, response) => response.end('{}'));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    try {
      const error = await failure(fetchIssue(linkOn(`https://127.0.0.1:${port}`), { env: alone }));
      assert.match(error.message, /^The certificate of 127\.0\.0\.1:\d+ is not trusted \(\w+\)\.$/);
      assert.match(error.remedy, /NODE_EXTRA_CA_CERTS/);
    } finally {
      server.close();
    }
  });
});
