/** Reranking in the window, with a small model made by the test. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { writeFiles } from '../test/support/repository.ts';
import { installSecondModel } from '../test/support/second-model.ts';
import {
  checkAccessibility,
  onStage,
  openRepository,
  pasteIssue,
  rankedNames,
  type WindowOptions,
} from './support.ts';

/** Functions with fewer and fewer words of the issue, and more and more of what the model prefers. */
const FILES = {
  'shop/cart.py': Array.from(
    { length: 8 },
    (_, i) =>
      `def shelf${i}():\n    '${'a '.repeat(2 * i)}${'b '.repeat(14 - 2 * i)}'\n    # ${'total cart '.repeat(8 - i)}\n`,
  ).join('\n\n'),
};
const ISSUE = 'a a a: the total of a cart is wrong';
const OTHER = 'a a a: the cart has another total';
/** Delay of the model: a small one would finish before the page is drawn. */
const LATE_MS = 1500;
/** Folder of embeddings that were computed in the background. */
const EMBEDDED = /reranker[/\\]embeddings-.*\.rows8$/;
/** Text of the status bar about a list that is final. */
const RERANKED = /^\d+ reranked$/;
const READY = { name: 'Apply new order' };

describe('a reranked list', () => {
  let dataDir = '';
  const scene = onStage(FILES, (folder) => {
    dataDir = folder;
    installSecondModel(folder);
  });

  /** Opens a window that gets the reranked list a moment after the initial one, and records rows that move. */
  async function opened(options: WindowOptions = {}): Promise<Page> {
    const page = await openRepository(scene, options);
    await page.routeWebSocket(/./, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        const late = String(message).includes('"state":"reranked"');
        setTimeout(() => socket.send(message), late ? LATE_MS : 0);
      });
    });
    await page.reload();
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
    await page.evaluate(() => {
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...args) {
        if (this.matches('[role=option], [role=treeitem]'))
          document.documentElement.dataset.moved = 'yes';
        return animate.apply(this, args);
      };
    });
    return page;
  }
  const moved = (page: Page) => page.evaluate(() => document.documentElement.dataset.moved ?? 'no');

  /** Searches for another issue, and waits for its reranked list. */
  async function searchFor(page: Page, issue: string): Promise<void> {
    await page.evaluate(() => delete document.documentElement.dataset.moved);
    await pasteIssue(page, issue);
    await page.getByText(/^Reranking \d+ of \d+$/).waitFor();
    await page.getByText(RERANKED).waitFor();
  }

  async function openSettings(page: Page): Promise<void> {
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('tab', { name: 'Search' }).click();
  }

  async function chooseReranking(page: Page, choice: string): Promise<void> {
    await openSettings(page);
    await page.getByRole('combobox', { name: 'Rerank' }).selectOption(choice);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.mouse.move(0, 0);
  }

  it('is shown at once and then reranked, and says how many results were reranked', async () => {
    const page = await opened();
    await chooseReranking(page, 'off');
    await pasteIssue(page, ISSUE);
    const first = await rankedNames(page);
    assert.equal(await page.getByText(RERANKED).count(), 0);
    await chooseReranking(page, 'on');
    await page.getByText(/^Reranking \d+ of \d+$/).waitFor();
    await page.getByText(RERANKED).waitFor();
    const refined = await rankedNames(page);
    assert.notDeepEqual(refined, first);
    await page.getByText(RERANKED).click();
    await page.getByText('coret-1 1 reranked the first').waitFor();
    await checkAccessibility(page, 'what was read');
    await page.keyboard.press('Escape');
  });

  it('moves its rows once, and without animation if the user prefers reduced motion', async () => {
    for (const [reducedMotion, motion] of [
      ['no-preference', 'yes'],
      ['reduce', 'no'],
    ] as const) {
      const page = await opened({ reducedMotion });
      // The first list of a window is reranked, too.
      await page.getByText(RERANKED).waitFor();
      await searchFor(page, OTHER);
      assert.equal(await moved(page), motion, reducedMotion);

      const tree = page.getByRole('button', { name: 'Folder tree' });
      await tree.click();
      await searchFor(page, ISSUE);
      assert.equal(await moved(page), motion, `${reducedMotion}, in the tree`);
      await tree.click();
      await page.getByRole('listbox', { name: 'Ranked results' }).waitFor();
    }
  });

  it('does not move under the pointer or after a row was opened, but offers the new order', async () => {
    const page = await opened();
    await pasteIssue(page, ISSUE);
    await page.getByText(RERANKED).waitFor();
    const row = page.getByRole('option').nth(3);
    await row.hover();
    await pasteIssue(page, OTHER);
    await page.getByRole('button', READY).waitFor();
    const first = await rankedNames(page);
    await checkAccessibility(page, 'a refined order that is ready');
    // The order waits on the way to the button, too.
    await page.getByRole('button', READY).hover();
    assert.deepEqual(await rankedNames(page), first);
    await page.getByRole('button', READY).click();
    await page.getByRole('button', READY).waitFor({ state: 'detached' });
    assert.notDeepEqual(await rankedNames(page), first);

    await row.hover();
    await pasteIssue(page, ISSUE);
    await page.getByRole('button', READY).waitFor();
    await page.keyboard.press('ControlOrMeta+2');
    await page.keyboard.press('s');
    await page.getByRole('button', READY).waitFor({ state: 'detached' });
  });

  it('says that the reranked order is ready without moving a row, also in a narrow pane', async () => {
    const page = await opened({ viewport: { width: 1000, height: 800 } });
    await pasteIssue(page, ISSUE);
    await page.getByText(RERANKED).waitFor();
    await page.getByRole('option').nth(3).hover();
    await pasteIssue(page, OTHER);
    await page.getByText(/^Reranking \d+ of \d+$/).waitFor();
    const top = async () => (await page.getByRole('option').first().boundingBox())?.y;
    const before = await top();
    await page.getByRole('button', READY).waitFor();
    assert.equal(await top(), before);
  });

  it('embeds functions in the background when no search is running', async () => {
    const page = await opened();
    await openSettings(page);
    const setting = page.getByRole('combobox', { name: 'Background embedding' });
    assert.equal(await setting.inputValue(), 'idle');
    await checkAccessibility(page, 'the setting for background embedding');
    await page.keyboard.press('Escape');
    await page.getByText(RERANKED).waitFor();
    const countBytes = () =>
      readdirSync(dataDir, { recursive: true })
        .filter((name) => EMBEDDED.test(`${name}`))
        .reduce((sum, name) => sum + statSync(join(dataDir, `${name}`)).size, 0);
    const before = countBytes();
    assert.ok(before > 0, 'the search stored what it embedded');
    const more = Array.from({ length: 80 }, (_, i) => `def more${i}():\n    return ${i}\n`);
    writeFiles(scene.root, { 'more.py': more.join('\n\n') });
    for (let tries = 0; countBytes() <= before && tries < 120; tries++)
      await page.waitForTimeout(1000);
    assert.ok(countBytes() > before);
    await page.getByText('Up to date').waitFor();
  });
});
