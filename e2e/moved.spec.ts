/** A repository that was moved after it was opened: the welcome screen says so, and its issues and marks are preserved. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { basename } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { removeFolder } from '../test/support/repository.ts';
import { checkAccessibility, onStage, openRepository, pasteIssue, type Stage } from './support.ts';

const FILES = {
  'shop/cart.py': `def cart_total(items):
    """The sum of all prices, with tax."""
    return sum(price_of(item) for item in items)


def price_of(item):
    return item.price
`,
};
const ISSUE = '# The total forgets the tax\n\n`cart_total` should add it to each `price_of`.\n';

describe('a repository that was moved', () => {
  const scene = onStage(FILES);
  let stage: Stage;
  let old: string;
  let now: string;

  before(() => {
    ({ stage, root: old } = scene);
    now = `${old}-moved`;
  });
  after(() => removeFolder(now));

  const option = (page: Page, name: string) =>
    page.locator(`[role=option][data-name="${name}"]`).first();

  it('is located from the welcome screen, and keeps its issues and marks', async () => {
    const work = await openRepository(scene);
    await pasteIssue(work, ISSUE);
    await option(work, 'price_of').click();
    await work.keyboard.press('e');
    // A list from the engine shows that the mark is stored.
    await work.keyboard.press('ControlOrMeta+Alt+H');
    await work.getByRole('dialog').getByText('1 mark').waitFor();
    await work.close();
    renameSync(old, now);

    const page = await stage.open();
    await page.getByText('The folder is missing').waitFor();
    await checkAccessibility(page, 'a missing folder');
    await page.getByRole('button', { name: `Locate… ${basename(old)}` }).click();
    const picker = page.getByRole('dialog', { name: `Locate ${basename(old)}` });
    await picker.getByRole('option', { name: basename(now) }).click();
    await checkAccessibility(page, 'locating it');
    await picker.getByRole('button', { name: 'Open this folder' }).click();

    await page.getByText('The total forgets the tax').first().waitFor();
    await option(page, 'price_of').getByLabel('Marked: Edit here').waitFor();
    assert.ok(page.url().includes(encodeURIComponent(now)), page.url());
    await page.close();
    const welcome = await stage.open();
    await welcome
      .getByRole('button', { name: basename(now), exact: false })
      .first()
      .waitFor();
    assert.equal(await welcome.getByText('The folder is missing').count(), 0);
  });

  it('is not relocated while another window shows it', async () => {
    const work = await openRepository({ stage, root: now });
    renameSync(now, old);
    await work.getByText('is no longer there').first().waitFor();

    const page = await stage.open();
    const locate = page.getByRole('button', { name: `Locate… ${basename(now)}` });
    const locateIt = async () => {
      await locate.click();
      const picker = page.getByRole('dialog');
      await picker.getByText(basename(old), { exact: true }).click();
      await picker.getByRole('button', { name: 'Open this folder' }).click();
    };
    await locateIt();
    await page.getByText('is open in another window').waitFor();
    await checkAccessibility(page, 'it is open elsewhere');
    await work.close();
    // The server notices a moment later.
    for (let tries = 0; tries < 20 && (await locate.isVisible()); tries++) {
      await locateIt();
      await page.waitForTimeout(500);
    }
    await option(page, 'price_of').getByLabel('Marked: Edit here').waitFor();
  });
});
