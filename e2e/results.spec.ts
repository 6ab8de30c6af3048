import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { writeFiles } from '../test/support/repository.ts';
import {
  checkAccessibility,
  hashFor,
  onStage,
  openRepository,
  pasteIssue,
  rankedNames,
  type WindowOptions,
  zoomTo,
} from './support.ts';

const COOKIES = `"""Reading and writing cookies."""


def parse_cookie(header):
    """Split a Cookie header into names and values."""
    cookies = {}
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        cookies[name] = unquote_value(value)
    return cookies


def unquote_value(value):
    """Take the quotes off a cookie value."""
    if value.startswith('"'):
        return value[1:].split(",")[0]
    return value


class CookieJar:
    """Cookies by name."""

    def find_cookie(self, name):
        return self.cookies[name]
`;

const FILES = {
  'shop/cookies.py': COOKIES,
  'shop/cart.py': `class Cart:
    """What a visitor wants to buy, kept in a cookie."""

    def total(self):
        """The sum of all prices."""
        return sum(item.price for item in self.items)

    def from_cookie(self, header):
        return parse_cookie(header)["cart"]
`,
  'web/values.py': `class QuotedCookieValuesOfTheVisitorsCart:
    def cut_short(self, quoted_cookie_value):
        """A quoted cookie value that is cut short at a comma."""
        return quoted_cookie_value
`,
  'tests/test_cookies.py': `def test_quoted_cookie_value():
    assert parse_cookie('a="1,2"') == {"a": "1,2"}
`,
  // Enough for a list much longer than the page.
  'many.py': Array.from(
    { length: 400 },
    (_, n) => `def use_cookie_${n}(cookie):\n    return cookie.value + ${n}\n`,
  ).join('\n\n'),
};

/** Button that applies a new order of the list. */
const NEW_ORDER = { name: 'Apply new order' };

let issues = 0;
/** Returns an issue with a new title each time, since a known issue is restored with its marks. */
const anIssue = () => `# A quoted cookie value is cut short${' again'.repeat(issues++)}

\`parse_cookie('a="1,2"')\` gives \`{'a': '1'}\`: the comma ends the cookie value.
`;

describe('the ranked list', () => {
  const scene = onStage(FILES);

  /** Opens a window and searches a new issue. */
  async function searched(options: WindowOptions = {}): Promise<Page> {
    const page = await openRepository(scene, options);
    await page.getByRole('button', { name: 'New issue' }).click();
    // The previous list is gone, so rows belong to this issue.
    await page.getByText('No issue yet').waitFor();
    await pasteIssue(page, anIssue());
    await option(page, 'parse_cookie').waitFor();
    return page;
  }

  const option = (page: Page, name: string) =>
    page.locator(`[role=option][data-name="${name}"]`).first();
  const focusList = (page: Page) => page.keyboard.press('ControlOrMeta+2');
  const selectedCount = (page: Page) => page.locator('[role=option][aria-selected=true]').count();

  it('explains the rank of a function, and shows the words in the issue', async () => {
    const page = await searched();
    await option(page, 'parse_cookie').click();
    await page.keyboard.press('w');
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await evidence.getByText('Details').click();
    await evidence.getByRole('row', { name: /Its name is mentioned/ }).waitFor();
    await evidence.getByText('yes', { exact: true }).first().waitFor();
    const numbers = await evidence.locator('tbody tr td:last-child').allTextContents();
    const added = numbers.filter((text) => /^[+−]\d/.test(text));
    const sum = added.reduce((total, text) => total + Number(text.replace('−', '-')), 0);
    const score = Number(await evidence.locator('tfoot td').textContent());
    assert.ok(Math.abs(sum - score) < 0.1, `${sum} is not ${score}`);

    await evidence.getByRole('button', { name: 'Show in the issue: parse_cookie' }).first().click();
    assert.equal(
      await page.evaluate(() =>
        document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane'),
      ),
      'issue',
    );
    await focusList(page);
    await page.keyboard.press('w');
    await evidence.waitFor({ state: 'detached' });
  });

  it('keeps marks and notes when the code moves and the window is reloaded', async () => {
    const page = await searched();
    await option(page, 'unquote_value').click();
    // Under the pointer, buttons replace the mark.
    await page.mouse.move(0, 0);
    await page.keyboard.press('e');
    await option(page, 'unquote_value').getByLabel('Marked: Edit here').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('The comma is no separator here.');
    await page.keyboard.press('Enter');
    await option(page, 'unquote_value').getByText('The comma is no separator').waitFor();
    await page.getByText('Adjusted by 1 mark').waitFor();

    const moved = COOKIES.replace('"""Reading', '# A line more.\n"""Reading');
    writeFiles(scene.root, { 'shop/cookies.py': moved });
    await option(page, 'unquote_value').getByText(':14').waitFor();
    await page.reload();
    await option(page, 'unquote_value').getByLabel('Marked: Edit here').waitFor();

    await focusList(page);
    await page.keyboard.press('m');
    assert.deepEqual(await rankedNames(page), ['unquote_value']);
    rmSync(join(scene.root, 'shop/cookies.py'));
    await option(page, 'unquote_value').getByText('gone').waitFor();
    await option(page, 'unquote_value').getByText('The comma is no separator').waitFor();
    writeFiles(scene.root, { 'shop/cookies.py': COOKIES });
    await option(page, 'unquote_value').getByText('gone').waitFor({ state: 'detached' });
  });

  it('is improved by marks, and can be shown without them', async () => {
    const page = await scene.stage.open({ hash: hashFor(scene.root) });
    // Parameters of the latest search request.
    let asked = '';
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes('"search"')) asked = String(payload);
      });
    });
    await page.reload();
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
    await page.getByRole('button', { name: 'New issue' }).click();
    await pasteIssue(page, anIssue());
    await option(page, 'parse_cookie').click();
    assert.ok(!asked.includes('feedback'), asked);

    await page.keyboard.press('x');
    const refined = page.getByRole('switch', { name: 'Adjusted by 1 mark' });
    await refined.waitFor();
    await page.waitForTimeout(300);
    assert.match(asked, /"irrelevant":\["shop\/cookies.py::parse_cookie"\]/);
    await focusList(page);
    await page.keyboard.press('Shift+R');
    assert.equal(await refined.isChecked(), false);
    await page.waitForTimeout(300);
    assert.ok(!asked.includes('feedback'), asked);
    // Under the pointer, buttons replace the mark.
    await page.mouse.move(0, 0);
    await option(page, 'parse_cookie').getByLabel('Marked: Not relevant').waitFor();
  });

  it('is reordered by marks, and says how far they moved each function', async () => {
    const page = await searched();
    const before = 3;
    const name = (await rankedNames(page))[before - 1];
    const chosen = option(page, name);
    const moved = chosen.getByLabel(
      new RegExp(`^Moved up [12] by your marks, from rank ${before}$`),
    );
    await chosen.click();
    await page.keyboard.press('e');
    await page.getByRole('button', NEW_ORDER).waitFor();
    await page.keyboard.press('s');
    await moved.waitFor();
    const rank = Number(await chosen.getAttribute('aria-posinset'));
    assert.equal(await moved.textContent(), `↑${before - rank}`);
    assert.ok((await rankedNames(page)).indexOf(name) < before - 1);
    await checkAccessibility(page, 'a list that marks moved');

    // A result marked `read` supports others, but not itself.
    await page.keyboard.press('r');
    await page.getByRole('button', NEW_ORDER).waitFor();
    await page.keyboard.press('s');
    await moved.waitFor({ state: 'detached' });
    await page.keyboard.press('Shift+R');
    await page.locator(`[aria-posinset="${before}"][data-name="${name}"]`).waitFor();
    await page
      .getByLabel(/^Moved (up|down) \d+ by your marks/)
      .first()
      .waitFor({ state: 'detached' });
  });

  it('keeps its order while results are marked, until the new order is applied', async () => {
    const page = await searched();
    await settled(page);
    const names = await rankedNames(page);
    await focusList(page);
    await page.keyboard.press('Home');
    for (const name of names.slice(0, 2)) {
      await page.locator(`[role=option][aria-selected=true][data-name="${name}"]`).waitFor();
      await page.keyboard.press('x');
      await page.getByRole('button', NEW_ORDER).waitFor();
      // The button of the new order takes room from the last rows.
      assert.deepEqual((await rankedNames(page)).slice(0, 8), names.slice(0, 8));
      await page.keyboard.press('ArrowDown');
    }
    await page.getByRole('radio', { name: 'Marked 2' }).waitFor();
    await page.getByRole('button', NEW_ORDER).waitFor();
    await page.keyboard.press('s');
    await page.locator(`[aria-posinset="1"][data-name="${names[2]}"]`).waitFor();
  });

  it('keeps the selected row in view when the evidence opens below it and when the window is zoomed', async () => {
    const page = await searched({ viewport: { width: 1440, height: 900 } });
    await focusList(page);
    await page.keyboard.press('Home');
    for (let row = 1; row < 5; row++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('w');
    await page.getByRole('region', { name: 'Evidence' }).waitFor();
    const isInView = () =>
      page.waitForFunction(() => {
        const row = document.querySelector('[role=option][aria-selected=true]');
        const pane = row?.closest('[class*=scroller]');
        if (!row || !pane) return false;
        const [inner, outer] = [row.getBoundingClientRect(), pane.getBoundingClientRect()];
        return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
      });
    await isInView();
    // The panes are side by side, one above the other, and side by side again.
    for (const zoom of [1.5, 1.7, 1]) {
      await zoomTo(page, zoom);
      await isInView();
    }
    assert.equal(await page.locator('[role=option][aria-selected=true]').count(), 1);
    await page.keyboard.press('w');
  });

  /** Waits until the order is stable for longer than reranking takes. */
  async function settled(page: Page): Promise<void> {
    for (let before = ''; ; ) {
      const now = (await rankedNames(page)).join();
      if (now === before) return;
      before = now;
      await page.waitForTimeout(2000);
    }
  }

  it('selects and marks several results at once by keyboard', async () => {
    const page = await searched();
    await focusList(page);
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    assert.equal(await selectedCount(page), 3);
    await page.keyboard.press('r');
    await page.getByRole('radio', { name: 'Marked 3' }).waitFor();
    await page.keyboard.press('u');
    await page.getByRole('radio', { name: 'Marked', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await selectedCount(page), 1);

    // Removing the marks ranks and reranks the list again.
    await settled(page);
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByText('100 selected').waitFor();
    await page.getByRole('option').nth(1).click();
    await page
      .getByRole('option')
      .nth(3)
      .click({ modifiers: ['ControlOrMeta'] });
    assert.equal(await selectedCount(page), 2);
    await page
      .getByRole('option')
      .nth(5)
      .click({ modifiers: ['Shift'] });
    assert.equal(await selectedCount(page), 3);
  });

  it('selects no rows above the current one if the start of the range is filtered out', async () => {
    const page = await searched();
    await option(page, 'parse_cookie').click();
    await focusList(page);
    await page.keyboard.press('/');
    await page.keyboard.type('use_cookie');
    await option(page, 'parse_cookie').waitFor({ state: 'detached' });
    await page
      .getByRole('option')
      .nth(3)
      .click({ modifiers: ['Shift'] });
    assert.equal(await selectedCount(page), 1);
  });

  it('is filtered by text, path, kind and tests', async () => {
    const page = await searched();
    await focusList(page);
    await page.keyboard.press('/');
    await page.keyboard.type('cookies parse');
    await page.getByText(/^1 of 100 results/).waitFor();
    assert.deepEqual(await rankedNames(page), ['parse_cookie']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');

    await page.keyboard.press('f');
    const form = page.getByRole('dialog', { name: 'Filters' });
    await form.getByLabel('Paths').fill('shop/');
    await form.getByLabel('method').check();
    await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 3);
    const names = await rankedNames(page);
    assert.deepEqual(names.toSorted(), ['Cart.from_cookie', 'Cart.total', 'CookieJar.find_cookie']);
    await form.getByLabel('Excluded').click();
    await page.getByText('Tests excluded').waitFor();
    await form.getByLabel('Paths').fill('tests/');
    await page.getByText('No results match the filters').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await option(page, 'parse_cookie').waitFor();
  });

  it('can be grouped by file, and files can be folded', async () => {
    const page = await searched();
    await focusList(page);
    await page.keyboard.press('g');
    const file = page.locator('[data-path="shop/cookies.py"]');
    await file.waitFor();
    await option(page, 'unquote_value').click();
    await page.keyboard.press('ArrowLeft');
    await file.getByText('1 of ').waitFor();
    assert.equal(await option(page, 'unquote_value').count(), 0);
    await page.keyboard.press('ArrowRight');
    await option(page, 'unquote_value').waitFor();
    await page.keyboard.press('g');
    await file.waitFor({ state: 'detached' });
  });

  it('truncates long names in the owner, not at the end', async () => {
    const page = await searched({ viewport: { width: 1000, height: 800 } });
    const name = option(page, 'QuotedCookieValuesOfTheVisitorsCart.cut_short');
    await name.waitFor();
    const [owner, own] = await name
      .locator('[class*=owner], [class*=simple]')
      .evaluateAll((parts) => parts.map((part) => part.scrollWidth - part.clientWidth));
    assert.ok((owner ?? 0) > 0);
    assert.equal(own, 0);
  });

  it('has room for a whole row above the evidence, however low the window is', async () => {
    const page = await searched({ viewport: { width: 900, height: 700 } });
    await focusList(page);
    await page.keyboard.press('Home');
    await page.keyboard.press('e');
    await page.getByText('Adjusted by 1 mark').waitFor();
    await page.keyboard.press('w');
    const evidence = page.getByRole('region', { name: 'Evidence' });
    const above = page.getByRole('region', { name: 'About this list' });
    const [row, top, bottom] = await Promise.all(
      [page.locator('[role=option][aria-selected=true]'), above, evidence].map((one) =>
        one.boundingBox(),
      ),
    );
    assert.ok(row && top && bottom);
    assert.ok(bottom.y - (top.y + top.height) >= row.height);
    assert.ok(bottom.y + bottom.height <= 700, 'the evidence goes on below the window');
    await page.keyboard.press('w');
  });

  it('has a context menu for a function', async () => {
    const page = await searched();
    await option(page, 'parse_cookie').click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Selected results' });
    await menu.getByRole('menuitem', { name: 'Edit note' }).click();
    await page.getByRole('textbox', { name: 'Note on parse_cookie' }).fill('Begin here.');
    await page.keyboard.press('Enter');
    await option(page, 'parse_cookie').getByText('Begin here.').waitFor();
  });

  it('is accessible', async () => {
    const page = await searched();
    await option(page, 'parse_cookie').click();
    await page.keyboard.press('e');
    await option(page, 'unquote_value').click();
    await page.keyboard.press('x');
    await page.keyboard.press('n');
    await checkAccessibility(page, 'a note');
    await page.keyboard.type('Not this one');
    await page.keyboard.press('Enter');
    await option(page, 'unquote_value').getByText('Not this one').waitFor();
    await page.keyboard.press('w');
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await evidence.getByText('Details').click();
    await focusList(page);
    await page.keyboard.press('Shift+ArrowDown');
    await checkAccessibility(page, 'marks, evidence, several selected');
    await page.keyboard.press('w');
    await page.keyboard.press('g');
    await page.locator('[data-path]').first().waitFor();
    await checkAccessibility(page, 'grouped by file');
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByText('Not this one').waitFor();
    await checkAccessibility(page, 'marked');
    await page.keyboard.press('m');
    await page.keyboard.press('f');
    const form = page.getByRole('dialog', { name: 'Filters' });
    await form.getByLabel('Paths').fill('shop/');
    await page.getByRole('button', { name: 'Remove filter by paths' }).waitFor();
    await checkAccessibility(page, 'filters');
    await page.keyboard.press('Escape');
    await option(page, 'parse_cookie').click({ button: 'right' });
    await page.getByRole('menu').waitFor();
    await checkAccessibility(page, 'menu');
  });
});
