import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility, onStage, openRepository, type WindowOptions } from './support.ts';

const FILES = {
  'shop/cart.py': 'def total(items):\n    return sum(items)\n',
  'vendor/lib.py': 'def vendored():\n    return 1\n',
};

describe('the settings', () => {
  const scene = onStage(FILES);

  async function settings(section: string, options?: WindowOptions): Promise<Page> {
    const page = await openRepository(scene, options);
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('tab', { name: section }).click();
    return page;
  }

  it('change the look at once and survive a reload, by keyboard', async () => {
    const page = await settings('Appearance');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByText('110%').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('html[data-theme=dark]').waitFor();
    await page.keyboard.press('ControlOrMeta+0');
    await page.waitForFunction(
      () => document.documentElement.style.getPropertyValue('--zoom') === '1',
    );
  });

  it('can exclude files from the index', async () => {
    const page = await settings('Indexing');
    await page.getByRole('textbox', { name: 'Excluded files' }).fill('vendor/\n');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('in 1 file').waitFor();
    await page.getByRole('textbox', { name: 'Excluded files' }).fill('');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('in 2 files').waitFor();
  });

  it('offer encoders as the model, and rerankers as the reranker', async () => {
    const page = await settings('Indexing');
    for (const [name, id] of [
      ['Model', 'bag-1'],
      ['Reranker', 'coret-1'],
    ] as const) {
      const choice = page.getByRole('combobox', { name, exact: true });
      assert.equal(await choice.inputValue(), id);
      assert.deepEqual(await choice.locator('option').allTextContents(), [id]);
    }
  });

  it('show the user’s editor', async () => {
    const page = await settings('Editor');
    const choice = page.getByRole('combobox', { name: 'Open files in' });
    await choice.selectOption({ label: 'Custom command' });
    await page.getByRole('textbox', { name: 'Command' }).fill('ed');
    await page.getByText('Add {file} to the command').waitFor();
    await page.getByRole('textbox', { name: 'Command' }).fill('ed {file}');
    await page.keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    await choice.selectOption('system');
  });

  it('clear an index only after confirmation', async () => {
    const page = await settings('Data and logs');
    const clear = page.getByRole('button', { name: `Clear the index of ${basename(scene.root)}` });
    await clear.click();
    await page.keyboard.press('Enter');
    await clear.click();
    await page.getByRole('button', { name: 'Clear index' }).click();
    await clear.waitFor();
    assert.equal(await page.getByRole('alert').filter({ hasText: /./ }).count(), 0);
    await page.keyboard.press('Escape');
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
    await page.getByText('in 2 files').waitFor();
  });

  it('are accessible', async () => {
    const page = await settings('Appearance');
    await page.getByText('System', { exact: true }).first().click();
    await page.locator('html:not([data-theme])').waitFor();
    for (const section of [
      'Appearance',
      'Search',
      'Indexing',
      'Editor',
      'Issue URLs',
      'Data and logs',
    ]) {
      await page.getByRole('tab', { name: section }).click();
      await checkAccessibility(page, section);
    }
    await page
      .getByRole('button', { name: /Clear the index/ })
      .first()
      .click();
    await checkAccessibility(page, 'the question before clearing');
  });
});
