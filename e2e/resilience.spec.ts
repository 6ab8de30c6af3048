/** Failures around the app: processes die, folders disappear, windows are reloaded or opened twice. */
import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type RunningServer, startServer } from '../src/server/server.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../test/support/repository.ts';
import { slowReads, startSlowly } from '../test/support/slow-reads.ts';
import {
  checkAccessibility,
  hashFor,
  onStage,
  openRepository,
  pasteIssue,
  rankedNames,
  setStage,
} from './support.ts';

const SHOP = {
  'shop/cart.py': `from shop.tax import rate


def cart_total(items):
    """The sum of all prices, with tax."""
    return sum(item.price for item in items) * rate()


def empty_cart(items):
    items.clear()
`,
  'shop/tax.py': 'def rate():\n    """The tax on all prices."""\n    return 1.2\n',
};
const ISSUE = 'The total of the cart forgets the tax, see cart_total';

const status = (page: Page) => page.getByRole('region', { name: 'Status' });
const upToDate = (page: Page) => page.getByText('Up to date').waitFor({ timeout: 120_000 });
const row = (page: Page, name: string) => page.locator(`[role=option][data-name="${name}"]`);

describe('work continues', () => {
  const scene = onStage(SHOP);
  const roots: string[] = [];
  const repository = (files: Record<string, string>) => {
    const root = gitRepository(files);
    roots.push(root);
    return root;
  };
  /** Opens a window and searches the issue. */
  async function openWithIssue(root: string, issue = ISSUE): Promise<Page> {
    const page = await openRepository({ stage: scene.stage, root });
    await pasteIssue(page, issue);
    await page.keyboard.press('ControlOrMeta+Enter');
    await rankedNames(page);
    return page;
  }

  after(() => {
    for (const root of roots) removeFolder(root);
  });

  it('when a new server answers that has no state of the window', async () => {
    const place = { stage: scene.stage, root: repository(SHOP) };
    const page = await openRepository(place, { complaint: /\b40[13]\b/ });
    let lose = async () => {};
    await page.routeWebSocket(/\/engine$/, (socket) => {
      socket.connectToServer();
      lose = () => socket.close();
    });
    await page.reload();
    await upToDate(page);
    const storage = await page.evaluate(() => ({ ...localStorage }));
    await page.evaluate(() => localStorage.clear());
    await lose();
    await page.getByRole('alert').getByText('Open the address that it printed').waitFor();
    // Another tab.
    await page.evaluate((stored) => Object.assign(localStorage, stored), storage);
    await upToDate(page);
  });

  it('when the server ends and is started again, with what was typed meanwhile', async (t) => {
    const [root, other] = [repository(SHOP), repository(SHOP)];
    const dataDir = temporaryFolder('locus-e2e-');
    const options = { dataDir, allowedRoot: dirname(root) };
    const first = await startServer({ ...options, port: 0 });
    const { origin, port } = new URL(first.url);
    const context = await scene.stage.browser.newContext();
    let second: RunningServer | undefined;
    t.after(async () => {
      await context.close();
      await second?.close();
      removeFolder(dataDir);
    });
    const page = await context.newPage();
    await page.goto(first.url);
    await page.waitForURL((url) => !url.searchParams.has('token'));
    await page.goto(`${origin}/${hashFor(root)}`);
    await page.reload();
    await upToDate(page);
    await pasteIssue(page, ISSUE);
    await row(page, 'cart_total').waitFor();
    await first.close();
    await page.getByRole('alert').getByText('Your text is kept').waitFor();
    assert.equal(await page.getByText('Up to date').count(), 0);
    await checkAccessibility(page, 'a window without a server');
    const typed = 'empty_cart leaves items behind, typed without a server';
    await pasteIssue(page, typed);

    second = await startServer({ ...options, port: Number(port), reopensLast: true });
    await page.getByRole('alert').getByText('Open the address that it printed').waitFor();
    // A bookmark, and an address of the earlier start, say how to get in.
    const bookmark = await context.newPage();
    for (const address of [first.url, `${origin}/${hashFor(other)}`]) {
      await bookmark.goto(address);
      await bookmark
        .getByRole('heading', { name: 'Open the address that Locus printed' })
        .waitFor();
    }
    await checkAccessibility(bookmark, 'a window without the token');
    // The new address opens the last repository with the text, and the bookmark its own.
    await page.goto(second.url);
    await page.getByText(typed).first().waitFor();
    await row(page, 'empty_cart').waitFor();
    await upToDate(bookmark);
    assert.equal(await bookmark.title(), `${basename(other)} – Locus`);
    // A repository that was closed stays closed.
    await page
      .getByRole('banner')
      .getByRole('button', { name: basename(root) })
      .click();
    await page.getByRole('menuitem', { name: 'Close repository' }).click();
    await page.reload();
    await page.getByRole('button', { name: `Remove ${basename(root)} from the list` }).waitFor();
  });

  it('when the engine is killed in the middle of a search', async () => {
    const page = await scene.stage.open({ hash: hashFor(scene.root) });
    const asked: string[] = [];
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => asked.push(String(payload))),
    );
    await page.reload();
    await upToDate(page);
    const killed = scene.stage.server.enginePid!;
    // Stopped, it cannot answer before it is killed.
    process.kill(killed, 'SIGSTOP');
    await pasteIssue(page, ISSUE);
    await page.keyboard.press('ControlOrMeta+Enter');
    while (!asked.some((text) => text.includes('"search"') && text.includes(ISSUE))) {
      await page.waitForTimeout(20);
    }
    process.kill(killed, 'SIGKILL');

    await row(page, 'cart_total').waitFor();
    assert.notEqual(scene.stage.server.enginePid, killed);
    await status(page).getByRole('button', { name: /note/ }).click();
    await page
      .getByText(/engine stopped/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    // The next request works, too.
    await pasteIssue(page, 'empty_cart leaves items behind');
    await page.locator('[role=option][aria-posinset="1"][data-name="empty_cart"]').waitFor();
  });

  it('when the open folder is deleted and later restored', async () => {
    const root = repository(SHOP);
    const page = await openWithIssue(root);
    const away = `${root}-away`;
    renameSync(root, away);
    await status(page)
      .getByText(/is no longer there/)
      .waitFor();
    assert.equal(await page.getByText('Up to date').count(), 0);
    // The index can still be searched.
    await pasteIssue(page, 'empty_cart leaves items behind');
    await page.locator('[role=option][aria-posinset="1"][data-name="empty_cart"]').waitFor();

    // Another repository is moved to its path.
    removeFolder(away);
    renameSync(
      gitRepository({ 'shop/refund.py': 'def refund_cart(items):\n    return -sum(items)\n' }),
      root,
    );
    // The window notices, and searches it.
    await upToDate(page);
    await row(page, 'refund_cart').waitFor();
    assert.equal(await row(page, 'empty_cart').count(), 0);
    await pasteIssue(page, 'refund_cart has the wrong sign');
    await page.locator('[aria-posinset="1"][data-name="refund_cart"]').waitFor();
    assert.equal(await row(page, 'cart_total').count(), 0);
    // Its edits are followed, too.
    writeFiles(root, { 'shop/gift.py': 'def wrap_gift(items):\n    return items\n' });
    await pasteIssue(page, 'wrap_gift takes no paper');
    await row(page, 'wrap_gift').waitFor();
  });

  describe('with an up-to-date list and code, when files change', () => {
    /** Returns the shop's files with `lines` lines inserted at the top of the cart's file. */
    const shift = (root: string, lines: number) =>
      writeFileSync(join(root, 'shop/cart.py'), '#more\n'.repeat(lines) + SHOP['shop/cart.py']);
    /** Waits until a row and its code are shown `lines` lines further down. */
    async function isShifted(page: Page, lines: number): Promise<void> {
      await row(page, 'cart_total')
        .getByText(`:${4 + lines}`, { exact: true })
        .waitFor();
      await row(page, 'cart_total').click();
      const code = page.getByRole('region', { name: 'Code' });
      await code.getByText(`lines ${4 + lines}–${6 + lines}`).waitFor();
      await page.keyboard.press('ControlOrMeta+3');
      await page.keyboard.press('ControlOrMeta+Home');
      await page.waitForFunction(
        (wanted) =>
          document.querySelector('[data-pane=side] .view-lines')?.textContent.split('#more')
            .length ===
          wanted + 1,
        lines,
      );
    }
    async function runCommand(page: Page, title: string): Promise<void> {
      await page.keyboard.press('ControlOrMeta+k');
      await page.keyboard.type(title);
      await page.getByRole('option', { name: title }).first().waitFor();
      await page.keyboard.press('Enter');
    }
    /** Kills the engine, and changes files before the next one reads them. */
    function killWhile(change: () => void): void {
      const killed = scene.stage.server.enginePid!;
      process.kill(killed, 'SIGSTOP');
      change();
      process.kill(killed, 'SIGKILL');
    }

    it('while indexing is paused', async () => {
      const root = repository(SHOP);
      const page = await openWithIssue(root);
      await isShifted(page, 0);
      await runCommand(page, 'Pause indexing');
      await status(page).getByText('Indexing paused').waitFor();
      shift(root, 1);
      await runCommand(page, 'Resume indexing');
      await isShifted(page, 1);
    });

    it('while the engine is down', async () => {
      const root = repository(SHOP);
      const page = await openWithIssue(root);
      await isShifted(page, 0);
      killWhile(() => shift(root, 2));
      await isShifted(page, 2);
    });

    it('while the connection is lost', async () => {
      const root = repository(SHOP);
      const page = await openWithIssue(root);
      await page.waitForTimeout(1500); // The issue is stored a second after typing.
      let lost = false;
      let lose = async () => {};
      await page.routeWebSocket(/\/engine$/, (socket) => {
        if (lost) return void socket.close();
        socket.connectToServer();
        lose = () => socket.close();
      });
      await page.reload();
      await isShifted(page, 0);
      lost = true;
      await lose();
      await page.getByRole('alert').getByText('Locus does not answer').waitFor();
      shift(root, 7);
      await page.waitForTimeout(1500); // The engine reads it, and the window is not told.
      lost = false;
      await isShifted(page, 7);
    });

    it('while the folder is moved away', async () => {
      const root = repository(SHOP);
      const page = await openWithIssue(root);
      await isShifted(page, 0);
      const away = `${root}-away`;
      renameSync(root, away);
      await status(page)
        .getByText(/is no longer there/)
        .waitFor();
      shift(away, 3);
      renameSync(away, root);
      await isShifted(page, 3);
    });

    it('while another repository is open', async () => {
      const root = repository(SHOP);
      const page = await openWithIssue(root);
      await isShifted(page, 0);
      await page.evaluate((hash) => location.assign(hash), hashFor(scene.root));
      await page.getByRole('heading', { level: 1, name: basename(scene.root) }).waitFor();
      shift(root, 4);
      await page.waitForTimeout(1500); // The engine reads it, and the window is not told.
      await page.evaluate((hash) => location.assign(hash), hashFor(root));
      await page.getByRole('heading', { level: 1, name: basename(root) }).waitFor();
      await isShifted(page, 4);
    });

    it('before the window is opened', async () => {
      const root = repository(SHOP);
      const page = await openWithIssue(root);
      await page.waitForTimeout(1500); // The issue is stored a second after typing.
      await page.close();
      killWhile(() => shift(root, 5));
      await isShifted(await openRepository({ stage: scene.stage, root }), 5);
    });

    it('in a workspace', async () => {
      const roots = [repository(SHOP), repository({ 'other.py': 'def other():\n    return 1\n' })];
      const page = await openWithIssue(JSON.stringify(roots));
      await isShifted(page, 0);
      shift(roots[0]!, 6);
      await isShifted(page, 6);
    });
  });

  it('when the window is reloaded in the middle of indexing', async (t) => {
    const root = repository(syntheticPackage(100));
    const folder = temporaryFolder();
    const stage = await startSlowly(slowReads(root, folder, 100), () => setStage(dirname(root)));
    t.after(async () => {
      await stage.close();
      removeFolder(folder);
    });
    const page = await stage.open({ hash: hashFor(root) });
    await page.getByRole('progressbar').waitFor();
    await pasteIssue(page, 'check_cookie_40 raises for a cookie that is sound');
    assert.equal(await page.getByText('Up to date').count(), 0, 'indexing is still under way');
    // The issue is stored a second after typing, or when the window closes.
    await page.reload();
    await rankedNames(page);
    await page.reload();
    await upToDate(page);
    // The list of the complete index may arrive a moment later.
    await page.locator('[role=option][data-name*="cookie_40"]').first().waitFor();
  });

  it('when two windows show one repository', async () => {
    const root = repository(SHOP);
    const one = await openWithIssue(root);
    await one.waitForTimeout(1500); // The issue is stored a second after typing.
    const other = await scene.stage.open({ hash: hashFor(root) });
    await rankedNames(other);

    // Marks of both windows show in both, and neither removes the other.
    const mark = async (page: Page, name: string, key: string) => {
      await row(page, name).click();
      await page.keyboard.press(key);
    };
    await Promise.all([mark(one, 'cart_total', 'e'), mark(other, 'rate', 'r')]);
    for (const page of [one, other]) {
      await page.locator('[data-name="cart_total"][data-mark="edit"]').waitFor();
      await page.locator('[data-name="rate"][data-mark="read"]').waitFor();
    }
    // A search in one window does not replace the other's.
    await Promise.all([
      pasteIssue(one, 'empty_cart leaves items behind'),
      pasteIssue(other, 'rate of the tax is wrong'),
    ]);
    // Marked results keep their ranks, so a named function need not be first.
    const near = (name: string) =>
      [1, 2].map((place) => `[aria-posinset="${place}"][data-name="${name}"]`).join(', ');
    await one.locator(near('empty_cart')).waitFor();
    await other.locator(near('rate')).waitFor();
    // Closing one window does not change the other.
    await one.close();
    await pasteIssue(other, ISSUE);
    await other.locator('[aria-posinset="1"][data-name="cart_total"]').waitFor();
  });

  it('when a page sends damaged and oversized messages', async () => {
    const page = await openWithIssue(scene.root);
    const engine = scene.stage.server.enginePid;
    const answers = await page.evaluate(async () => {
      const token = localStorage.getItem('locus-token') ?? '';
      const socket = new WebSocket(`ws://${location.host}/engine`, ['locus', token]);
      await new Promise((resolve) => socket.addEventListener('open', resolve));
      const errors: { id: number | null; error: { code: string; message: string } }[] = [];
      const answered = new Promise<void>((resolve, reject) => {
        socket.addEventListener('close', () => reject(new Error('the connection was ended')));
        socket.addEventListener('message', ({ data }) => {
          const message = data && JSON.parse(data);
          if (message?.error) errors.push(message);
          if (errors.length === 6) resolve();
        });
      });
      socket.send('{"id":1,"method":');
      socket.send('[]');
      socket.send(JSON.stringify({ id: 3, method: '__proto__' }));
      socket.send(JSON.stringify({ id: 4, method: 'search', params: { repository: '../..' } }));
      socket.send(new Uint8Array(10));
      socket.send(JSON.stringify({ id: 6, method: 'search', params: 'x'.repeat(9_000_000) }));
      await answered;
      return errors.map(({ id, error }) => `${id} ${error.code}`);
    });
    // Requests that are refused early may be answered before others.
    assert.deepEqual(answers.sort(), [
      '3 bad-input',
      '4 bad-input',
      '6 bad-input',
      'null bad-input',
      'null bad-input',
      'null bad-input',
    ]);
    assert.equal(scene.stage.server.enginePid, engine);
    await pasteIssue(page, 'empty_cart leaves items behind');
    await page.locator('[role=option][aria-posinset="1"][data-name="empty_cart"]').waitFor();
  });
});
