/** The window at other sizes, and conflicts between keyboard shortcuts. */
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { onStage, openRepository, pasteIssue, rankedNames, zoomTo } from './support.ts';

const lines = (count: number, indent: string) =>
  Array.from({ length: count }, (_, i) => `${indent}price_${i} = ${i}\n`).join('');

const FILES = {
  'shop/cart.py': `class Cart:
    """What a visitor buys."""

    class Line:
        """One thing in the cart."""

        def price(self):
${lines(60, '            ')}
        def weight(self):
${lines(60, '            ')}

    def total(self):
        """The sum of all prices."""
${lines(60, '        ')}
${Array.from({ length: 12 }, (_, i) => `\ndef cart_total_${i}(price):\n    return price\n`).join('')}`,
};
const ISSUE =
  '# The price of a Cart.Line is wrong\n\nThe weight and the cart total: `Line.price`, `total`.';

/** Key that opens a dialog, and a text that it contains when it is complete. */
const DIALOGS = {
  'ControlOrMeta+,': 'Contrast',
  'ControlOrMeta+e': 'Where to edit:',
  'ControlOrMeta+Shift+e': 'Choose a file',
  'ControlOrMeta+Alt+h': 'just now',
  F1: 'Close a dialog or menu',
  'ControlOrMeta+k': 'Settings',
};

/**
 * Runs in the page. Returns the position of a dialog, the empty space below its content in rem, and controls that are cut off at a
 * side, where scrolling cannot reach them.
 */
function measured(dialog: Element) {
  const { top, left, right, bottom } = dialog.getBoundingClientRect();
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const shown = [...dialog.querySelectorAll('*')].filter(
    (one) =>
      one.getClientRects().length > 0 &&
      [...one.childNodes].some(
        ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim(),
      ),
  );
  const lowest = Math.max(...shown.map((one) => one.getBoundingClientRect().bottom));
  const cut = [...dialog.querySelectorAll('button, input, select')]
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.width > 0 && (box.left < left || box.right > right);
    })
    .map((one) => one.outerHTML.slice(0, 200));
  return { top, left, right, bottom, below: (bottom - lowest) / rem, cut };
}

describe('the window', () => {
  const scene = onStage(FILES);

  async function openSearched(width: number, height = 900): Promise<Page> {
    const page = await openRepository(scene, { viewport: { width, height } });
    const tab = page.getByRole('button', { name: 'Issue', exact: true });
    if (await tab.isVisible()) await tab.click();
    await pasteIssue(page, ISSUE);
    await page.keyboard.press('ControlOrMeta+Enter');
    await rankedNames(page);
    return page;
  }

  const boxOf = async (found: Locator) => {
    const box = await found.boundingBox();
    assert.ok(box);
    return { ...box, right: box.x + box.width, bottom: box.y + box.height };
  };

  it('leaves keys to the dialog that is open', async () => {
    const page = await openRepository(scene);
    await page.keyboard.press('ControlOrMeta+,');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('tab', { name: 'Indexing' }).click();
    await page.keyboard.press('ControlOrMeta+e');
    await page.keyboard.press('ControlOrMeta+k');
    assert.equal(await page.getByRole('dialog').count(), 1);
    const excluded = settings.getByRole('textbox', { name: 'Excluded files' });
    await excluded.fill('nothing/\n');
    await page.keyboard.press('ControlOrMeta+Enter');
    await settings.getByRole('button', { name: 'Apply' }).and(page.locator(':disabled')).waitFor();
    await settings.getByRole('tab', { name: 'Appearance' }).click();
    await page.keyboard.press('ControlOrMeta+=');
    await settings.getByText('110%').waitFor();
    await page.keyboard.press('ControlOrMeta+0');
    await settings.getByText('100%', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await settings.waitFor({ state: 'detached' });

    await page.keyboard.press('ControlOrMeta+o');
    const picker = page.getByRole('dialog', { name: 'Open folder' });
    await picker.getByRole('option', { name: basename(scene.root) }).waitFor();
    await page.keyboard.type(join(scene.root, 'shop'));
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+Enter');
    await picker.waitFor({ state: 'detached' });
    await page.getByRole('banner').getByRole('button', { name: 'shop', exact: true }).click();
    // The menu opens, and the window stays open.
    await page.getByRole('menuitem', { name: 'Close repository' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('leads from the V key to the set-up of a check', async () => {
    const page = await openSearched(1440);
    await page.keyboard.press('ControlOrMeta+2');
    await page.keyboard.press('v');
    await page.getByRole('dialog', { name: 'Set up a second opinion' }).waitFor();
  });

  it('scales as a whole', async () => {
    const page = await openSearched(1440);
    await zoomTo(page, 1.4);
    const sizes = await page
      .locator('.monaco-editor .view-lines')
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
    assert.deepEqual(
      sizes.map((size) => Math.round(10 * size)),
      [175, 175],
    );
    const icon = await boxOf(page.getByRole('button', { name: 'New issue' }).locator('svg'));
    assert.equal(Math.round(icon.width), 21);

    await page.locator('[role=option][data-name="cart_total_9"]').click();
    const code = page.getByRole('tabpanel', { name: 'Preview' });
    await code.getByText('def').first().waitFor();
    const badges = code.locator('[title^="Rank"]:visible > span');
    await badges.first().waitFor();
    const numbers = await code.locator('.margin-view-overlays .line-numbers').evaluateAll((all) =>
      all.map((one) => {
        const text = document.createRange();
        text.selectNodeContents(one);
        const { x, y, height } = text.getBoundingClientRect();
        return { x, middle: y + height / 2 };
      }),
    );
    let compared = 0;
    // All at once, since the editor replaces badges while it draws.
    const boxes = await badges.evaluateAll((all) =>
      all.map((one) => {
        const { right, y, bottom } = one.getBoundingClientRect();
        return { right, y, bottom };
      }),
    );
    for (const { right, y, bottom } of boxes) {
      const beside = numbers.find(({ middle }) => Math.abs(middle - (y + bottom) / 2) < 2);
      if (!beside) continue; // Above or below what is shown.
      compared += 1;
      assert.ok(
        right <= beside.x,
        `a badge ends at ${right}, its line number begins at ${beside.x}`,
      );
    }
    assert.ok(compared > 0);
    await zoomTo(page, 1);
  });

  it('keeps the first visible line of the code in place', async () => {
    const page = await openSearched(1440);
    await page.locator('[role=option][data-name="Cart.total"]').click();
    const code = page.getByRole('tabpanel', { name: 'Preview' }).locator('.view-lines');
    const shown = code.getByText('The sum of all prices');
    await shown.waitFor();
    await zoomTo(page, 2);
    await page.keyboard.press('ControlOrMeta+3');
    // Old lines may remain for a frame.
    await page.waitForTimeout(500);
    assert.ok(await shown.isVisible());
    await zoomTo(page, 1);
  });

  it('shows complete names and the focus of tabs rather than wide fields', async () => {
    const page = await openSearched(900);
    for (const name of [basename(scene.root), 'Working tree']) {
      const text = page.getByRole('banner').getByText(name, { exact: true });
      assert.ok(await text.evaluate((one) => one.scrollWidth <= one.clientWidth), name);
    }
    await page.getByRole('tab', { name: 'Preview' }).focus();
    await page.keyboard.press('ArrowRight');
    const tab = page.getByRole('tab', { name: 'Neighbors' }).and(page.locator(':focus-visible'));
    const { outlineOffset, outlineWidth } = await tab.evaluate((one) => {
      const { outlineOffset, outlineWidth } = getComputedStyle(one);
      return { outlineOffset, outlineWidth };
    });
    // The pane clips its content.
    assert.ok(Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth) <= 0);
  });

  it('pins the headers of the enclosing code', async () => {
    const page = await openSearched(1440);
    const pinned = page.getByRole('tabpanel', { name: 'Preview' }).locator('.sticky-line-content');
    for (const [name, headers] of [
      ['Cart.Line.weight', ['class Cart:', 'class Line:']],
      ['Cart.total', ['class Cart:']],
    ] as const) {
      await page.locator(`[role=option][data-name="${name}"]`).click();
      await page.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll('[data-pane=side] .sticky-line-content')]
            .map((line) => line.textContent?.replaceAll('\u00a0', ' ').trim())
            .join('|') === wanted,
        headers.join('|'),
      );
    }
    assert.equal(await pinned.count(), 1);
  });

  for (const [width, zoomed] of [
    [1024, 1],
    [800, 1],
    [1440, 2],
  ] as const) {
    it(`cuts nothing off at ${width} px and ${zoomed * 100} %`, async () => {
      const page = await openSearched(width);
      await zoomTo(page, zoomed);
      await page.keyboard.press('ControlOrMeta+2');
      await page.locator('[data-pane=results]:focus-within').waitFor();
      await page.keyboard.press('w');
      const table = page.getByRole('table');
      // Details stay open.
      if (!(await table.isVisible()))
        await page.getByRole('region', { name: 'Evidence' }).getByText('Details').click();
      await table.waitFor();
      const { wide, room } = await table.evaluate((one) => ({
        wide: one.scrollWidth,
        room: one.parentElement!.clientWidth,
      }));
      assert.ok(wide <= room, `the evidence is ${wide} wide in ${room}`);
      const results = await boxOf(page.locator('[data-pane=results]'));
      const score = await boxOf(table.locator('tfoot td'));
      assert.ok(score.right <= results.right);
      await page.keyboard.press('w');
      await page.keyboard.press('ControlOrMeta+3');
      const code = page.getByRole('tabpanel', { name: 'Preview' });
      const at = code.getByText(/^lines \d+/);
      const count = code.getByTitle('Results in this file');
      if (await count.isVisible()) {
        assert.ok((await boxOf(at)).right <= (await boxOf(count)).x);
      }
      await zoomTo(page, 1);
    });
  }

  it('has dialogs of the size of their content, and cuts nothing off', async () => {
    const page = await openSearched(1440);
    for (const [width, zoomed] of [
      [1440, 1],
      [640, 1],
      [1440, 2],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await zoomTo(page, zoomed);
      for (const [keys, ready] of Object.entries(DIALOGS)) {
        await page.keyboard.press(keys);
        const dialog = page.getByRole('dialog');
        await dialog.getByText(ready).first().waitFor();
        const what = `${keys} at ${width} px and ${100 * zoomed} %`;
        const { top, left, right, bottom, below, cut } = await dialog.evaluate(measured);
        assert.ok(top >= 0 && left >= 0 && right <= width && bottom <= 900, `${what} is in view`);
        assert.ok(below <= 8, `${what} has ${below} rem of nothing below its content`);
        assert.deepEqual(cut, [], what);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
      await zoomTo(page, 1);
    }
  });

  it('shows one pane at a time if there is no room for more, and reaches all by keyboard', async () => {
    const page = await openSearched(600);
    const seen = (name: string) => page.locator(`[data-pane=${name}]`).isVisible();
    assert.deepEqual(
      [await seen('issue'), await seen('results'), await seen('side')],
      [false, true, false],
    );
    await page.keyboard.press('Enter');
    await page.locator('[data-pane=side]:focus-within').waitFor();
    assert.equal(await seen('results'), false);
    await page.keyboard.press('ControlOrMeta+1');
    await page.getByRole('textbox', { name: 'Issue' }).and(page.locator(':focus')).waitFor();
    // With more room all panes return, and focus and typed text are preserved.
    await page.setViewportSize({ width: 1300, height: 900 });
    await page.locator('[data-pane=side]').waitFor();
    assert.equal(await seen('results'), true);
    await page.getByRole('textbox', { name: 'Issue' }).and(page.locator(':focus')).waitFor();
  });
});
