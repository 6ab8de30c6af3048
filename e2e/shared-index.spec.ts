/** The shared index in the window: set up in the settings, used when a repository is opened, turned off. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { keyOf, publishFrom } from '../test/shared-index/laptops.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../test/support/repository.ts';
import { checkAccessibility, hashFor, type Stage, setStage } from './support.ts';
import { keepTraces } from './traces.ts';

/** Serves a folder over HTTP, and answers only after `release`. */
async function held(folder: string) {
  const released = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    await released.promise;
    const file = join(folder, new URL(request.url ?? '/', 'http://localhost').pathname);
    if (existsSync(file)) createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    released.resolve();
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${port}/`, release: released.resolve, close };
}

describe('the shared index', () => {
  const publisher = temporaryFolder('locus-publisher-');
  let root: string;
  let shared: Awaited<ReturnType<typeof held>>;
  let stage: Stage;
  keepTraces();

  before(async () => {
    root = gitRepository(syntheticPackage(20));
    const home = join(root, '..');
    const folder = join(root, '.git', 'shared');
    await publishFrom(root, publisher, folder);
    shared = await held(folder);
    stage = await setStage(home);
  });
  after(async () => {
    await stage?.close();
    shared?.close();
    for (const one of [publisher, root]) removeFolder(one);
  });

  it('is set up, used with the next repository, and turned off', async () => {
    const page = await stage.open();
    await page.getByRole('heading', { name: 'Where do I edit' }).waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('bucket team');
    await page.getByRole('option', { name: 'Set up shared index' }).waitFor();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('tabpanel', { name: 'Shared index' });
    await panel.getByText('No shared index is set up.').waitFor();
    const apply = panel.getByRole('button', { name: 'Apply' });
    assert.ok(await apply.isDisabled());
    await panel.getByRole('textbox', { name: 'Location' }).fill(shared.address);
    await panel.getByRole('textbox', { name: 'Trusted publishers' }).fill('ed25519:short');
    await apply.click();
    await panel.getByRole('alert').getByText('ed25519:short is not a public key').waitFor();
    await checkAccessibility(page, 'an invalid key');
    await panel
      .getByRole('textbox', { name: 'Trusted publishers' })
      .fill(`${await keyOf(publisher)}\n`);
    await panel.getByRole('textbox', { name: 'Location' }).press('Enter');
    await panel.getByText('use this shared index').waitFor();
    assert.equal(
      await panel.getByRole('textbox', { name: 'Trusted publishers' }).inputValue(),
      await keyOf(publisher),
    );

    const opened = await stage.open();
    await opened.evaluate((hash) => {
      location.hash = hash;
    }, hashFor(root));
    await opened.getByText('Downloading shared index').waitFor();
    shared.release();
    await opened.getByText('Up to date').waitFor();
    await opened.getByRole('button', { name: '1 note' }).click();
    await opened.getByText(`from ${shared.address}.`).waitFor();
    await page.getByRole('tab', { name: 'Editor' }).click();
    await page.getByRole('tab', { name: 'Shared index' }).click();
    await panel
      .getByText(/functions in 2\d files of commit [0-9a-f]{10}, the current commit/)
      .waitFor();
    await checkAccessibility(page, 'what a pull brought');
    await panel.getByRole('button', { name: 'Turn off' }).click();
    await panel.getByText('Downloaded indexes stay').waitFor();
  });
});
