/** Choices of `npm start`, with a mirror of Electron's downloads on this machine. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { findElectron } from '../../src/cli/electron.ts';
import { pretendMusl } from '../support/musl.ts';
import { writeFiles } from '../support/repository.ts';
import { ARCHIVE, ARCHIVE_NAME, FakeElectron } from './fake-electron.ts';

const INSTALLED = ['checksums.json', 'dist', 'package.json', 'path.txt'];
const WITHOUT = ['checksums.json', 'package.json'];

interface Failing {
  respond: (response: ServerResponse) => unknown;
  says: RegExp;
  requests: number;
}

describe('npm start', { skip: process.platform === 'win32' && 'the stand-in is a script' }, () => {
  let electron: FakeElectron;
  beforeEach(async () => {
    electron = new FakeElectron();
    await electron.start();
  });
  afterEach(() => electron.close());

  const requests = () => electron.mirror.heard.map(({ url }) => url);

  it('asks once, with host and size, and installs Electron; the next start asks nothing', async () => {
    const { program, printed } = await electron.choose({ answer: 'y\n' });
    assert.match(
      printed,
      /^The desktop app needs Electron 99\.0\.0\. Download it from 127\.0\.0\.1:/,
    );
    assert.match(printed, /\(about 120 MB\)/);
    assert.match(printed, / of 160 kB downloaded/);
    assert.equal(
      execFileSync(program ?? '', ['/app'], { encoding: 'utf8' }),
      'Electron opens /app\n',
    );
    assert.deepEqual(electron.listFiles(), INSTALLED);
    assert.deepEqual(requests(), [`/v99.0.0/${ARCHIVE_NAME}`]);
    assert.deepEqual(await electron.choose({ answer: '' }), { program, printed: '' });
    assert.deepEqual(await electron.choose(), { program, printed: '' });
  });

  it('remembers a refusal until --desktop', async () => {
    const refused = await electron.choose({ answer: 'n\n' });
    assert.equal(refused.program, null);
    assert.match(
      refused.printed,
      /To change your mind, use npm start -- --desktop\.\nlocus: The app opens in the browser\.\n$/,
    );
    const again = await electron.choose({ answer: 'y\n' });
    assert.equal(again.program, null);
    assert.equal(
      again.printed,
      'locus: Electron is not installed, and you chose the browser. npm start -- --desktop downloads Electron.\nlocus: The app opens in the browser.\n',
    );
    assert.deepEqual(requests(), []);
    const wanted = await electron.choose({ args: ['--desktop'] });
    assert.ok(wanted.program);
    assert.match(wanted.printed, /^locus: Downloading Electron 99\.0\.0 from 127/);
    // The program is missing again after npm ci, and the refusal is forgotten.
    writeFiles(electron.folder, { 'path.txt': 'missing' });
    assert.doesNotMatch((await electron.choose({ answer: '\n' })).printed, /you chose the browser/);
  });

  for (const answer of ['\n', '', 'maybe\n'])
    it(`takes ${JSON.stringify(answer)} as not now, and asks again the next time`, async () => {
      const { program, printed } = await electron.choose({ answer });
      assert.equal(program, null);
      assert.match(printed, /The next npm start asks again\.\nlocus: The app opens in the browser/);
      assert.deepEqual(requests(), []);
      assert.ok((await electron.choose({ answer: 'y\n' })).program);
    });

  it('asks and downloads nothing without a terminal, with one line on how to', async () => {
    const { program, printed } = await electron.choose();
    assert.equal(program, null);
    assert.match(
      printed,
      /^locus: Electron is not installed\. npm start -- --desktop downloads it \(about 120 MB\)\.\n/,
    );
    assert.equal(electron.mirror.connections(), 0);
  });

  it('uses the browser for --browser, without a screen, and without the package', async () => {
    const { program } = await electron.choose({ args: ['--desktop'] });
    assert.ok(program);
    assert.deepEqual(await electron.choose({ args: ['--browser'] }), {
      program: null,
      printed: '',
    });
    if (process.platform === 'linux') {
      const { program: none, printed } = await electron.choose({ env: {} });
      assert.equal(none, null);
      assert.match(printed, /no screen/);
    }
    const missing = await electron.choose({ electronFolder: null });
    assert.match(missing.printed, /Run npm ci\.\nlocus: The app opens in the browser/);
  });

  it('uses the browser on musl, for which there is no Electron', {
    skip: process.platform !== 'linux' && 'musl is a library of Linux',
  }, async (t) => {
    pretendMusl(t);
    const { program, printed } = await electron.choose({ args: ['--desktop'] });
    assert.equal(program, null);
    assert.match(printed, /^locus: Electron has no program for Linux with musl\./);
    assert.equal(electron.mirror.connections(), 0);
  });

  it('installs from the cache of Electron’s archives without a question', async () => {
    await electron.choose({ args: ['--desktop'] });
    writeFiles(electron.folder, { 'path.txt': 'missing' });
    const { program, printed } = await electron.choose({ answer: 'n\n' });
    assert.ok(program);
    assert.equal(printed, '');
    assert.equal(requests().length, 1);
  });

  it('follows a redirect', async () => {
    electron.respond = ({ url }, response) => {
      if (url === '/archive') response.end(ARCHIVE);
      else response.writeHead(302, { location: '/archive' }).end();
    };
    assert.ok((await electron.choose({ answer: 'y\n' })).program);
    assert.deepEqual(requests(), [`/v99.0.0/${ARCHIVE_NAME}`, '/archive']);
  });

  const failures = {
    'a wrong checksum': {
      respond: (response) => response.end(Buffer.from(ARCHIVE).fill(0, 50, 60)),
      says: /has the sha256 [0-9a-f]{64}, not [0-9a-f]{64}\./,
      requests: 1,
    },
    'a missing archive': {
      respond: (response) => response.writeHead(404).end(),
      says: /does not send the file \(status 404\)/,
      requests: 1,
    },
    'a transfer that ends early': {
      respond: (response) => {
        response.writeHead(200, { 'content-length': ARCHIVE.length });
        response.write(ARCHIVE.subarray(0, 50_000), () => response.destroy());
      },
      says: /was interrupted: /,
      requests: 3,
    },
    'a redirect to an address that is not encrypted': {
      respond: (response) => response.writeHead(302, { location: 'http://mirror.example/' }).end(),
      says: /redirects to http:\/\/mirror\.example, which is not encrypted/,
      requests: 1,
    },
  } satisfies Record<string, Failing>;

  for (const [name, { respond, says, requests: count }] of Object.entries<Failing>(failures))
    it(`opens the browser after ${name}, and leaves nothing`, async () => {
      electron.respond = (_, response) => respond(response);
      const { program, printed } = await electron.choose({ answer: 'y\n' });
      assert.equal(program, null);
      assert.match(printed, /locus: Electron was not installed\. /);
      assert.match(printed, says);
      assert.match(printed, /\nlocus: The app opens in the browser\.\n$/);
      assert.deepEqual(electron.listFiles(), WITHOUT);
      assert.equal(requests().length, count);
    });

  it('opens the browser if the mirror cannot be reached or is invalid', async () => {
    await electron.mirror.close();
    const unreachable = await electron.choose({ answer: 'y\n' });
    assert.match(unreachable.printed, /was interrupted: ECONNREFUSED/);
    process.env.ELECTRON_MIRROR = 'mirror';
    const invalid = await electron.choose({ answer: 'y\n' });
    assert.match(invalid.printed, /is invalid\. Correct ELECTRON_MIRROR\./);
    assert.deepEqual([unreachable.program, invalid.program], [null, null]);
  });

  it('opens the browser on a system without an Electron', async () => {
    electron.writePackage({ 'electron-v99.0.0-other-arch.zip': 'ab' });
    const { program, printed } = await electron.choose({ answer: 'y\n' });
    assert.equal(program, null);
    assert.match(printed, /Electron has no program for /);
    assert.deepEqual(requests(), []);
  });

  it('ends when the download is interrupted, and leaves nothing', async () => {
    const interruption = new AbortController();
    electron.respond = (_, response) => {
      response.writeHead(200, { 'content-length': ARCHIVE.length });
      response.write(ARCHIVE.subarray(0, 50_000), () => interruption.abort());
    };
    await assert.rejects(electron.choose({ answer: 'y\n', signal: interruption.signal }), {
      code: 'cancelled',
    });
    assert.deepEqual(electron.listFiles(), WITHOUT);
  });

  it('ends when the question is interrupted', async () => {
    const interruption = new AbortController();
    const onPrinted = () => interruption.abort();
    await assert.rejects(
      electron.choose({ answer: 'y\n', signal: interruption.signal, onPrinted }),
      { code: 'cancelled' },
    );
    assert.deepEqual(requests(), []);
  });

  it('does not start an Electron whose installation did not end', async () => {
    const { program } = await electron.choose({ args: ['--desktop'] });
    assert.equal(findElectron({}, electron.folder), program);
    rmSync(join(electron.folder, 'path.txt'));
    assert.equal(findElectron({}, electron.folder), null);
  });
});
