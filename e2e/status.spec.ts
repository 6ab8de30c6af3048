import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  checkAccessibility,
  dropFolder,
  onStage,
  openRepository,
  type WindowOptions,
} from './support.ts';

const FILES = {
  'shop/cart.py': 'def total(items):\n    return sum(items)\n',
  'shop/picture.py': '\0\u0001\u0002 not code',
};

describe('the status bar', () => {
  const scene = onStage(FILES);

  async function opened(options?: WindowOptions): Promise<Page> {
    const page = await openRepository(scene, options);
    return page;
  }

  it('says what is indexed, and which files are not and why', async () => {
    const page = await opened();
    await page.getByRole('button', { name: /in 1 file/ }).focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Index' });
    await panel.getByText('shop/picture.py').waitFor();
    await panel.getByText('binary').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  it('has the model and the device under Details, which leads to their settings', async () => {
    const page = await opened();
    assert.doesNotMatch(
      await page.getByRole('region', { name: 'Status' }).innerText(),
      /bag-1|cpu/,
    );
    await page.getByRole('button', { name: /in 1 file/ }).click();
    const panel = page.getByRole('dialog', { name: 'Index' });
    await panel.getByText('Functions outside classes').waitFor();
    assert.equal(await panel.getByText('bag-1').isVisible(), false);
    await panel.getByText('Details', { exact: true }).click();
    await panel.getByText('bag-1').waitFor();
    await checkAccessibility(page, 'details of the index');
    await panel.getByRole('button', { name: 'Choose model and device…' }).click();
    await page.getByRole('tabpanel', { name: 'Indexing' }).getByLabel('Model').waitFor();
  });

  it('pauses and resumes', async () => {
    const page = await opened();
    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.type('pause');
    await page.keyboard.press('Enter');
    await page.getByText('Indexing paused').waitFor();
    await page.getByRole('button', { name: 'Resume indexing' }).click();
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
  });

  it('shows the end of the log', async () => {
    const page = await opened();
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.type('show log');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Log' });
    const entries = dialog.getByRole('region', { name: 'Latest entries' });
    await entries.getByText(/ engine\[\d+\] indexed repository=[0-9a-f]{12} /).waitFor();
    assert.doesNotMatch(await entries.innerText(), /shop|cart/, 'a name of the repository');
    await checkAccessibility(page, 'the log');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('says when the engine was restarted', async () => {
    const page = await opened();
    process.kill(scene.stage.server.enginePid!, 'SIGKILL');
    // One crash shows one message, also after the new engine is connected.
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
    await page.getByRole('button', { name: /1 note/ }).click();
    await page.getByText('The engine stopped (SIGKILL) and is restarting').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
  });

  it('explains what to do when a folder is dropped in a browser', async () => {
    const page = await scene.stage.open();
    await page.getByRole('heading', { name: 'Where do I edit' }).waitFor();
    await dropFolder(page);
    await page.getByText('A browser hides the path').waitFor();
    assert.equal(new URL(page.url()).hash, '');
  });

  it('is accessible', async () => {
    const page = await opened();
    await page.getByRole('button', { name: /in 1 file/ }).click();
    await page.getByRole('dialog').waitFor();
    await checkAccessibility(page, 'what is indexed');
  });
});
