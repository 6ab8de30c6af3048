/** The real electron-updater, without Electron, against a server on this machine. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type AppImageUpdate, updateAppImage } from '../../src/main/app-image.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { type Behaviour, createCodeHosts } from '../issue-urls/code-host-server.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const NEW = `#!/bin/sh\necho newer\n${'#'.repeat(100_000)}`;
const LIST = process.arch === 'x64' ? '/latest-linux.yml' : `/latest-linux-${process.arch}.yml`;
const sha512 = (text: string) => createHash('sha512').update(text).digest('base64');

/** Returns the list of a release, as electron-builder writes it. */
const list = (version = '1.3.0', digest = sha512(NEW), name = `Locus-${version}.AppImage`) =>
  [
    `version: ${version}`,
    'files:',
    `  - url: ${name}`,
    `    sha512: ${digest}`,
    `    size: ${NEW.length}`,
    `path: ${name}`,
    `sha512: ${digest}`,
    "releaseDate: '2026-11-28T10:00:00.000Z'",
    '',
  ].join('\n');

/** Serves a list and the AppImage. */
const releasing =
  (text: string, image: Behaviour = (_, response) => response.end(NEW)): Behaviour =>
  (asked, response) => {
    const [path = ''] = asked.url.split('?');
    if (path === LIST) response.end(text);
    else if (path.endsWith('.AppImage')) image(asked, response);
    else response.writeHead(404).end();
  };

describe('an update of the AppImage', {
  skip: process.platform !== 'linux' && 'an AppImage runs on Linux',
}, () => {
  const start = createCodeHosts();
  const { APPIMAGE: earlier } = process.env;
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder, 'Locus.AppImage');
    writeFileSync(file, 'old', { mode: 0o755 });
    process.env.APPIMAGE = file;
  });
  afterEach(() => {
    if (earlier === undefined) delete process.env.APPIMAGE;
    else process.env.APPIMAGE = earlier;
    removeFolder(folder);
  });

  const update = (origin: string, change: Partial<AppImageUpdate> = {}) => {
    const configuration = join(folder, 'app-update.yml');
    writeFileSync(
      configuration,
      `provider: generic\nurl: ${origin}\nupdaterCacheDirName: locus-updater\n`,
    );
    return updateAppImage({ file, configuration, installed: '1.2.3', version: '1.3.0', ...change });
  };

  /** Returns the failure of an update, which changes nothing. */
  async function fail(behave: Behaviour, change?: Partial<AppImageUpdate>) {
    const { origin, asked } = await start(behave);
    const error = await update(origin, change).then(
      () => assert.fail('it was updated'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof LocusError, String(error));
    assert.equal(readFileSync(file, 'utf8'), 'old');
    assert.deepEqual(readdirSync(folder).sort(), ['Locus.AppImage', 'app-update.yml']);
    return { message: error.message, code: error.code, asked };
  }

  it('replaces the file, and leaves nothing else', async () => {
    const { origin, asked } = await start(releasing(list()));
    const fractions: number[] = [];
    await update(origin, { onProgress: (fraction) => fractions.push(fraction) });
    assert.equal(readFileSync(file, 'utf8'), NEW);
    assert.equal(statSync(file).mode & 0o777, 0o755);
    assert.deepEqual(readdirSync(folder).sort(), ['Locus.AppImage', 'app-update.yml']);
    assert.equal(fractions.at(-1), 1);
    assert.deepEqual(
      asked.map(({ url }) => url.split('?')[0]),
      [LIST, '/Locus-1.3.0.AppImage'],
    );
  });

  it('sends nothing about the user', async () => {
    const { origin, asked } = await start(releasing(list()));
    await update(origin);
    for (const { method, headers } of asked) {
      assert.equal(method, 'GET');
      assert.deepEqual(headers, {
        host: new URL(origin).host,
        connection: 'keep-alive',
        accept: '*/*',
        'user-agent': 'locus',
      });
    }
  });

  it('follows the redirects of a release page', async () => {
    const storage = await start(releasing(''));
    const { origin } = await start(
      releasing(list(), (_, response) =>
        response.writeHead(302, { location: `${storage.origin}/x.AppImage?token=1` }).end(),
      ),
    );
    await update(origin);
    assert.equal(readFileSync(file, 'utf8'), NEW);
    assert.equal(storage.asked.length, 1);
  });

  it('refuses another file than the list names, and another version than was agreed to', async () => {
    const other = await fail(releasing(list('1.3.0', sha512('other'))));
    assert.match(
      other.message,
      /^The update failed \(ERR_CHECKSUM_MISMATCH\)\. Nothing was changed/,
    );
    for (const version of ['1.4.0', '1.2.3', '0.1.0']) {
      const { message, asked } = await fail(releasing(list(version)));
      assert.match(message, /^The newest release is not 1\.3\.0, which you agreed to\.$/);
      assert.equal(asked.length, 1);
    }
    // An older version is no update, even if it was agreed to.
    await fail(releasing(list('1.0.0')), { version: '1.0.0' });
  });

  const hostile: Record<string, Behaviour> = {
    'no digest': releasing('version: 1.3.0\npath: Locus-1.3.0.AppImage\n'),
    'no list': releasing('{'),
    'a page': releasing('<h1>\u001b[2JSign in</h1>'),
    'an object': releasing('version: {}\n'),
    'no file': releasing('version: 1.3.0\n'),
    'no version': releasing(list('latest')),
    'a file that ends early': releasing(list(), (_, response) => {
      response.writeHead(200, { 'content-length': String(NEW.length) });
      response.write('#!');
      setTimeout(() => response.destroy(), 50);
    }),
    'a missing file': releasing(list(), (_, response) => response.writeHead(404).end()),
    'a list without an end': (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('#'.repeat(100_000)));
      };
      response.on('drain', more);
      more();
    },
    'a loop of redirects to the list': ({ url }, response) =>
      response.writeHead(302, { location: url }).end(),
    'a loop of redirects to the file': releasing(list(), ({ url }, response) =>
      response.writeHead(302, { location: url }).end(),
    ),
    'a redirect to an unencrypted host': releasing(list(), (_, response) =>
      response.writeHead(302, { location: 'http://192.0.2.1/x.AppImage' }).end(),
    ),
    'a redirect to a file': releasing(list(), (_, response) =>
      response.writeHead(302, { location: 'file:///bin/sh' }).end(),
    ),
  };
  for (const [name, behave] of Object.entries(hostile))
    it(`refuses ${name}, and quotes nothing`, async () => {
      const { message, asked } = await fail(behave);
      assert.match(message, /^[\x20-\x7e]+$/);
      assert.doesNotMatch(message, /Sign in/);
      assert.ok(asked.length <= 10, `${asked.length} requests`);
    });

  it('keeps the file inside its folder, whatever the list calls it', async () => {
    const { origin } = await start(releasing(list('1.3.0', sha512(NEW), '../../../evil.AppImage')));
    await update(origin);
    assert.equal(readFileSync(file, 'utf8'), NEW);
    assert.equal(existsSync(join(folder, '../evil.AppImage')), false);
  });

  it('ends in time if the file arrives forever', async () => {
    const { code } = await fail(
      releasing(list(), (_, response) => {
        const timer = setInterval(() => response.write('#'), 20);
        response.on('close', () => clearInterval(timer));
      }),
      { milliseconds: 500 },
    );
    assert.equal(code, 'not-fetched');
  });

  it('says that the folder cannot be written to, without a request', async () => {
    const { origin, asked } = await start(releasing(list()));
    await assert.rejects(update(origin, { file: '/proc/Locus.AppImage' }), {
      code: 'bad-input',
      message: 'The folder /proc of the AppImage is not writable.',
    });
    assert.equal(asked.length, 0);
  });
});
