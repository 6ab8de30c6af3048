/**
 * A fleet in the window. Lists and clones are real. The test answers searches instead of the engine, since `npm test` does not install
 * Milvus; `all-repositories.fleet.ts` runs the same journey with Milvus.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type FakeSsh, fakeSsh } from '../test/support/fake-ssh.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { fillFleet, fleetAnswer } from '../test/support/sample-fleet.ts';
import {
  type Answers,
  answerInstead,
  checkAccessibility,
  hashFor,
  pasteIssue,
  type Stage,
  setStage,
} from './support.ts';
import { keepTraces } from './traces.ts';

const FILES = {
  'shop/cart.py': `from shop.tax import add_tax


class Cart:
    """What a visitor buys."""

    def total(self):
        """The sum of all prices, with tax."""
        return add_tax(sum(item.price for item in self.items))
`,
  'shop/tax.py': `def add_tax(price):
    """The price with tax."""
    return price * 1.2
`,
};
const NAME = 'git.example.test/acme/shop';
const ISSUE = 'The total of the cart forgets the tax';

describe('searches of all repositories', () => {
  const home = temporaryFolder('locus-fleet-');
  const objects = join(home, 'objects');
  const { PATH } = process.env;
  let ssh: FakeSsh;
  let source: string;
  let url: string;
  let stage: Stage;
  keepTraces();

  before(async () => {
    ssh = fakeSsh();
    source = gitRepository(FILES);
    url = ssh.serve(source, 'acme/shop');
    await fillFleet(objects, { name: NAME, url }, git(source, 'rev-parse', 'HEAD'));
    process.env.PATH = ssh.path;
    process.env.LOCUS_FLEET_OBJECTS = objects;
    process.env.LOCUS_FLEET_ENGINE = 'https://milvus.example.test:19530';
    stage = await setStage(home);
  });
  after(async () => {
    process.env.PATH = PATH;
    delete process.env.LOCUS_FLEET_OBJECTS;
    delete process.env.LOCUS_FLEET_ENGINE;
    await stage?.close();
    ssh.remove();
    for (const one of [home, source]) removeFolder(one);
  });

  const answered = (here: Record<string, string> = {}): Answers => ({
    'fleet.search': () => {
      const shop = { name: NAME, url, commit: git(source, 'rev-parse', 'HEAD') };
      return { result: fleetAnswer({ shop, here }) };
    },
  });

  const dialog = (page: Page) => page.getByRole('dialog', { name: 'All repositories' });
  const list = (page: Page) => page.getByRole('listbox', { name: 'Results of all repositories' });
  const row = (page: Page, name: string) => list(page).locator(`[data-name="${name}"]`);
  const field = (page: Page) => dialog(page).getByRole('textbox', { name: 'Issue' });

  /** Waits until the issue editor has a text. The editor shows blanks as non-breaking ones. */
  const inEditor = (page: Page, text: string) =>
    page.waitForFunction(
      (wanted) =>
        document
          .querySelector('[data-pane=issue] .view-lines')
          ?.textContent?.replaceAll('\u00a0', ' ')
          .includes(wanted),
      text,
    );

  /** Goes from the start page to the results by keyboard. */
  async function search(page: Page): Promise<void> {
    await page.keyboard.press('ControlOrMeta+Alt+f');
    await field(page).fill(ISSUE);
    await page.keyboard.press('ControlOrMeta+Enter');
    await row(page, 'Cart.total').waitFor();
  }

  it('say where the words are sent before sending them, and show results and failures', async () => {
    const page = await stage.open();
    const asked = await answerInstead(page, answered());
    await page.getByRole('button', { name: 'Search all repositories' }).click();
    await dialog(page).getByText('Milvus at https://milvus.example.test:19530').waitFor();
    await dialog(page).getByText(`list of repositories from ${objects}`).first().waitFor();
    await checkAccessibility(page, 'nothing searched');
    await field(page).fill('https://github.com/acme/shop/issues/7');
    await dialog(page).getByText('An issue URL has no words').waitFor();
    assert.ok(
      await dialog(page)
        .getByRole('button', { name: /^Search all/ })
        .isDisabled(),
    );
    await field(page).fill(ISSUE);
    assert.deepEqual(
      asked.filter((method) => method.startsWith('fleet.')),
      [],
    );
    await dialog(page)
      .getByRole('button', { name: /^Search all/ })
      .click();
    await row(page, 'Cart.total').waitFor();
    assert.deepEqual(
      asked.filter((method) => method.startsWith('fleet.')),
      ['fleet.search'],
    );
    await dialog(page)
      .getByText('2 repositories searched, 1 left out that you may not read')
      .waitFor();
    await dialog(page).getByText('does not say who may read them').waitFor();
    await row(page, 'Cart.total').getByText('has the name Cart.total of the issue').waitFor();
    await row(page, 'Receipt.total_with_tax').click();
    const link = dialog(page).getByRole('link', { name: 'Open on github.com' });
    assert.match(
      (await link.getAttribute('href')) ?? '',
      /^https:\/\/github\.com\/acme\/billing\/blob\/0123.*#L41-L46$/,
    );
    assert.equal(await link.getAttribute('target'), '_blank');
    await checkAccessibility(page, 'found');

    await dialog(page).getByRole('tab', { name: 'Repositories' }).click();
    await dialog(page).getByText('and their states is in').last().waitFor();
    assert.equal(asked.includes('fleet.status'), false);
    await dialog(page).getByRole('button', { name: 'Load list' }).click();
    await dialog(page).getByText('2 repositories: 1 indexed, 1 failed').waitFor();
    const rows = dialog(page).getByRole('region', { name: 'Repositories' }).getByRole('listitem');
    assert.match(
      (await rows.first().textContent()) ?? '',
      /acme\/gone.*The last run failed: the repository could not be fetched/,
    );
    assert.match(
      (await rows.last().textContent()) ?? '',
      /acme\/shop.*5 functions in 2 files · stored 3 hours ago/,
    );
    await checkAccessibility(page, 'what became of each');

    await dialog(page).getByRole('tab', { name: 'Setup' }).click();
    await dialog(page)
      .getByText('LOCUS_FLEET_OBJECTS and LOCUS_FLEET_ENGINE are environment variables')
      .waitFor();
    assert.equal(await dialog(page).getByRole('button', { name: 'Apply' }).count(), 0);
    await checkAccessibility(page, 'set up by the environment');
  });

  it('open a local repository by keyboard, with the issue and the function', async () => {
    const root = join(home, 'here');
    git(home, 'clone', '--quiet', source, root);
    git(root, 'remote', 'set-url', 'origin', url);
    const page = await stage.open({ hash: hashFor(root) });
    await answerInstead(page, answered({ [NAME]: root }));
    await page.getByText('Up to date').waitFor();
    await pasteIssue(page, 'add_tax is off by a fifth');
    await page.locator('[role=option][data-name="add_tax"][aria-posinset="1"]').waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('company');
    await page.getByRole('option', { name: 'Search all repositories' }).waitFor();
    await page.keyboard.press('Enter');
    // The dialog starts with the text of the issue editor.
    await field(page).waitFor();
    assert.equal(await field(page).inputValue(), 'add_tax is off by a fifth');
    await field(page).fill(ISSUE);
    await page.keyboard.press('ControlOrMeta+Enter');
    await row(page, 'Cart.total').getByText('on this machine').waitFor();
    await list(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    await page.locator('[role=option][data-name="Cart.total"][aria-selected=true]').waitFor();
    await inEditor(page, ISSUE);
  });

  it('open a repository from the menu by cloning, which can be canceled', async () => {
    const into = join(home, 'clones');
    mkdirSync(into);
    const other = join(home, 'other');
    git(home, 'clone', '--quiet', source, other);
    const page = await stage.open({ hash: hashFor(other) });
    await answerInstead(page, answered());
    await page.getByText('Up to date').waitFor();
    await page.getByRole('banner').getByRole('button', { expanded: false }).first().click();
    await page.getByRole('menuitem', { name: 'Search all repositories' }).click();
    await field(page).fill(ISSUE);
    await dialog(page)
      .getByRole('button', { name: /^Search all/ })
      .click();
    await row(page, 'Cart.total').waitFor();
    const picker = page.getByRole('dialog', { name: 'Choose a folder for the clone' });
    const clone = async () => {
      await dialog(page).getByRole('button', { name: 'Clone and open' }).click();
      // The picker takes a moment to list its first folder.
      await picker.locator('input[value^="/"]').waitFor();
      await picker.getByRole('textbox', { name: 'Folder' }).fill(into);
      await picker.getByRole('button', { name: 'Clone here' }).click();
    };
    ssh.hold(true);
    await clone();
    await dialog(page).getByText(`Cloning ${NAME}: contacting its host`).waitFor();
    await checkAccessibility(page, 'while it is cloned');
    await dialog(page).getByRole('button', { name: 'Cancel clone' }).click();
    await dialog(page).getByRole('button', { name: 'Clone and open' }).waitFor();
    ssh.hold(false);
    mkdirSync(join(into, 'shop'));
    await clone();
    await dialog(page)
      .getByRole('alert')
      .getByText('exists already and is not a clone of')
      .waitFor();
    await checkAccessibility(page, 'a clone that failed');
    removeFolder(join(into, 'shop'));
    await clone();
    const root = encodeURIComponent(join(into, 'shop'));
    await page.waitForFunction((folder) => location.hash.includes(folder), root);
    await dialog(page).waitFor({ state: 'detached' });
    await page.locator('[role=option][data-name="Cart.total"][aria-selected=true]').waitFor();
    assert.ok(existsSync(join(into, 'shop/.git')));
    await inEditor(page, ISSUE);
    assert.deepEqual(readdirSync(into), ['shop']);
  });

  it('report failures, and can be repeated', async () => {
    let failing = true;
    const page = await stage.open();
    const error = {
      code: 'not-fetched',
      message: 'The engine at milvus.example.test:19530 failed: nothing answers.',
      remedy:
        'Check that Milvus runs there and accepts your token. Run locus fleet use to see the current setup.',
    };
    await answerInstead(page, {
      'fleet.search': (params) => (failing ? { error } : answered()['fleet.search']?.(params)),
    });
    await page.getByRole('heading', { name: 'Where do I edit' }).waitFor();
    await page.keyboard.press('ControlOrMeta+Alt+f');
    await field(page).fill(ISSUE);
    await page.keyboard.press('ControlOrMeta+Enter');
    await dialog(page).getByRole('heading', { name: 'nothing answers' }).waitFor();
    await checkAccessibility(page, 'a search that failed');
    failing = false;
    await page.keyboard.press('Escape');
    await search(page);
  });
});

describe('without a fleet', () => {
  const home = temporaryFolder('locus-no-fleet-');
  const objects = join(home, 'objects');
  let stage: Stage;
  let dataDir: string;
  keepTraces();
  before(async () => {
    await fillFleet(objects);
    stage = await setStage(home, (folder) => {
      dataDir = folder;
    });
  });
  after(async () => {
    await stage?.close();
    removeFolder(home);
  });

  it('one can be set up from the palette, changed, and turned off, by keyboard', async () => {
    const page = await stage.open();
    await page.getByRole('heading', { name: 'Where do I edit' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Search all repositories' }).count(), 0);
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('fleet');
    await page.getByRole('option', { name: 'Search all repositories' }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'All repositories' });
    const box = (name: string) => dialog.getByRole('textbox', { name });
    const token = dialog.getByLabel('Token');
    const none = dialog.getByRole('heading', { name: 'No fleet is set up' });
    const apply = dialog.getByRole('button', { name: 'Apply' });
    await none.waitFor();
    await box('List of repositories').and(page.locator(':focus')).waitFor();
    assert.equal(await box('Milvus').inputValue(), 'http://127.0.0.1:19530');
    assert.ok(await apply.isDisabled());
    await checkAccessibility(page, 'no fleet');
    for (const [place, why] of [
      ['fleet', 'fleet is not an absolute path'],
      ['/mnt/elsewhere', 'can be opened here'],
      ['s3://UPPER/fleet', 'does not name a valid bucket'],
    ] as const) {
      await box('List of repositories').fill(place);
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').getByText(why).waitFor();
    }
    await checkAccessibility(page, 'an invalid location');
    await box('List of repositories').fill(objects);
    await token.fill('root:secret');
    await page.keyboard.press('Enter');
    // The new fleet can be searched at once.
    await box('Issue').and(page.locator(':focus')).waitFor();
    await dialog.getByText('Milvus at http://127.0.0.1:19530, on this machine').waitFor();
    await dialog.getByRole('tab', { name: 'Results' }).press('ArrowRight');
    await dialog.getByRole('button', { name: 'Load list' }).press('Enter');
    await dialog.getByText('2 repositories: 1 indexed, 1 failed').waitFor();

    await dialog.getByRole('tab', { name: 'Repositories' }).press('ArrowRight');
    await dialog.getByText('A token is stored for http://127.0.0.1:19530').waitFor();
    assert.equal(await token.inputValue(), '');
    assert.ok(await apply.isDisabled());
    await checkAccessibility(page, 'what is set up');
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter');
    await dialog.getByText('Token removed.').waitFor();
    await box('Milvus').fill('https://milvus.example.test:19530');
    await page.keyboard.press('Enter');
    await dialog.getByText('use this fleet').waitFor();
    await dialog.getByText('Milvus at https://milvus.example.test:19530').waitFor();
    // Nothing of the previous fleet is shown.
    await dialog.getByRole('tab', { name: 'Repositories' }).click();
    await dialog.getByRole('button', { name: 'Load list', exact: true }).waitFor();
    await dialog.getByRole('tab', { name: 'Setup' }).click();
    await dialog.getByRole('button', { name: 'Turn off' }).press('Enter');
    await none.waitFor();
    await box('List of repositories').and(page.locator(':focus')).waitFor();
  });

  it('one that another window sets up appears in this window, and damage is reported', async () => {
    const [page, other] = [await stage.open(), await stage.open()];
    const offered = page.getByRole('button', { name: 'Search all repositories' });
    const dialog = other.getByRole('dialog', { name: 'All repositories' });
    for (const one of [page, other])
      await one.getByRole('heading', { name: 'Where do I edit' }).waitFor();
    writeFileSync(join(dataDir, 'fleet.json'), '{');
    await other.keyboard.press('ControlOrMeta+Alt+f');
    await dialog.getByRole('alert').getByText('fleet.json is damaged').waitFor();
    await checkAccessibility(other, 'a damaged file');
    await dialog.getByRole('textbox', { name: 'List of repositories' }).fill(objects);
    await other.keyboard.press('Enter');
    await offered.waitFor();
    await dialog.getByRole('tab', { name: 'Setup' }).click();
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await offered.waitFor({ state: 'detached' });
  });
});
