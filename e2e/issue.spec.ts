import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  checkAccessibility,
  onStage,
  openRepository,
  pasteIssue,
  rankedNames,
  type WindowOptions,
} from './support.ts';

const FILES = {
  'shop/__init__.py': '',
  'shop/cookies.py': `def parse_cookie(header):
    """Split a Cookie header into names and values."""
    return dict(part.split("=") for part in header.split(";"))


def unquote_value(value):
    """Take the quotes off a cookie value."""
    return value.strip('"')
`,
  'shop/cart.py': `from shop.cookies import parse_cookie


class Cart:
    def total(self):
        """The sum of all prices, with tax."""
        return sum(item.price for item in self.items)

    @classmethod
    def from_header(cls, header):
        return cls(parse_cookie(header)["cart"].split("|"))
`,
};

const COOKIES = `# Cookies with a quoted comma are cut short

\`parse_cookie\` in shop/cookies.py loses what follows the comma, and the cart is then empty.

Traceback (most recent call last):
  File "shop/cart.py", line 11, in from_header
    return cls(parse_cookie(header)["cart"].split("|"))
ValueError: too many values to unpack
`;
const TAX = 'The total of the cart forgets the tax, however many prices are in it.';

describe('the issue', () => {
  const scene = onStage(FILES);

  const textOf = (page: Page) =>
    page.locator('[data-pane=issue] .view-lines').evaluate((lines) => lines.textContent ?? '');

  async function openWindow(options: WindowOptions = {}): Promise<Page> {
    const page = await openRepository(scene, options);
    await page.getByRole('textbox', { name: 'Issue' }).waitFor();
    return page;
  }

  async function openHistory(page: Page) {
    await page.keyboard.press('ControlOrMeta+Alt+h');
    const dialog = page.getByRole('dialog', { name: 'Earlier issues' });
    await dialog.getByRole('searchbox').waitFor();
    return dialog;
  }

  it('is searched unchanged, and shows recognized names', async () => {
    const page = await openWindow();
    await pasteIssue(page, COOKIES);
    await rankedNames(page);
    const pane = page.locator('[data-pane=issue]');
    await pane.getByRole('button', { name: /\d+ names?/ }).waitFor();
    await pane.getByRole('button', { name: '1 frame' }).waitFor();
    assert.ok((await pane.locator('[class*=mentionedName]').count()) > 0);
    assert.ok((await pane.locator('[class*=mentionedLocation]').count()) > 0);

    await pane.getByRole('button', { name: '1 frame' }).click();
    const hover = page.locator('.monaco-hover');
    await hover.getByText('Cart.from_header').click();
    const code = page.getByRole('tabpanel', { name: 'Preview' });
    await code.getByText(/^lines \d+–11$/).waitFor();
  });

  it('leads to the functions that it names, by keyboard', async () => {
    const page = await openWindow();
    await pasteIssue(page, COOKIES);
    await rankedNames(page);
    await page.locator('[class*=mentionedName]').first().waitFor();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('F9');
    await page.locator('.monaco-hover').getByText('parse_cookie').waitFor();
    await page.keyboard.press('F12');
    await page.getByRole('tabpanel', { name: 'Preview' }).getByText('lines 1–3').waitFor();
  });

  it('says when nothing was recognized', async () => {
    const page = await openWindow();
    await pasteIssue(page, 'It does not work at all, and nobody knows why that might be.');
    await page.getByText('No function or file names recognized').waitFor();
  });

  it('can be a dropped file, but only of text', async () => {
    const page = await openWindow();
    const drop = async (name: string, type: string, content: string | Buffer) => {
      const data = await page.evaluateHandle(
        ({ name, type, bytes }) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
          return transfer;
        },
        { name, type, bytes: [...Buffer.from(content)] },
      );
      const target = page.locator('[data-pane=issue] .monaco-editor').first();
      await target.dispatchEvent('dragover', { dataTransfer: data });
      await page.getByText('Drop to open as an issue').waitFor();
      await target.dispatchEvent('drop', { dataTransfer: data });
    };
    await drop('tax.md', 'text/markdown', TAX.replaceAll(', ', ',\r\n'));
    await page.locator('[data-name="Cart.total"]').waitFor();
    assert.match(await textOf(page), /forgets/);
    await drop('photo.png', 'image/png', 'PNG');
    await page.getByText('“photo.png” is not a text').waitFor();
    assert.match(await textOf(page), /forgets/);
    await drop('log.txt', 'text/plain', Buffer.from(`\ufeff${COOKIES}`, 'utf16le'));
    await page.locator('[data-name="parse_cookie"]').waitFor();
  });

  it('can be found by words, renamed, pinned, and restored after deletion', async () => {
    const page = await openWindow();
    await pasteIssue(page, COOKIES);
    await rankedNames(page);
    await page.keyboard.press('ControlOrMeta+Alt+n');
    await pasteIssue(page, TAX);
    await page.locator('[data-name="Cart.total"]').first().waitFor();

    const dialog = await openHistory(page);
    await dialog
      .getByRole('button', { name: /^The total of the cart/ })
      .first()
      .waitFor();
    await page.keyboard.type('comma unpack');
    await dialog
      .getByRole('button', { name: /^The total of the cart/ })
      .first()
      .waitFor({ state: 'detached' });

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    await page.keyboard.type('Commas in cookies');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: /^Commas in cookies/ }).waitFor();
    await page.keyboard.press('p');
    await dialog.getByLabel('Pinned').waitFor();

    const row = dialog.locator('[data-issue]').filter({ hasText: 'Commas in cookies' });
    await page.keyboard.press('Delete');
    await row.waitFor({ state: 'detached' });
    await dialog.getByText('Deleted “').waitFor();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await row.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(() =>
      document.querySelector('[data-pane=issue] .view-lines')?.textContent?.includes('quoted'),
    );

    await page.reload();
    await rankedNames(page);
    await page.waitForFunction(() =>
      document.querySelector('[data-pane=issue] .view-lines')?.textContent?.includes('quoted'),
    );
  });

  it('is one entry of the history, however often it is pasted and however it grows', async () => {
    const page = await openWindow();
    const text = '# Totals are rounded twice\n\nThe total of [a, (b), {c}] is off by one cent.';
    for (const paste of [text, COOKIES, text, `${text}\n\nSince the last release (2.1).`]) {
      await pasteIssue(page, paste);
      await page.waitForFunction(
        (start) =>
          document.querySelector('[data-pane=issue] .view-lines')?.textContent?.includes(start),
        paste.split(/\s+/)[1],
      );
    }
    assert.equal(await page.locator('[data-pane=issue] [class*=bracket-]').count(), 0);
    const dialog = await openHistory(page);
    const entries = dialog.locator('[data-issue]').filter({ hasText: 'Totals are rounded' });
    await dialog.locator('[data-issue][aria-current]', { hasText: 'Totals are rounded' }).waitFor();
    assert.equal(await entries.count(), 1);
    assert.match(await textOf(page), /last/);
  });

  it('leaves the editor empty when it is deleted while open, and can be restored', async () => {
    const page = await openWindow();
    await pasteIssue(page, TAX);
    await rankedNames(page);
    const dialog = await openHistory(page);
    await dialog.locator('[data-issue][aria-current]').focus();
    await page.keyboard.press('Delete');
    await dialog.locator('[data-issue][aria-current]').waitFor({ state: 'detached' });
    assert.doesNotMatch(await textOf(page), /forgets/);
    await dialog.locator('[data-issue]').first().press('ControlOrMeta+z');
    await dialog.locator('[data-issue][aria-current]').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.match(await textOf(page), /forgets/);
  });

  it('shows its whole placeholder, however narrow its pane is', async () => {
    const page = await openWindow({ viewport: { width: 1000, height: 800 } });
    await page.getByRole('button', { name: 'New issue' }).click();
    const text = page.locator('[data-pane=issue] .editorPlaceholder');
    await text.waitFor();
    assert.ok(await text.evaluate((one) => one.scrollWidth <= one.clientWidth));
    assert.ok(await text.evaluate((one) => one.scrollHeight <= one.clientHeight));
  });

  it('takes the focus even if it was requested before the editor was loaded', async () => {
    const page = await openWindow();
    let arrive = () => {};
    const held = new Promise<void>((done) => (arrive = done));
    await page.route(/\/assets\/monaco-.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await page.locator('[data-pane=issue]').waitFor();
    await page.keyboard.press('ControlOrMeta+1');
    await page.locator('[data-pane=issue]:focus').waitFor();
    arrive();
    await page.getByRole('textbox', { name: 'Issue' }).and(page.locator(':focus')).waitFor();
  });

  it('is accessible', async () => {
    const page = await openWindow();
    await pasteIssue(page, COOKIES);
    await page.locator('[class*=mentionedName]').first().waitFor();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('F9');
    await page.locator('.monaco-hover').getByText('parse_cookie').waitFor();
    await checkAccessibility(page, 'issue with a hover');
    await page.keyboard.press('Escape');
    await openHistory(page);
    await page.locator('[data-issue]').first().waitFor();
    await checkAccessibility(page, 'history');
    await page.keyboard.type('no issue has these words');
    await page.getByText('No issue contains all of these words').waitFor();
    await checkAccessibility(page, 'empty history');
  });
});
