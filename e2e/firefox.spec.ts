/** The main journeys in Firefox, by keyboard and by mouse. The other specs use Chromium. */
import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { gitRepository, removeFolder } from '../test/support/repository.ts';
import { launchFirefox, openRepository, rankedNames, type Stage, setStage } from './support.ts';
import { keepTraces } from './traces.ts';

const FILES = {
  'shop/cart.py': `from shop.tax import add_tax


class Cart:
    def total(self):
        """The sum of all prices, with tax."""
        return add_tax(sum(item.price for item in self.items))
`,
  'shop/tax.py': `def add_tax(price):
    """The price with tax."""
    return price * 1.2
`,
};
const ISSUE = '# The total of the cart forgets the tax\n\n`Cart.total` should call `add_tax`.\n';

describe('in Firefox', () => {
  let stage: Stage;
  let root: string;
  keepTraces();
  before(async () => {
    root = gitRepository(FILES);
    stage = await setStage(dirname(root), () => {}, launchFirefox);
  });
  after(async () => {
    await stage?.close();
    removeFolder(root);
  });

  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const code = (page: Page) => page.getByRole('tabpanel', { name: 'Preview' });
  const row = (page: Page, name: string) => page.locator(`[role=option][data-name="${name}"]`);

  /** Replaces the issue's text at once. In Firefox a script cannot paste. */
  async function writeIssue(page: Page, text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Issue' }).focus();
    await press(page, 'ControlOrMeta+a');
    await page.keyboard.insertText(text);
  }

  it('a folder is opened and searched, and results are visited, marked and exported, by keyboard', async () => {
    const page = await stage.open();
    await page.getByRole('heading', { name: 'Where do I edit' }).waitFor();
    await press(page, 'ControlOrMeta+o');
    const picker = page.getByRole('dialog', { name: 'Open folder' });
    await picker.getByRole('option', { name: basename(root) }).waitFor();
    // The list has the focus. A slash begins a path in the field.
    await page.keyboard.type(root);
    await press(page, 'Enter');
    await picker.getByRole('option', { name: 'shop' }).waitFor();
    await press(page, 'ControlOrMeta+Enter');
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });

    await press(page, 'ControlOrMeta+1');
    await writeIssue(page, ISSUE);
    await press(page, 'ControlOrMeta+Enter');
    assert.ok((await rankedNames(page)).includes('Cart.total'));
    await press(page, 'ControlOrMeta+2', 'Home', 'w');
    await page.getByRole('region', { name: 'Evidence' }).waitFor();
    await press(page, 'w');
    const first = page.locator('[role=option][aria-posinset="1"]');
    await first.and(page.locator('[aria-selected=true]')).waitFor();
    await press(page, 'ArrowDown');
    await page.locator('[role=option][aria-posinset="2"][aria-selected=true]').waitFor();
    await press(page, 'Home', 'e', 'n');
    await page.keyboard.type('Begin here.');
    await press(page, 'Enter');
    await page.getByText('Begin here.').waitFor();

    await press(page, 'ControlOrMeta+e');
    const dialog = page.getByRole('dialog', { name: 'Export list' });
    await dialog.getByText('1 result', { exact: true }).waitFor();
    await dialog.getByText('Begin here.').waitFor();
    await dialog.getByRole('button', { name: 'Copy', disabled: false }).press('Enter');
    await page.getByText('Copied list of 1 result').waitFor();
    await press(page, 'Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('code, neighbors, evidence, the menu and an exported file are reached by mouse', async () => {
    const page = await openRepository({ stage, root });
    await page.getByRole('button', { name: 'New issue' }).click();
    await page.getByText('No issue yet').waitFor();
    await writeIssue(page, 'The tax is too low: `add_tax` should take a rate');
    await row(page, 'add_tax').and(page.locator('[aria-posinset="1"]')).click();
    await code(page).getByText('return price * 1.2').waitFor();
    await code(page)
      .getByRole('button', { name: /Outline|tax\.py/ })
      .first()
      .click();
    await page
      .getByRole('dialog', { name: 'Outline of the file' })
      .getByRole('option')
      .first()
      .click();
    await page.getByRole('tab', { name: 'Neighbors' }).click();
    await page.locator('.react-flow__node').first().waitFor();
    await page.getByRole('tab', { name: 'Preview' }).click();
    await row(page, 'Cart.total').click({ button: 'right' });
    await page.getByRole('menuitem', { name: /Edit here/ }).click();
    await page.getByText('Adjusted by 1 mark').waitFor();
    await page.getByRole('button', { name: /^Export/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Export list' });
    await dialog.getByText('JSON', { exact: true }).click();
    await dialog.getByText('"locus-export"').first().waitFor();
    // Playwright does not report downloads of this Firefox.
    await dialog.getByRole('button', { name: 'Download' }).click();
    await dialog.getByText(/^Downloaded as the-tax-is-too-low.*\.json$/).waitFor();
  });

  it('settings survive a reload', async () => {
    const page = await openRepository({ stage, root });
    await page.getByRole('button', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await dialog.getByRole('tab', { name: 'Appearance' }).click();
    await dialog.getByText('Dark', { exact: true }).click();
    await page.locator('html[data-theme=dark]').waitFor();
    await press(page, 'ControlOrMeta+=');
    await dialog.getByText('110%').waitFor();
    await press(page, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('html[data-theme=dark]').waitFor();
    await page.locator('html[style*="--zoom: 1.1"]').waitFor();
  });
});
