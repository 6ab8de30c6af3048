import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { VERSION } from '../src/shared/version.ts';
import {
  answer,
  type Behaviour,
  type CodeHostServer,
  startCodeHost,
} from '../test/issue-urls/code-host-server.ts';
import { packageDocument } from '../test/updates/package-document.ts';
import { checkAccessibility, onStage, openRepository } from './support.ts';

describe('the check for updates', () => {
  const { npm_config_registry: earlier } = process.env;
  let registry: CodeHostServer;
  let behave: Behaviour;
  const publish = (latest: string) => {
    registry.asked.length = 0;
    behave = (_, response) => answer(response, 200, packageDocument(latest));
  };
  // Before the stage, whose server gets these variables.
  before(async () => {
    registry = await startCodeHost((asked, response) => behave(asked, response));
    process.env.npm_config_registry = registry.origin;
  });
  const scene = onStage({ 'shop.py': 'def price_of(item):\n    return 0\n' });
  after(async () => {
    if (earlier === undefined) delete process.env.npm_config_registry;
    else process.env.npm_config_registry = earlier;
    await registry.close();
  });

  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Check for updates' });
  /** Opens the dialog by the palette. */
  async function start(page: Page): Promise<void> {
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('combobox').fill('upgrade');
    await page.getByRole('option', { name: /Check for updates/ }).click();
    await dialog(page)
      .getByText(`Ask 127.0.0.1:${registry.port} for the newest version?`)
      .waitFor();
  }
  const agree = (page: Page) => page.getByRole('button', { name: 'Ask once' }).click();

  it('asks nobody before the user agreed, and the registry once after that', async () => {
    publish('99.0.0');
    const page = await openRepository(scene);
    await start(page);
    await checkAccessibility(page, 'the question');
    // Enter on what has the focus, and Escape, refuse.
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'hidden' });
    await start(page);
    await page.keyboard.press('Escape');
    assert.equal(registry.asked.length, 0);

    await start(page);
    await agree(page);
    await dialog(page).getByText(`Locus 99.0.0 is available. This is ${VERSION}.`).waitFor();
    await dialog(page).getByText('git pull && npm ci').waitFor();
    await checkAccessibility(page, 'a newer version');
    assert.deepEqual(
      registry.asked.map(({ url }) => url),
      ['/locus-edit'],
    );
    // The next check needs consent again.
    await page.keyboard.press('Escape');
    await start(page);
    assert.equal(registry.asked.length, 1);
  });

  it('says that this version is the newest, or newer than that', async () => {
    const page = await openRepository(scene);
    for (const [latest, text] of [
      [VERSION, `Locus ${VERSION} is the newest version.`],
      ['0.0.1', `Locus ${VERSION} is newer than the newest published version, 0.0.1.`],
    ] as const) {
      publish(latest);
      await start(page);
      await agree(page);
      await dialog(page).getByText(text).waitFor();
      await page.keyboard.press('Escape');
    }
  });

  it('says why it failed, shows nothing of a hostile answer, and can be tried again', async () => {
    publish('99.0.0-<img src=x onerror=alert(1)>');
    const page = await openRepository(scene, { colorScheme: 'dark' });
    await start(page);
    await agree(page);
    const alert = dialog(page).getByRole('alert');
    await alert.getByText('did not answer with a version of locus-edit.').waitFor();
    await checkAccessibility(page, 'a check that failed');
    assert.doesNotMatch((await dialog(page).textContent()) ?? '', /99/);
    publish('99.0.0');
    await page.getByRole('button', { name: 'Try again' }).click();
    await dialog(page).getByText('Locus 99.0.0 is available.').waitFor();
    assert.equal(registry.asked.length, 1);
  });

  it('is canceled with its dialog', { timeout: 60_000 }, async () => {
    const page = await openRepository(scene);
    const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    behave = (_, response) => {
      asked.resolve();
      response.on('close', closed.resolve);
    };
    await start(page);
    await agree(page);
    await dialog(page).getByText(`Asking 127.0.0.1:${registry.port}…`).waitFor();
    await asked.promise;
    await page.keyboard.press('Escape');
    await closed.promise;
  });
});
