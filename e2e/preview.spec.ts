import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { checkAccessibility, onStage, openRepository, pasteIssue, rankedNames } from './support.ts';

const FILLER = Array.from({ length: 60 }, (_, i) => `    # what was decided in ${i}\n`).join('');

const FILES: Record<string, string> = {
  'shop/__init__.py': '',
  'shop/tax.py': `def add_tax(price, rate):
    """The price with tax."""
    return price * (1 + rate)


def round_price(price):
    return round(price, 2)
`,
  'shop/cart.py': `from shop.tax import add_tax, round_price


class Cart:
    """What a visitor wants to buy."""

    def __init__(self, items):
        self.items = items

    def total(self, rate):
        """The sum of all prices, with tax."""
${FILLER}        return sum(round_price(add_tax(item.price, rate)) for item in self.items)

    def total_without_tax(self):
        return sum(item.price for item in self.items)
`,
  'shop/odd.py': `def wide_price():
    return "${'tax '.repeat(1000)}"
`,
};

/** File of 50,000 lines with the function to edit at its end. */
const HUGE = `${'VALUE = 1\n'.repeat(49_996)}

def ship_parcel_abroad(parcel):
    return parcel
`;

const ISSUE = `The total of a cart is wrong by a cent

\`Cart.total\` calls \`round_price\` on the price with tax of each item, so the tax is rounded too often.
`;

describe('the preview', () => {
  let folder: string;
  const opened = () => join(folder, 'opened-in-editor.txt');
  before(() => {
    folder = temporaryFolder();
    const editor = join(folder, 'editor.sh');
    // Renamed into place, so it is never seen half written.
    const script = `#!/bin/sh\ncd '${folder}' && printf '%s' "$*" > part && mv part '${opened()}'\n`;
    writeFileSync(editor, script, { mode: 0o755 });
    process.env.VISUAL = editor;
  });
  const scene = onStage({ ...FILES, 'shop/huge.py': HUGE });
  after(() => removeFolder(folder));

  const code = (page: Page) => page.getByRole('tabpanel', { name: 'Preview' });
  const shown = (page: Page, lines: string) => code(page).getByText(`lines ${lines}`).waitFor();

  async function openWindow(): Promise<Page> {
    const page = await openRepository(scene);
    await pasteIssue(page, ISSUE);
    await rankedNames(page);
    await page.locator('[data-pane=issue]').getByText('recognized').waitFor();
    return page;
  }

  async function choose(page: Page, name: string): Promise<void> {
    await page.locator(`[role=option][data-name="${name}"]`).first().click();
  }

  it('keeps line numbers beside their lines at the end of a file with wide lines', async () => {
    const page = await openRepository(scene, { viewport: { width: 1040, height: 650 } });
    await pasteIssue(page, ISSUE);
    await rankedNames(page);
    await choose(page, 'round_price');
    await shown(page, '6–7');
    await choose(page, 'Cart.total_without_tax');
    await shown(page, '74–75');
    await code(page).locator('.scrollbar.horizontal.visible').waitFor();
    const tops = (selector: string) =>
      code(page)
        .locator(selector)
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top).toSorted());
    assert.deepEqual(await tops('.margin-view-overlays > div'), await tops('.view-line'));
  });

  it('marks the candidates of the file by rank, and the names of the issue', async () => {
    const page = await openWindow();
    await choose(page, 'Cart.total_without_tax');
    await shown(page, '74–75');
    const ranks = code(page).locator('.glyph-margin-widgets [title^="Rank"]:visible');
    await ranks.first().waitFor();
    const rank = await page
      .locator('[role=option][data-name="Cart.total_without_tax"]')
      .getAttribute('aria-posinset');
    assert.ok((await ranks.allTextContents()).includes(rank ?? ''));
    assert.ok((await code(page).locator('[class*=heat]').count()) > 0);
    assert.ok((await code(page).locator('[class*=mention]').count()) > 0);
    await code(page)
      .locator('.sticky-widget')
      .filter({ hasText: /class\sCart/ })
      .waitFor();
  });

  it('goes to the next candidate, in the file and in the next file', async () => {
    const page = await openWindow();
    await choose(page, 'Cart.total');
    await shown(page, '10–72');
    await page.keyboard.press('F7');
    await shown(page, '74–75');
    await page.keyboard.press('Shift+F7');
    await shown(page, '10–72');
    await page.keyboard.press('F8');
    await code(page).getByText('shop/tax.py').waitFor();
    await page.keyboard.press('Shift+F8');
    await code(page).getByText('shop/cart.py').waitFor();
  });

  it('goes to the called function, back and forward by keyboard', async () => {
    const page = await openWindow();
    await choose(page, 'Cart.total');
    await shown(page, '10–72');
    await page.getByRole('textbox', { name: 'Code, read only' }).focus();
    await page.keyboard.press('ControlOrMeta+End');
    for (let line = 0; line < 4; line++) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    // Move past "return sum(" to the called name.
    for (let word = 0; word < 3; word++) await page.keyboard.press('ControlOrMeta+ArrowRight');
    await page.keyboard.press('F12');
    await code(page).getByText('shop/tax.py').waitFor();
    await page.keyboard.press('Alt+ArrowLeft');
    await shown(page, '10–72');
    await code(page).locator('.view-line').getByText('round_price').first().waitFor();
    await page.keyboard.press('Alt+ArrowRight');
    await code(page).getByText('shop/tax.py').waitFor();
  });

  it('goes to the called function with Ctrl and a click', async () => {
    const page = await openWindow();
    await choose(page, 'Cart.total');
    await shown(page, '10–72');
    await page.getByRole('textbox', { name: 'Code, read only' }).focus();
    await page.keyboard.press('ControlOrMeta+End');
    await code(page)
      .locator('[class*=call]')
      .getByText('add_tax')
      .click({ modifiers: ['ControlOrMeta'] });
    await shown(page, '1–3');
    await code(page).getByText('shop/tax.py').waitFor();
  });

  it('opens the user’s editor', async () => {
    const page = await openWindow();
    await choose(page, 'Cart.total_without_tax');
    await shown(page, '74–75');
    await page.keyboard.press('ControlOrMeta+Alt+o');
    await code(page)
      .getByText(/^Opened in .* at line 74\.$/)
      .waitFor();
    for (let i = 0; i < 50 && !existsSync(opened()); i++) await page.waitForTimeout(50);
    assert.match(readFileSync(opened(), 'utf8'), /shop\/cart\.py/);
  });

  it('stays responsive with 50,000 lines and with a line of 4,000 characters', async () => {
    const page = await openWindow();
    await pasteIssue(page, '`ship_parcel_abroad` loses the parcel');
    await choose(page, 'ship_parcel_abroad');
    await shown(page, '49999–50000');
    await code(page).locator('.view-line').getByText('ship_parcel_abroad').waitFor();
    await pasteIssue(page, '`wide_price` is too wide');
    await choose(page, 'wide_price');
    await shown(page, '1–2');
    await code(page).locator('.view-line').getByText('wide_price').waitFor();
  });

  it('shows changes of the file, and says if the function or the file is missing', async () => {
    const page = await openWindow();
    await choose(page, 'round_price');
    await shown(page, '6–7');
    const path = join(scene.root, 'shop/tax.py');
    writeFileSync(path, `# one line more\n${FILES['shop/tax.py']}`);
    await shown(page, '7–8');
    writeFileSync(path, 'def add_tax(price):\n    return price\n');
    await code(page).getByText('no longer in this file').waitFor();
    rmSync(path);
    await code(page).getByText('`shop/tax.py` is not in the index').waitFor();
    writeFileSync(path, FILES['shop/tax.py']);
    await shown(page, '6–7');
  });

  it('is accessible', async () => {
    const page = await openWindow();
    await choose(page, 'Cart.total');
    await shown(page, '10–72');
    await code(page).locator('[class*=heat]').first().waitFor();
    await page.keyboard.press('ControlOrMeta+Alt+o');
    await code(page)
      .getByText(/^Opened in/)
      .waitFor();
    await checkAccessibility(page, 'preview');
  });
});
