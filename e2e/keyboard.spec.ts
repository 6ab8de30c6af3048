/** From the start page to an exported list without a mouse. */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { onStage, openRepository, pasteIssue, rankedNames } from './support.ts';

const FILES = {
  'shop/cart.py': `from shop.tax import add_tax


class Cart:
    def total(self):
        """The sum of all prices."""
        return sum(item.price for item in self.items)
`,
  'shop/tax.py': `def add_tax(price):
    """The price with tax."""
    return price * 1.2
`,
};
const ISSUE = '# The total of the cart forgets the tax\n\n`Cart.total` should call `add_tax`.\n';

describe('the keyboard alone', () => {
  const scene = onStage(FILES);

  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it('leads from the start page to an exported list', async () => {
    const page = await scene.stage.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('heading', { name: 'Where do I edit' }).waitFor();
    await press(page, 'ControlOrMeta+o');
    const picker = page.getByRole('dialog', { name: 'Open folder' });
    await picker.getByRole('option', { name: basename(scene.root) }).waitFor();
    await page.keyboard.type(basename(scene.root)); // The list has the focus.
    await press(page, 'Enter');
    await picker.getByRole('option', { name: 'shop' }).waitFor();
    await press(page, 'ControlOrMeta+Enter');
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });

    await press(page, 'ControlOrMeta+1');
    await pasteIssue(page, ISSUE);
    await press(page, 'ControlOrMeta+Enter');
    assert.ok((await rankedNames(page)).includes('Cart.total'));
    await press(page, 'ControlOrMeta+2', 'Home', 'e');
    await page.getByText('Adjusted by 1 mark').waitFor();
    await press(page, 'ArrowDown', 'r', 'n');
    await page.keyboard.type('The price comes from here.');
    await press(page, 'Enter');
    await page.getByText('The price comes from here.').waitFor();

    await press(page, 'ControlOrMeta+e');
    const dialog = page.getByRole('dialog', { name: 'Export list' });
    await dialog.getByText('2 results').waitFor();
    // Tab moves over the results, the format, the code, the links, and then the exported text.
    const copy = dialog.getByRole('button', { name: 'Copy' });
    for (let tabs = 0; tabs < 5; tabs++) {
      if (await copy.evaluate((one) => one === document.activeElement)) break;
      await press(page, 'Tab');
    }
    await press(page, 'Enter');
    await page.getByText('Copied list of 2 results').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^# Where to edit: `The total of the cart forgets the tax`/);
    assert.match(copied, /Edit here/);
    assert.match(copied, /Worth reading/);
    assert.match(copied, /The price comes from here\./);
    await press(page, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(
      await page.evaluate(
        () => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset.pane,
      ),
      'results',
    );
  });

  it('leads through the code, a comparison and the menu of the repository', async () => {
    const page = await openRepository(scene);
    const best = (name: string) =>
      page.locator(`[role=option][data-name="${name}"][aria-posinset="1"]`);
    await press(page, 'ControlOrMeta+1');
    await pasteIssue(page, 'add_tax is wrong: the price with tax');
    await best('add_tax').waitFor();
    await press(page, 'ControlOrMeta+1');
    await pasteIssue(page, 'Cart.total is off: the sum of all prices');
    await best('Cart.total').waitFor();
    await press(page, 'ControlOrMeta+2', 'Home', 'Enter');
    const code = page.getByRole('tabpanel', { name: 'Preview' });
    await code.getByText('lines 5–7').waitFor();
    await code.getByRole('button', { name: 'Cart', exact: true }).press('Enter');
    await code.getByText('lines 4–7').waitFor();

    await press(page, 'ControlOrMeta+Alt+c');
    const compare = page.getByRole('tabpanel', { name: 'Compare' });
    const line = compare.getByRole('button', { name: /Rank before.*add_tax/ });
    await line.press('Enter');
    await line.and(page.locator('[aria-pressed=true]')).press('Enter');
    await code.getByText('lines 1–3').waitFor();

    await page.getByRole('banner').getByRole('button', { expanded: false }).first().press('Enter');
    const close = page.getByRole('menuitem', { name: 'Close repository' });
    await close.waitFor();
    await press(page, 'End');
    for (let ups = 0; ups < 3; ups++) {
      if (await close.evaluate((one) => one === document.activeElement)) break;
      await press(page, 'ArrowUp');
    }
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Where do I edit' }).waitFor();
  });

  it('gets an announcement of the line that Enter chooses, even while typing changes the lines', async () => {
    const page = await openRepository(scene);
    await press(page, 'ControlOrMeta+p');
    const input = page.getByRole('combobox');
    for (const [typed, name] of [
      ['tax', /tax/],
      ['total', /total/],
      ['tax', /tax/],
    ] as const) {
      await input.fill(typed);
      const chosen = page.getByRole('option', { name, selected: true });
      await chosen.waitFor();
      const id = await chosen.getAttribute('id');
      assert.ok(id);
      await input.and(page.locator(`[aria-activedescendant="${id}"]`)).waitFor();
    }
  });

  it('has a unique shortcut for each command', async () => {
    const page = await openRepository(scene);
    await press(page, 'F1');
    await page.getByRole('region', { name: 'Shortcuts' }).waitFor();
    const lines = await page.locator('[role=dialog] dl > div').evaluateAll((all) =>
      all.map((line) => ({
        title: line.querySelector('dt')?.textContent ?? '',
        keys: [...line.querySelectorAll('kbd')].map((cap) => cap.textContent).join(' '),
      })),
    );
    const twice = Object.entries(Object.groupBy(lines, ({ keys }) => keys))
      .filter(([keys, of]) => (of?.length ?? 0) > 1 && keys.length > 1)
      .map(([keys, of]) => `${keys}: ${of?.map(({ title }) => title).join(', ')}`);
    assert.ok(lines.length > 40);
    assert.deepEqual(twice, []);
  });
});
