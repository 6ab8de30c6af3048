import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { git } from '../test/support/repository.ts';
import { checkAccessibility, onStage, openRepository, pasteIssue, rankedNames } from './support.ts';

const CART = `from shop.tax import round_price


class Cart:
    """What a visitor wants to buy."""

    def total(self, rate):
        """The sum of all prices, with tax."""
        prices = [round_price(item.price) for item in self.items]
        return round_price(sum(prices))

    def without_tax(self):
        return sum(item.price for item in self.items)
`;
const FILES = {
  'shop/__init__.py': '',
  'shop/tax.py': 'def round_price(price):\n    return round(price, 2)\n',
  'shop/cart.py': CART,
  'tests/test_tax.py':
    'from shop.tax import round_price\n\n\ndef test_cents():\n    assert round_price(1.234) == 1.23\n',
};
const ISSUE = 'Prices are rounded too often\n\n`round_price` is called on each item of the cart.';

describe('around the code', () => {
  const scene = onStage(FILES);
  const code = (page: Page) => page.getByRole('tabpanel', { name: 'Preview' });
  const editor = (page: Page) => page.getByRole('textbox', { name: 'Code, read only' });
  const place = (page: Page, line: number) => code(page).getByRole('option', { name: `${line}` });

  async function openWindow(): Promise<Page> {
    const page = await openRepository(scene);
    await pasteIssue(page, ISSUE);
    await rankedNames(page);
    await page.locator('[role=option][data-name="round_price"]').click();
    await code(page).getByText('lines 1–2').waitFor();
    return page;
  }

  /** Waits until the breadcrumbs end with a name, and returns them. */
  async function way(page: Page, last: string): Promise<string[]> {
    const crumbs = code(page).getByRole('navigation').getByRole('listitem');
    await crumbs.last().getByText(last, { exact: true }).waitFor();
    return (await crumbs.allInnerTexts()).map((text) => text.trim().split('\n')[0] ?? '');
  }

  it('lists references to a function, and goes to them by key and by click', async () => {
    const page = await openWindow();
    await page.keyboard.press('Shift+F12');
    await code(page).getByText('3 references to').waitFor();
    const places = code(page).getByRole('listbox', { name: 'Referring lines' });
    await places.and(page.locator(':focus')).waitFor();
    assert.deepEqual(await places.getByRole('option').allInnerTexts(), [
      '9\nprices = [round_price(item.price) for item in self.items]',
      '10\nreturn round_price(sum(prices))',
      '5\nassert round_price(1.234) == 1.23',
    ]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await code(page).getByText('lines 7–10').waitFor();
    assert.deepEqual(await way(page, 'total'), ['cart.py', 'Cart', 'total']);
    await code(page).getByText('3 references to').waitFor();
    await place(page, 5).click();
    await code(page).getByText('tests/test_tax.py').first().waitFor();
    await page.keyboard.press('Alt+ArrowLeft');
    await code(page).getByText('lines 7–10').waitFor();
    await places.focus();
    await page.keyboard.press('Escape');
    await places.waitFor({ state: 'detached' });
    await editor(page).and(page.locator(':focus')).waitFor({ state: 'attached' });
  });

  it('lists references to the function called at the cursor, and says if there are none', async () => {
    const page = await openWindow();
    await page.locator('[role=option][data-name="Cart.total"]').click();
    await code(page).getByText('lines 7–10').waitFor();
    await editor(page).focus();
    for (let line = 0; line < 3; line++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await page.keyboard.press('ControlOrMeta+ArrowRight');
    await page.keyboard.press('ControlOrMeta+ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+F12');
    await code(page).getByText('3 references to round_price').waitFor();
    await code(page).getByRole('button', { name: 'Close references' }).click();
    await page.locator('[role=option][data-name="Cart.without_tax"]').click();
    await code(page).getByText('lines 12–13').waitFor();
    await code(page).getByRole('button', { name: 'Find references' }).click();
    await code(page).getByText('No references to Cart.without_tax').waitFor();
  });

  it('navigates the outline of the file by typing, and the breadcrumbs of the cursor', async () => {
    const page = await openWindow();
    await page.locator('[role=option][data-name="Cart.total"]').click();
    await way(page, 'total');
    await page.keyboard.press('ControlOrMeta+Shift+o');
    const outline = page.getByRole('dialog', { name: 'Outline of the file' });
    await outline.getByRole('option', { name: /^Cart/ }).waitFor();
    assert.equal(await outline.getByRole('option').count(), 3);
    await page.keyboard.type('without');
    await outline.getByRole('option', { name: 'total' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await code(page).getByText('lines 12–13').waitFor();
    assert.deepEqual(await way(page, 'without_tax'), ['cart.py', 'Cart', 'without_tax']);
    await code(page).getByRole('button', { name: 'Cart', exact: true }).click();
    await code(page).getByText('lines 4–13').waitFor();
    await way(page, 'Cart');
  });

  it('shows who changed the line of the cursor, even if it is not committed', async () => {
    const path = join(scene.root, 'shop/tax.py');
    writeFileSync(path, FILES['shop/tax.py'].replace('2)', '4)'));
    git(scene.root, 'commit', '-q', '-a', '-m', 'Prices have four digits\n\nOf a cent, too.');
    const page = await openWindow();
    await page.keyboard.press('ControlOrMeta+Alt+a');
    const blame = code(page).getByRole('region', { name: 'Blame' });
    await blame.getByText('First').waitFor();
    await editor(page).focus();
    await page.keyboard.press('ArrowDown');
    await blame.getByText('Line 2').waitFor();
    await blame.getByText('Prices have four digits').waitFor();
    await blame.getByRole('button', { name: 'Show message' }).click();
    await blame.getByText('Of a cent, too.').waitFor();
    writeFileSync(path, '"""Taxes."""\ndef round_price(price):\n    return round(price, 3)\n');
    await code(page).getByText('lines 2–3').waitFor();
    await editor(page).focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await blame.getByText('Not committed yet').waitFor();
    await page.keyboard.press('ArrowDown');
    await blame.getByText('First').first().waitFor();
    await code(page).getByRole('button', { name: 'Toggle blame' }).click();
    await blame.waitFor({ state: 'detached' });
    writeFileSync(path, FILES['shop/tax.py']);
    await code(page).getByText('lines 1–2').waitFor();
  });

  it('is accessible', async () => {
    const page = await openWindow();
    await page.keyboard.press('Shift+F12');
    await code(page).getByText('3 references to').waitFor();
    const button = code(page).getByRole('button', { name: 'Toggle blame' });
    if ((await button.getAttribute('aria-pressed')) === 'false') await button.click();
    await code(page).getByText('Test', { exact: true }).waitFor();
    await checkAccessibility(page, 'references and blame');
    await page.keyboard.press('ControlOrMeta+Shift+o');
    await page.getByRole('dialog', { name: 'Outline of the file' }).waitFor();
    await checkAccessibility(page, 'outline');
  });
});
