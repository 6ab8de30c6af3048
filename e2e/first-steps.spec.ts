import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import {
  answerInstead,
  checkAccessibility,
  hashFor,
  onStage,
  pasteIssue,
  rankedNames,
} from './support.ts';

const FILES = {
  'shop/__init__.py': '',
  'shop/cookies.py': `"""Reading and writing cookies."""


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
`,
  'shop/cart.py': `from shop.cookies import parse_cookie


class Cart:
    """What a visitor wants to buy."""

    def __init__(self, items):
        self.items = items

    def total(self):
        """The sum of all prices, with tax."""
        return sum(item.price for item in self.items)

    @classmethod
    def from_header(cls, header):
        return cls(parse_cookie(header)["cart"].split("|"))
`,
};

const ISSUE = `# Cookies with a quoted comma are cut short

A cookie value between quotes may hold a comma. \`parse_cookie('a="1,2"')\` gives \`{'a': '1'}\`.

Traceback (most recent call last):
  File "shop/cart.py", line 16, in from_header
    return cls(parse_cookie(header)["cart"].split("|"))
`;

describe('first steps', () => {
  const scene = onStage(FILES);

  it('lead from the welcome screen to the code to edit', async () => {
    const page = await scene.stage.open();
    await page.getByRole('heading', { name: 'Where do I edit' }).waitFor();
    await page.getByRole('button', { name: 'Open folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'Open folder' });
    await dialog.getByRole('option', { name: basename(scene.root) }).click();
    await dialog.getByRole('button', { name: 'Open this folder' }).click();

    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
    await pasteIssue(page, ISSUE);
    const names = await rankedNames(page);
    assert.ok(names.slice(0, 3).includes('parse_cookie'), names.join(' '));

    await page.getByRole('option', { name: /unquote_value/ }).click();
    const code = page.getByRole('tabpanel', { name: 'Preview' });
    await code.getByText('lines 13–17').waitFor();
    await code.getByText('value.startswith').waitFor();
  });

  it('allow typing before the folders are listed', async () => {
    const page = await scene.stage.open();
    const first = Promise.withResolvers<unknown>();
    await answerInstead(page, { 'folders.list': () => first.promise });
    await page.getByRole('button', { name: 'Open folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'Open folder' });
    const field = dialog.getByRole('textbox', { name: 'Folder' });
    await field.fill(scene.root);
    const elsewhere = { path: '/', parent: null, hidden: 0 };
    const folders = [{ name: 'elsewhere', path: '/elsewhere', repository: false }];
    first.resolve({ result: { ...elsewhere, folders } });
    await dialog.getByRole('option', { name: 'elsewhere' }).waitFor();
    assert.equal(await field.inputValue(), scene.root);
    await dialog.getByRole('button', { name: 'Open this folder' }).click();
    await page.waitForFunction(
      (root) => location.hash.includes(root),
      encodeURIComponent(scene.root),
    );
  });

  it('stay at the choice of a folder if it is missing', async () => {
    const page = await scene.stage.open({ hash: hashFor(scene.root) });
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
    await page.keyboard.press('ControlOrMeta+O');
    const dialog = page.getByRole('dialog', { name: 'Open folder' });
    const field = dialog.getByRole('textbox', { name: 'Folder' });
    await dialog.getByRole('option', { name: basename(scene.root), selected: true }).waitFor();
    await field.fill(`${scene.root}-elsewhere`);
    await page.keyboard.press('ControlOrMeta+Enter');
    await dialog.getByText('-elsewhere cannot be listed: the folder does not exist').waitFor();
    await field.fill(scene.root);
    await page.keyboard.press('ControlOrMeta+Enter');
    await dialog.waitFor({ state: 'detached' });
  });

  it('continue after a reload', async () => {
    const page = await scene.stage.open({ hash: hashFor(scene.root) });
    const names = await rankedNames(page);
    assert.ok(names.includes('parse_cookie'));
    await page.getByText('Cookies with a quoted comma').first().waitFor();
  });

  it('need no mouse', async () => {
    const page = await scene.stage.open({ hash: hashFor(scene.root) });
    await pasteIssue(page, 'the total of the cart forgets the tax');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('[role=option][aria-posinset="1"][data-name="Cart.total"]').waitFor();
    await page.keyboard.press('F6');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    assert.equal(
      await page.locator('[role=option][aria-selected=true]').getAttribute('aria-posinset'),
      '2',
    );
    await page.keyboard.press('Enter');
    assert.ok(
      await page.evaluate(() => document.activeElement?.closest('[data-pane=side]') !== null),
    );
  });

  it('are accessible', async () => {
    const page = await scene.stage.open();
    await page.getByRole('heading', { name: 'Recent' }).waitFor();
    await checkAccessibility(page, 'welcome');
    await page.getByRole('button', { name: 'Open folder' }).click();
    await page
      .getByRole('dialog')
      .getByRole('option', { name: basename(scene.root) })
      .waitFor();
    await checkAccessibility(page, 'folder picker');
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: basename(scene.root) })
      .first()
      .click();
    await pasteIssue(page, ' ');
    await page.getByText('No issue yet').waitFor();
    await checkAccessibility(page, 'workspace without an issue');
    await pasteIssue(page, ISSUE);
    await rankedNames(page);
    await page
      .getByRole('tabpanel', { name: 'Preview' })
      .getByText(/lines \d+/)
      .waitFor();
    await checkAccessibility(page, 'workspace');
  });
});
