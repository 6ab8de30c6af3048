import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { describeMachine, listEditors } from '../../src/backend/editor.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { type Client, connect, indexed, workplace } from './support.ts';

describe('editors on this machine', () => {
  const { HOME, DISPLAY, PATH } = process.env;
  let home: string;
  before(() => {
    home = temporaryFolder();
    Object.assign(process.env, { HOME: home, DISPLAY: ':0', PATH: '' });
  });
  after(() => {
    for (const [name, value] of Object.entries({ HOME, DISPLAY, PATH })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    removeFolder(home);
  });

  it('are found in the folders of their installers, the highest version first', async () => {
    const pattern = join(home, 'ide-*/bin/run');
    for (const version of ['9.1', '10.2', '10.1']) {
      writeFiles(join(home, `ide-${version}/bin`), { run: '#!/bin/sh\n' });
      chmodSync(join(home, `ide-${version}/bin/run`), 0o755);
    }
    const { find } = describeMachine();
    assert.equal(find([pattern]), join(home, 'ide-10.2/bin/run'));
    assert.equal(find([join(home, 'ide-*/run')]), null);
    assert.equal(find([join(home, 'none/ide-*/run')]), null);

    const scripts = join(home, '.local/share/JetBrains/Toolbox/scripts');
    writeFiles(scripts, { pycharm: '#!/bin/sh\n', goland: 'not a program' });
    chmodSync(join(scripts, 'pycharm'), 0o755);
    const ids = listEditors().found.map(({ id }) => id);
    assert.ok(ids.includes('pycharm'), ids.join());
    assert.ok(!ids.includes('goland'), ids.join());
  });
});

describe('the user’s editor, opened for a window without a desktop', () => {
  const place = workplace();
  const { VISUAL } = process.env;
  let client: Client;
  let repository: string;

  before(async () => {
    process.env.VISUAL = process.execPath;
    client = connect(place.session);
    const done = indexed(client);
    repository = (await client.call('repository.open', { root: place.root })).id;
    await done;
  });
  after(async () => {
    if (VISUAL === undefined) delete process.env.VISUAL;
    else process.env.VISUAL = VISUAL;
    await place.done();
  });

  const open = (path: string) => client.call('editor.open', { repository, path, line: 4 });

  it('is the one of the environment', async () => {
    assert.match(await open('shop/cart.py'), /node/);
  });

  it('opens nothing outside of the repository', async () => {
    await assert.rejects(open('../../../../etc/passwd'), /is not a file in|no longer exists/);
    await assert.rejects(open('shop/none.py'), /no longer exists/);
  });

  it('is never a command from the settings, because a page could have written it', async () => {
    await client.call('settings.set', { editor: 'sh -c {file}' });
    await assert.rejects(open('shop/cart.py'), /cannot be started from a browser/);
    await client.call('settings.set', { editor: 'system' });
  });

  it('does not open files of a commit', async () => {
    const at = await client.call('repository.open', { root: place.root, revision: 'HEAD' });
    const asked = client.call('editor.open', { repository: at.id, path: 'shop/cart.py', line: 1 });
    await assert.rejects(asked, /not on disk/);
  });
});
