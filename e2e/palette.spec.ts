import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility, onStage, openRepository, type WindowOptions } from './support.ts';

const HOSTILE = 'evil_<img src=x onerror=alert(1)>\u202e.py';

const FILES = {
  'shop/cart.py': `class Cart:
    def total(self):
        """The sum of all prices."""
        return sum(item.price for item in self.items)


def subtotal(items):
    return 0
`,
  'shop/totals.py': 'TOTAL = 1\n',
  [`shop/${HOSTILE}`]: 'def total_evil():\n    return 1\n',
};

describe('the palette', () => {
  const scene = onStage(FILES);

  async function opened(options?: WindowOptions): Promise<Page> {
    const page = await openRepository(scene, options);
    // The editor takes the focus when it is ready, so wait for it before moving the focus.
    await page.waitForFunction(() => document.activeElement?.closest('[data-pane=issue]') != null);
    return page;
  }
  const options = (page: Page) =>
    page.getByRole('dialog').getByRole('option').locator('visible=true').allInnerTexts();
  /** Waits for the focus to return, a moment after a dialog closed. */
  const focusIn = (page: Page, pane: string) =>
    page.waitForFunction(
      (wanted) => document.activeElement?.closest(`[data-pane=${wanted}]`) != null,
      pane,
    );
  const activeElement = (page: Page) =>
    page.evaluate(() => document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane'));

  it('runs a command by keyboard and lists it first the next time', async () => {
    const page = await opened();
    await page.keyboard.press('ControlOrMeta+Shift+P');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await page.keyboard.type('high contrast');
    assert.match((await options(page))[0], /high contrast/);
    await page.keyboard.press('Enter');
    await page.locator('html[data-contrast=more]').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('dialog').getByText('Recent', { exact: true }).waitFor();
    assert.match((await options(page))[0], /high contrast/);
    await page.keyboard.press('Enter');
    await page.locator('html:not([data-contrast])').waitFor();
  });

  it('returns the focus, unless the command moves it', async () => {
    const page = await opened();
    await page.keyboard.press('ControlOrMeta+2');
    assert.equal(await activeElement(page), 'results');
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await focusIn(page, 'results');

    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.type('go to issue');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.closest('[data-pane=issue]') !== null);
  });

  it('goes to code by letters of its name, and to a line of a file', async () => {
    const page = await opened();
    await page.keyboard.press('ControlOrMeta+P');
    const dialog = page.getByRole('dialog', { name: 'Go to code' });
    const option = dialog.getByRole('option');
    await dialog.waitFor();
    // A file and a line: the function there is offered.
    await page.keyboard.type('crt.py:4');
    await dialog.getByRole('option', { name: 'Cart.total shop/cart.py:4' }).waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('total');
    await option.first().filter({ hasText: 'Cart.total' }).waitFor();
    await option.last().filter({ hasText: 'subtotal' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const code = page.getByRole('tabpanel', { name: 'Preview' });
    await code.getByText('The sum of all prices').waitFor();
    await focusIn(page, 'side');
  });

  it('shows hostile names as text and says if there are no matches', async () => {
    const page = await opened();
    await page.keyboard.press('ControlOrMeta+P');
    await page.keyboard.type('evil_');
    const option = page.getByRole('dialog').getByRole('option').first();
    await option.waitFor();
    assert.match(await option.innerText(), /<img src=x onerror=alert\(1\)>\\u\{202e\}\.py/);
    assert.equal(await page.locator('img').count(), 0);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('zzzz');
    await page.getByText('No matching functions or files').waitFor();
  });

  it('lists all shortcuts when the question mark key is pressed, except while typing', async () => {
    const page = await opened();
    await page.getByRole('textbox', { name: 'Issue' }).focus();
    await page.keyboard.type('?');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.keyboard.press('ControlOrMeta+2');
    await page.keyboard.press('Shift+?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Go to code…').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await focusIn(page, 'results');
  });

  it('is accessible', async () => {
    const page = await opened();
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await checkAccessibility(page, 'commands');
    await page.keyboard.type('zzzzz');
    await page.getByText('No matching commands').waitFor();
    await checkAccessibility(page, 'no command');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+P');
    await page.getByText('Type letters of a name').waitFor();
    await checkAccessibility(page, 'go to code, empty');
    await page.keyboard.type('total');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await checkAccessibility(page, 'go to code');
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await checkAccessibility(page, 'shortcuts');
  });
});
