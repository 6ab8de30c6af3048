import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  answerInstead,
  checkAccessibility,
  onStage,
  openRepository,
  pasteIssue,
  rankedNames,
  type WindowOptions,
} from './support.ts';

const CART = `class Cart:
    def total(self):
        """The sum of all prices, with tax."""
        return sum(item.price for item in self.items)

    def forget_tax(self):
        """Forget the tax."""
        self.tax = 0
`;
const TAX = `def add_tax(price):
    """The price with tax."""
    return price * 1.2


def tax_of_total(total):
    return total * 0.2
`;
const ISSUE = '# The total of the cart forgets the tax\n\n`Cart.total` should call `add_tax`.\n';

describe('lists', () => {
  let json = '';
  const scene = onStage({ 'shop/cart.py': CART, 'shop/tax.py': TAX });

  async function searched(options: WindowOptions = {}): Promise<Page> {
    const page = await openRepository(scene, options);
    await pasteIssue(page, ISSUE);
    await page.keyboard.press('ControlOrMeta+Enter');
    await rankedNames(page);
    return page;
  }
  const focusedPane = (page: Page) =>
    page.evaluate(
      () => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset.pane ?? null,
    );
  const focusedLabel = (page: Page) =>
    page.evaluate(
      () => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent,
    );
  const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });

  it('are previewed before they are copied or saved', async () => {
    const page = await searched({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.keyboard.press('ControlOrMeta+E');
    await page.getByRole('dialog', { name: 'Export list' }).waitFor();
    await preview(page).getByText('The total of the cart forgets the tax').waitFor();
    assert.equal(await focusedLabel(page), 'Top results');
    await page.getByRole('spinbutton', { name: 'How many' }).fill('2');
    await page.getByRole('dialog').getByText('2 results').waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied list of 2 results').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^# /m);
    assert.match(copied, /Cart\.total/);

    await page.getByRole('checkbox', { name: 'Include code' }).check();
    await preview(page).getByText('```python').first().waitFor();
    for (const [format, shows] of [
      ['CSV', 'rank,'],
      ['SARIF', '"$schema"'],
      ['JSON', '"locus-export"'],
    ]) {
      await page.getByText(format, { exact: true }).click();
      await preview(page).getByText(shows).first().waitFor();
    }
    await page.getByRole('spinbutton', { name: 'How many' }).fill('10');
    await page
      .getByRole('dialog')
      .getByText(/^[4-9] results/)
      .waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'the-total-of-the-cart-forgets-the-tax.json');
    json = readFileSync(await download.path(), 'utf8');
    assert.equal(JSON.parse(json).format, 'locus-export');
  });

  it('show a spinner while loading, and code exactly as it is written', async () => {
    const page = await searched();
    let give = (_: unknown) => {};
    const list = new Promise((done) => (give = done));
    const text = '# Where to edit: a -> b';
    const given = { text, fileName: 'a.md', mediaType: 'text/markdown', count: 1, missing: [] };
    await answerInstead(page, { 'list.export': () => list });
    await rankedNames(page);
    await page.keyboard.press('ControlOrMeta+E');
    const wheel = page.getByRole('dialog').locator('[class*=spinner]');
    await wheel.waitFor();
    const [width, height] = await wheel.evaluate(({ offsetWidth, offsetHeight }: HTMLElement) => [
      offsetWidth,
      offsetHeight,
    ]);
    assert.equal(width, height);
    give({ result: { ...given, noPermalinkReason: null, prompt: null } });
    const shown = preview(page).getByText('a -> b');
    assert.match(
      await shown.evaluate((one) => getComputedStyle(one).fontVariantLigatures),
      /no-contextual/,
    );
  });

  it('can be a prompt within a budget of tokens', async () => {
    const page = await searched();
    await page.keyboard.press('ControlOrMeta+E');
    await page.getByText('Prompt', { exact: true }).click();
    await page.getByText(/^About [\d,]+ tokens: [4-9] results with code\.$/).waitFor();
    await preview(page).getByText('def tax_of_total').waitFor();
    await page.getByRole('spinbutton', { name: 'Maximum tokens' }).fill('500');
    await page
      .getByRole('dialog')
      .getByText(/^About/)
      .waitFor();
    assert.equal(await page.getByRole('button', { name: 'Post to issue' }).count(), 0);
    await checkAccessibility(page, 'a prompt');
  });

  it('open with other code, and say how each chunk changed', async () => {
    const list = JSON.parse(json);
    list.chunks[0].mark = 'edit';
    list.chunks[0].note = 'Add the tax <b>here</b>.';
    writeFileSync(join(scene.root, 'shop/money.py'), TAX.replace('1.2', '1.2  # moved'));
    writeFileSync(join(scene.root, 'shop/cart.py'), CART.replace('sum(item', 'sum(1.2 * item'));
    rmSync(join(scene.root, 'shop/tax.py'));

    const page = await searched();
    await page.getByText('money.py').first().waitFor();
    await page.getByRole('option').filter({ hasText: 'shop/tax.py' }).first().waitFor({
      state: 'detached',
    });
    await page.keyboard.press('ControlOrMeta+Shift+E');
    await page.getByRole('dialog', { name: 'Open list' }).waitFor();
    await page.locator('input[type=file]').setInputFiles({
      name: 'list.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(list)),
    });
    const entries = page.getByRole('listbox', { name: 'Results of the list' });
    await entries.getByRole('option').first().waitFor();
    await page.getByRole('button', { name: /^Same/ }).waitFor();
    await page.getByRole('button', { name: /^Changed/ }).click();
    const changed = entries.getByRole('option', { name: /Cart\.total/ });
    await changed.getByText('Changed').waitFor();
    const difference = page.getByRole('region', { name: 'Difference' });
    await difference.locator('del').getByText('return sum(item.price').waitFor();
    await difference.locator('ins').getByText('return sum(1.2 * item.price').waitFor();
    await checkAccessibility(page, 'how the code of a result changed');
    await page.getByRole('button', { name: /^Changed/ }).click();
    await entries
      .getByRole('option', { name: /tax_of_total.*money\.py/ })
      .first()
      .waitFor();
    await entries.getByText('Add the tax <b>here</b>.').waitFor();

    await page.getByRole('button', { name: 'Copy issue and marks' }).click();
    await page.getByText('Copied the issue, and marks and notes of 1 result.').waitFor();
    await checkAccessibility(page, 'marks taken over');
    await page.keyboard.press('Enter'); // The button that shows them has the focus.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(await rankedNames(page), ['Cart.total']);
    assert.equal(await focusedPane(page), 'results');
    await page.keyboard.press('ControlOrMeta+E');
    await page.getByRole('radio', { name: 'Marked (1)' }).waitFor({ state: 'attached' });
    assert.equal(await focusedLabel(page), 'Marked (1)');
    await page.getByRole('dialog').getByText('1 result', { exact: true }).waitFor();
    await preview(page).getByText('Add the tax').waitFor();
  });

  it('without code say that there is nothing to compare, and lead to the current code', async () => {
    const list = JSON.parse(json);
    for (const chunk of list.chunks) delete chunk.code;
    const page = await searched({ colorScheme: 'dark' });
    await page.keyboard.press('ControlOrMeta+Shift+E');
    await page.locator('input[type=file]').setInputFiles({
      name: 'list.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(list)),
    });
    const entries = page.getByRole('listbox', { name: 'Results of the list' });
    await entries.getByRole('option', { name: /Cart\.total/ }).click();
    const change = page.getByRole('region', { name: 'What changed' });
    await change.getByText('The list has no code to compare with.').waitFor();
    await checkAccessibility(page, 'a result without its code');
    await change.getByRole('button', { name: 'Show in preview' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('[data-pane=side]').getByText('sum(1.2 * item.price').waitFor();
  });

  it('are refused with a remedy if they are invalid', async () => {
    const page = await searched();
    await page.keyboard.press('ControlOrMeta+Shift+E');
    const dialog = page.getByRole('dialog', { name: 'Open list' });
    await dialog.waitFor();
    for (const [text, says] of [
      ['{"a": 1', /is not valid JSON/],
      ['{"a": 1}', /is not a Locus list/],
    ] as const) {
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from(text) });
      await dialog.getByText(says).waitFor();
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('are accessible', async () => {
    const page = await searched();
    await page.keyboard.press('ControlOrMeta+E');
    await preview(page).waitFor();
    await checkAccessibility(page, 'export');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+Shift+E');
    await page.getByText('Choose a file').waitFor();
    await checkAccessibility(page, 'import');
    await page.locator('input[type=file]').setInputFiles({
      name: 'list.json',
      mimeType: 'application/json',
      buffer: Buffer.from(json),
    });
    await page.getByRole('listbox', { name: 'Results of the list' }).waitFor();
    await checkAccessibility(page, 'imported list');
  });
});
