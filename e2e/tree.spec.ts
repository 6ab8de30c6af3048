/** Semantic colors in code, results as a folder tree, and going back through searches. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { checkAccessibility, onStage, openRepository, pasteIssue, rankedNames } from './support.ts';

const FILES = {
  'shop/http/cookies.py': `from shop.http.quote import unquote


def parse_cookie(header, limit):
    """Split a Cookie header into names and values."""
    parts = header.split(";")
    return {unquote(part): limit.most for part in parts}
`,
  'shop/http/quote.py': `def unquote(value):
    """A cookie value without its quotes."""
    return value.strip('"')
`,
  'shop/cart/total.ts': `export class Cart {
  /** The sum of all prices, with tax. */
  total(rate: number): number {
    return this.prices.reduce((sum, price) => sum + price * rate, 0);
  }
}
`,
  'tests/test_cookies.py': `from shop.http.cookies import parse_cookie


def test_parse_cookie():
    assert parse_cookie("a=1", None)
`,
};

const COOKIES =
  '# Cookies are cut\n\n`parse_cookie` loses the quotes of a cookie value, and `most` of it.';
const TAXES =
  '# Taxes are wrong\n\nThe sum of all prices in the cart has the tax twice: total is off.';

const issueText = (page: Page) => page.locator('[data-pane=issue] .view-lines').innerText();

/** Goes one step back or forward, and waits until the new issue or result is shown, since a second step might skip it. */
async function changed(page: Page, step: () => Promise<void>): Promise<void> {
  const shown = async () => {
    const selected = page.locator('[role=option][aria-selected=true]').first();
    return `${await selected.getAttribute('data-name')} of ${await issueText(page)}`;
  };
  const before = await shown();
  await step();
  let last = before;
  for (let same = 0; last === before || same < 4; ) {
    await sleep(50);
    const now = await shown();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}

describe('the tree, the colors and the history of searches', () => {
  const scene = onStage(FILES);
  const tree = (page: Page) => page.getByRole('tree', { name: 'Ranked results by folder' });
  const item = (page: Page, name: string | RegExp) => tree(page).getByRole('treeitem', { name });
  const best = (page: Page, name: string) =>
    page.locator(`[role=option][aria-posinset="1"][data-name="${name}"]`);
  const place = (page: Page) =>
    page.locator('[data-pane=side] [class*=fileHeader] [class*=name]').first();
  /** Returns the color of a name in the code; null while it is not drawn. */
  const colourOf = (page: Page, name: string) =>
    page.evaluate((wanted) => {
      const spans = document.querySelectorAll('[data-pane=side] .view-line span span');
      const span = [...spans].find(({ textContent }) => textContent?.trim() === wanted);
      return span ? getComputedStyle(span).color : null;
    }, name);
  const tokenColour = (page: Page, token: string) =>
    page.evaluate((name) => {
      const probe = document.createElement('i');
      probe.style.color = `var(${name})`;
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }, token);
  const coloured = async (page: Page, names: Record<string, string>) => {
    for (const [name, token] of Object.entries(names)) {
      const wanted = await tokenColour(page, `--code-${token}`);
      for (let tries = 0; (await colourOf(page, name)) !== wanted; tries++) {
        assert.ok(
          tries < 100,
          `${name} has the colour of a ${token}: ${await colourOf(page, name)}`,
        );
        await page.waitForTimeout(100);
      }
    }
  };

  it('color names by their kind, in light and dark, and tint rare words', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openRepository(scene, { colorScheme });
      await pasteIssue(page, COOKIES);
      await page.locator('[role=option][data-name=parse_cookie]').click();
      await coloured(page, {
        parse_cookie: 'function',
        header: 'parameter',
        split: 'call',
        most: 'property',
      });
      const tinted = page.locator('[data-pane=side] [class*=mention]');
      await tinted.filter({ hasText: 'most' }).first().waitFor();
      assert.equal(await tinted.filter({ hasText: 'value' }).count(), 0);
      await pasteIssue(page, TAXES);
      await page.locator('[role=option][data-name="Cart.total"]').click();
      await coloured(page, { Cart: 'type', total: 'function', rate: 'parameter', reduce: 'call' });
      await page.close();
    }
  });

  it('show the results by folder, in a tree with the usual keys', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, COOKIES);
    await best(page, 'parse_cookie').waitFor();
    await page.keyboard.press('Control+2');
    await page.keyboard.press('t');
    await tree(page).waitFor();
    await page.getByRole('button', { name: 'Folder tree', pressed: true }).waitFor();
    await tree(page).locator(`[data-name=parse_cookie][aria-selected=true][data-active]`).waitFor();
    assert.equal(await item(page, /tests folder/).getAttribute('aria-expanded'), 'false');
    const shop = item(page, /Best rank 1.* shop/).first();
    assert.match((await shop.innerText()).replace(/\s+/g, ' '), /\d+ results$/);
    await checkAccessibility(page, 'the tree');

    const active = (which: string) => tree(page).locator(`[data-active]${which}`);
    await page.keyboard.press('Home');
    await active('[aria-level="1"]').waitFor();
    await page.keyboard.press('ArrowLeft');
    await active('[aria-expanded="false"]').waitFor();
    await page.keyboard.press('ArrowRight');
    await active('[aria-expanded="true"]').waitFor();
    await page.keyboard.press('ArrowRight');
    await active('[aria-level="2"]').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await active('[aria-level="1"]').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await active('[aria-expanded="true"]').waitFor();
    // The next result is shown even if its folder is collapsed.
    await page.keyboard.press('Enter');
    const before = await place(page).innerText();
    await page.keyboard.press('Alt+ArrowDown');
    await page.waitForFunction(
      (name) =>
        document.querySelector('[data-pane=side] [class*=fileHeader] [class*=name]')
          ?.textContent !== name,
      before,
    );
    await tree(page).locator('[aria-selected=true][data-active]').waitFor();
    await page.keyboard.press('g');
    await page.getByRole('listbox', { name: 'Ranked results' }).waitFor();
    await page.keyboard.press('g');
    await page.close();
  });

  it('open and close folders by mouse, and show clicked results', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, COOKIES);
    await best(page, 'parse_cookie').waitFor();
    await page.getByRole('button', { name: 'Folder tree' }).click();
    await item(page, /tests folder/).click();
    await item(page, /test_cookies.py file/).click();
    await tree(page).locator('[data-name=test_parse_cookie]').click();
    await place(page).filter({ hasText: 'test_parse_cookie' }).waitFor();
    await item(page, /tests folder/).click();
    await tree(page).locator('[data-name=test_parse_cookie]').waitFor({ state: 'detached' });
    await place(page).filter({ hasText: 'test_parse_cookie' }).waitFor();
    await page.getByRole('button', { name: 'Folder tree' }).click();
    await page.getByRole('listbox', { name: 'Ranked results' }).waitFor();
    await page.close();
  });

  it('keep notes below their rows in the tree, also in a closed folder', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, COOKIES);
    await page.locator('[role=option][data-name=parse_cookie]').click();
    await page.keyboard.press('t');
    await item(page, /parse_cookie/)
      .first()
      .click();
    await page.keyboard.press('n');
    const field = page.getByRole('textbox', { name: 'Note on parse_cookie' });
    await field.waitFor();
    await page.keyboard.type('Begin here.');
    await page.keyboard.press('Enter');
    await field.waitFor({ state: 'detached' });
    await item(page, /Note: Begin here\./).waitFor();

    // Moves to the collapsed file; the result stays selected.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await item(page, /Note: Begin here\./).waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await field.waitFor();
    await page.keyboard.type(' And end here.');
    await page.keyboard.press('Enter');
    await item(page, /Note: Begin here\. And end here\./).waitFor();
    await page.keyboard.press('t');
    await page.locator('[role=option][data-name=parse_cookie]').waitFor();
    assert.equal(await field.count(), 0);
  });

  it('lead back and forward through searches and their selections', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, COOKIES);
    await best(page, 'parse_cookie').waitFor();
    await page.locator('[role=option][data-name=unquote]').click();
    const cookies = await rankedNames(page);
    await pasteIssue(page, TAXES);
    await best(page, 'Cart.total').click();
    await place(page).filter({ hasText: 'total' }).waitFor();

    const isShown = async (name: string, issue: RegExp) => {
      await page.locator(`[role=option][data-name="${name}"][aria-selected=true]`).waitFor();
      await place(page).filter({ hasText: name }).waitFor();
      assert.match(await issueText(page), issue);
    };
    for (let steps = 0; !/Cookies/.test(await issueText(page)); steps++) {
      assert.ok(steps < 3, 'back leads to the search before');
      await changed(page, () => page.keyboard.press('Alt+ArrowLeft'));
    }
    await isShown('unquote', /Cookies\sare\scut/);
    assert.deepEqual(await rankedNames(page), cookies);
    for (let steps = 0; !/Taxes/.test(await issueText(page)); steps++) {
      assert.ok(steps < 3, 'forward leads to the search after');
      await changed(page, () => page.getByRole('button', { name: 'Forward' }).click());
    }
    await isShown('Cart.total', /Taxes\sare\swrong/);
    // The mouse's back and forward buttons do the same.
    await page.evaluate(() => {
      const init = { button: 3, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new MouseEvent('mouseup', init));
    });
    await page.getByRole('button', { name: 'Forward', disabled: false }).waitFor();
    // From an issue without a list, going back leads to the latest one.
    await page.keyboard.press('Alt+ArrowRight');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new issue');
    await page.keyboard.press('Enter');
    await page.getByText('No issue yet').waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await isShown('Cart.total', /Taxes\sare\swrong/);
    await page.close();
  });

  it('lead back to the selection even if its repeated search was answered after the next issue', async () => {
    const page = await openRepository(scene);
    let held: (() => void)[] | null = null;
    await page.routeWebSocket(/\/engine$/, (socket) => {
      socket.connectToServer().onMessage((message) => {
        const send = () => socket.send(message);
        if (held && String(message).includes('"results"')) held.push(send);
        else send();
      });
    });
    await page.reload();
    await page.getByText('Up to date').waitFor();
    await pasteIssue(page, COOKIES);
    await best(page, 'parse_cookie').waitFor();
    await page.locator('[role=option][data-name=unquote]').click();
    held = [];
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    // The initial ranking, then the reranked list.
    while (held.length < 2) await sleep(50);
    await pasteIssue(page, TAXES);
    for (const send of held) send();
    held = null;
    await best(page, 'Cart.total').click();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.locator('[role=option][data-name=unquote][aria-selected=true]').waitFor();
    await page.close();
  });
});
