/** The frame of the window: title bar, searched repository, changes, and going back. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { git, gitRepository, removeFolder } from '../test/support/repository.ts';
import {
  checkAccessibility,
  hashFor,
  onStage,
  openRepository,
  pasteIssue,
  rankedNames,
} from './support.ts';

const FILES = {
  'shop/cookies.py': `def parse_cookie(header):
    """Split a Cookie header into names and values."""
    return dict(part.split("=", 1) for part in header.split(";"))


def quote_value(value):
    """Put a cookie value between quotes."""
    return '"' + value + '"'
`,
  'shop/cart.py': `class Cart:
    def total(self):
        """The sum of all prices, with tax."""
        return sum(item.price for item in self.items)
`,
};

const COOKIES =
  '# Cookies are cut short\n\n`parse_cookie` loses what follows a comma in a cookie value.';
const TAXES = '# Taxes are wrong\n\nThe sum of all prices in the cart adds the tax twice.';

describe('the frame', () => {
  const scene = onStage(FILES);
  before(() => {
    git(scene.root, 'tag', 'v1');
    const taxes = 'def add_tax(price):\n    """The tax of a price."""\n    return price * 1.19\n';
    writeFileSync(join(scene.root, 'shop/tax.py'), taxes);
    git(scene.root, 'add', '-A');
    git(scene.root, 'commit', '-q', '-m', 'Taxes');
  });

  const banner = (page: Page) => page.getByRole('banner');
  const named = (page: Page, name: string) => page.locator(`[role=option][data-name="${name}"]`);

  it('searches a tag, shows the tag, and returns to the files with one click', async () => {
    const page = await openRepository(scene);
    await banner(page).getByText('Working tree').waitFor();
    await banner(page).getByText('main', { exact: true }).waitFor();
    await pasteIssue(page, TAXES);
    await named(page, 'add_tax').waitFor();

    await banner(page)
      .getByRole('button', { name: basename(scene.root), exact: true })
      .click();
    await page.getByRole('menuitem', { name: 'Search a branch, tag or commit' }).click();
    const picker = page.getByRole('dialog', { name: 'Choose version' });
    await picker.getByRole('option', { name: /v1/ }).waitFor();
    await checkAccessibility(page, 'the versions');
    await page.keyboard.type('v1');
    await picker.getByRole('option', { name: /main/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');

    await banner(page).getByText('v1', { exact: true }).waitFor();
    const commit = git(scene.root, 'rev-parse', 'v1').slice(0, 10);
    await banner(page).getByText(commit).waitFor();
    await named(page, 'Cart.total').waitFor();
    assert.ok(!(await rankedNames(page)).includes('add_tax'));
    // From a commit, the working tree is offered, but not before what was typed.
    await page.keyboard.press('ControlOrMeta+Alt+g');
    await picker.getByRole('option', { name: /Working tree/ }).waitFor();
    await page.keyboard.type('v1');
    await picker.getByRole('option', { name: /Working tree/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    const editor = page.getByRole('button', { name: 'Open in editor' });
    assert.ok(await editor.isDisabled());
    await checkAccessibility(page, 'a version');
    // The address has it, too.
    await page.reload();
    await banner(page).getByText('v1', { exact: true }).waitFor();
    await page.getByText('Taxes are wrong').first().waitFor();

    await banner(page).getByRole('button', { name: 'Back to working tree' }).click();
    await banner(page).getByText('Working tree').waitFor();
    await named(page, 'add_tax').waitFor();
  });

  it('finds a commit by any of its git names', async () => {
    const page = await openRepository(scene);
    await page.keyboard.press('ControlOrMeta+Alt+g');
    const picker = page.getByRole('dialog', { name: 'Choose version' });
    await picker.getByRole('option').first().waitFor();
    await page.keyboard.type('nowhere');
    await picker.getByText('No matching branches, tags or commits').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('HEAD~1');
    await picker.getByRole('option', { name: /First/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Back to working tree' }).waitFor();
  });

  it('compares a search with the one before, and with another version', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, COOKIES);
    await page.locator('[role=option][data-name="parse_cookie"][aria-posinset="1"]').waitFor();
    await pasteIssue(page, TAXES);
    await page
      .locator('[role=option][aria-posinset="1"]:not([data-name="parse_cookie"])')
      .waitFor();
    await page.keyboard.press('ControlOrMeta+Alt+c');
    const panel = page.getByRole('tabpanel', { name: 'Compare' });
    await panel.getByRole('combobox', { name: 'Since' }).waitFor();
    await panel
      .getByRole('region', { name: /^(Left|Moved within) the first ten/ })
      .getByText('parse_cookie')
      .first()
      .waitFor();
    await checkAccessibility(page, 'a comparison');

    await panel.getByRole('button', { name: 'Other version' }).click();
    const picker = page.getByRole('dialog', { name: 'Compare with' });
    await picker.getByRole('option', { name: /v1/ }).waitFor();
    await page.keyboard.type('v1');
    await picker.getByRole('option', { name: /main/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await panel
      .getByRole('region', { name: 'Entered the first ten' })
      .getByText('add_tax')
      .waitFor();
    // The window itself stays where it is.
    await banner(page).getByText('Working tree').waitFor();
  });

  it('finds commands by their synonyms', async () => {
    const page = await openRepository(scene);
    for (const [word, title] of [
      ['import', 'Import list'],
      ['preferences', 'Settings'],
      ['theme', 'Toggle dark theme'],
      ['find', 'Go to code…'],
      ['git', 'Search a branch, tag or commit'],
      ['open file', 'Go to code…'],
    ]) {
      await page.keyboard.press('ControlOrMeta+k');
      const palette = page.getByRole('dialog', { name: 'Commands' });
      await palette.waitFor();
      await page.keyboard.type(word);
      await palette.getByRole('option', { name: title }).waitFor();
      await page.keyboard.press('Escape');
      await palette.waitFor({ state: 'detached' });
    }
    await banner(page).getByRole('button', { name: 'Go to a function, file or command' }).click();
    await page.keyboard.type('>settings');
    await page.getByRole('dialog').getByRole('option', { name: 'Settings…' }).waitFor();
  });

  describe('follows the browser’s history', () => {
    let other: string;
    before(() => {
      other = gitRepository({ 'other.py': 'def other():\n    return 1\n' });
    });
    after(() => removeFolder(other));
    const enter = (page: Page, root: string) =>
      page.evaluate((hash) => location.assign(hash), hashFor(root));
    const shows = (page: Page, root: string) =>
      page.getByRole('heading', { level: 1, name: basename(root), includeHidden: true }).waitFor();
    const isAt = (page: Page, root: string) =>
      page.waitForFunction((hash) => location.hash === hash, hashFor(root));

    it('to the last address, whichever folder opens first', async () => {
      const page = await openRepository(scene);
      const held = Promise.withResolvers<void>();
      const answered = Promise.withResolvers<void>();
      await page.routeWebSocket(/\/engine$/, (socket) => {
        const engine = socket.connectToServer();
        let id = 0;
        socket.onMessage(async (text) => {
          const { method, params, id: own } = JSON.parse(String(text) || '{}');
          if (method === 'repository.open' && params.root === other) {
            id = own;
            await held.promise;
          }
          engine.send(text);
        });
        engine.onMessage((text) => {
          socket.send(text);
          if (id && JSON.parse(String(text) || '{}').id === id) answered.resolve();
        });
      });
      await page.reload();
      await shows(page, scene.root);
      await enter(page, other);
      await page.goBack();
      await isAt(page, scene.root);
      await page.getByText('Up to date').waitFor();
      held.resolve();
      await answered.promise;
      await page.waitForTimeout(500);
      await shows(page, scene.root);
      await isAt(page, scene.root);
    });

    it('past an address with another form of the folder’s path', async () => {
      const page = await openRepository(scene);
      await enter(page, `${other}/`);
      await shows(page, other);
      await isAt(page, other);
      await page.goBack();
      await shows(page, scene.root);
    });

    it('and keeps the open repository if a folder is missing', async () => {
      const page = await openRepository(scene);
      await enter(page, join(scene.root, 'gone'));
      await page.getByRole('button', { name: '1 error' }).waitFor();
      await isAt(page, scene.root);
    });

    it('and keeps a note that is being written', async () => {
      const page = await openRepository(scene);
      await pasteIssue(page, COOKIES);
      await named(page, 'parse_cookie').click();
      await page.keyboard.press('n');
      const field = page.getByRole('textbox', { name: 'Note on parse_cookie' });
      await field.fill('Begin here.');
      await enter(page, other);
      await shows(page, other);
      await page.goBack();
      await shows(page, scene.root);
      await named(page, 'parse_cookie').getByText('Begin here.').waitFor();
      assert.equal(await field.count(), 0);
    });

    it('and closes a dialog about another repository', async () => {
      const page = await openRepository(scene);
      await enter(page, other);
      await shows(page, other);
      await page.keyboard.press('ControlOrMeta+,');
      await page.getByRole('dialog').waitFor();
      await page.goBack();
      await shows(page, scene.root);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });
  });

  for (const width of [640, 1000]) {
    it(`shows its title bar at ${width} px`, async () => {
      const viewport = { width, height: 800 };
      const page = await openRepository(scene, { viewport });
      await page.keyboard.press('ControlOrMeta+Alt+g');
      await page.getByRole('dialog').getByRole('option', { name: /v1/ }).click();
      await page.getByRole('button', { name: 'Back to working tree' }).waitFor();
      const boxes = await banner(page)
        .getByRole('button')
        .evaluateAll((all) =>
          all
            .map((one) => one.getBoundingClientRect())
            .filter((box) => box.width > 0)
            .map(({ left, right }) => [left, right] as const),
        );
      for (const [at, [, right]] of boxes.entries()) {
        const [next] = boxes[at + 1] ?? [width];
        assert.ok(right <= next + 0.5, `button ${at} ends at ${right}, the next begins at ${next}`);
      }
      if (width === 640) await checkAccessibility(page, 'the title bar with little room');
    });
  }
});
