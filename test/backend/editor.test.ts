import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, connect, indexed, workplace } from './support.ts';

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
    await assert.rejects(open('../../../../etc/passwd'), /is not a file of|not there/);
    await assert.rejects(open('shop/none.py'), /not there any more/);
  });

  it('is no command from the settings, where a page could have put it', async () => {
    await client.call('settings.set', { editor: 'sh -c {file}' });
    await assert.rejects(open('shop/cart.py'), /cannot be started from a browser/);
    await client.call('settings.set', { editor: 'system' });
  });

  it('shows no commit, whose files are elsewhere', async () => {
    const at = await client.call('repository.open', { root: place.root, revision: 'HEAD' });
    const asked = client.call('editor.open', { repository: at.id, path: 'shop/cart.py', line: 1 });
    await assert.rejects(asked, /this is a commit/);
  });
});
