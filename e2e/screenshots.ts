/** The first half of `npm run screenshots`: saves every screen in both themes to docs/screenshots, with the demo's repository and issue. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { makeRepository } from '../src/services/sample.ts';
import { fakeGh } from '../test/support/fake-gh.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { fillFleet, fleetAnswer, SHOP } from '../test/support/sample-fleet.ts';
import { BILLING, CHECKOUT, VOUCHER_ISSUE } from './sample-repositories.ts';
import {
  answerInstead,
  openRepository,
  pasteIssue,
  rankedNames,
  type Stage,
  setStage,
} from './support.ts';

const DEMO = fileURLToPath(new URL('../demo', import.meta.url));
const OUTPUT = fileURLToPath(new URL('../docs/screenshots', import.meta.url));
const THEMES = ['light', 'dark'] as const;

/** Takes the screen that asks before an issue is fetched; only in the light theme. */
async function shootLinkOffer(page: Page): Promise<void> {
  await pasteIssue(page, 'https://github.com/acme/tasklane/issues/7');
  const bar = page.getByRole('region', { name: 'Issue URL', exact: true });
  await bar.getByRole('button', { name: 'Fetch once' }).waitFor();
  await page.waitForTimeout(400);
  const box = await page.locator('[data-pane=issue]').boundingBox();
  const path = join(OUTPUT, 'link-offer.png');
  if (box) await page.screenshot({ path, clip: { ...box, height: 200 }, animations: 'disabled' });
}

/** Takes the screens without an issue. */
async function shootEmpty(page: Page, save: (shown: Page, name: string) => Promise<void>) {
  await page.getByRole('button', { name: 'New issue' }).click();
  await page.locator('.editorPlaceholder').waitFor();
  await page.getByText('No issue yet').waitFor();
  await save(page, 'empty');
}

/** Steps to a screen, in a window that has searched the demo's issue. */
const SCREENS: Record<string, (page: Page) => Promise<unknown>> = {
  workspace: async (page) => {
    await page.getByRole('option').nth(1).click();
    await page.getByRole('option').nth(0).click();
  },
  evidence: (page) => page.keyboard.press('w'),
  neighbors: async (page) => {
    await page.keyboard.press('w');
    await page.getByRole('tab', { name: 'Neighbors' }).click();
    await page.locator('.react-flow__node').first().waitFor();
  },
  'model-input': async (page) => {
    await page.getByRole('tab', { name: 'Model input' }).click();
    await page.getByText('If a function ranks lower').waitFor();
  },
  palette: async (page) => {
    await page.getByRole('tab', { name: 'Preview' }).click();
    await dialogBy(page, 'Control+k');
  },
  keys: (page) => dialogBy(page, 'F1'),
  settings: (page) => dialogBy(page, 'Control+,'),
  export: async (page) => {
    await dialogBy(page, 'Control+e');
    await page.getByText('Where to edit:').first().waitFor();
  },
  post: async (page) => {
    await page.getByRole('button', { name: 'Post to issue' }).click();
    await page.getByRole('textbox', { name: 'Post to issue' }).fill('#7');
    await page.getByRole('button', { name: 'Post to acme/tasklane#7' }).waitFor();
    await page.getByRole('region', { name: 'Text to post' }).hover();
  },
  import: async (page) => {
    await page.getByRole('button', { name: 'Cancel' }).click();
    await openExported(page);
  },
  marks: async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+2');
    await page.getByRole('option').nth(3).click();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Apply new order' }).click();
    await page
      .getByLabel(/^Moved (up|down) \d+ by your marks/)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Preview' }).hover();
  },
};

/** Imports the list that was just exported, with other code in its first result, as from a colleague. */
async function openExported(page: Page): Promise<void> {
  await page.getByText('JSON', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'Include code' }).check();
  await page.getByText('"code":').first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  const list = JSON.parse(readFileSync(await download.path(), 'utf8'));
  const [first] = list.chunks;
  const lines: string[] = first.code.trimEnd().split('\n');
  first.code = [...lines.slice(0, -1), '    # As it was when the list was made.', ''].join('\n');
  first.contentHash = '0'.repeat(40);
  await dialogBy(page, 'Control+Shift+e');
  await page.locator('input[type=file]').setInputFiles({
    name: 'list.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(list)),
  });
  await page.getByRole('region', { name: 'Difference' }).locator('del').waitFor();
}

/** Closes the open dialog, and opens another by its keys. */
async function dialogBy(page: Page, keys: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press(keys);
  await page.getByRole('dialog').waitFor();
}

const home = temporaryFolder('locus-shots-');
const root = join(home, 'tasklane');
await makeRepository(root);
git(root, 'remote', 'add', 'origin', 'https://github.com/acme/tasklane.git');
// The commit counts as pushed, so that lists have permalinks.
git(root, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
// Posting is offered only if gh is installed; nothing is posted.
const gh = fakeGh();
process.env.PATH = gh.path;
mkdirSync(OUTPUT, { recursive: true });
const stage = await setStage(home);
try {
  for (const theme of THEMES) await shoot(stage, theme);
  await shootFleet();
  await shootSeveral();
} finally {
  await stage.close().finally(() => {
    removeFolder(home);
    removeFolder(gh.folder);
  });
}

/** Takes the screen of a fleet, whose results are the sample's. It has a stage of its own, since the others have no fleet. */
async function shootFleet(): Promise<void> {
  process.env.LOCUS_FLEET_OBJECTS = join(home, 'fleet');
  await fillFleet(process.env.LOCUS_FLEET_OBJECTS);
  const own = await setStage(home);
  const shop = { ...SHOP, commit: '4f1c2ab904d1c2ab904d1c2ab904d1c2ab904d1c' };
  const found = { result: fleetAnswer({ shop, here: { [SHOP.name]: '/home/you/src/shop' } }) };
  try {
    for (const theme of THEMES) {
      const page = await own.open(optionsFor(theme));
      await answerInstead(page, { 'fleet.search': () => found });
      await page.getByRole('button', { name: 'Search all repositories' }).click();
      const issue =
        '# The total of the cart forgets the tax\n\n`Cart.total` should call `add_tax`.';
      await page.getByRole('textbox', { name: 'Issue' }).fill(issue);
      await page.keyboard.press('Control+Enter');
      await page.getByRole('option', { name: 'Cart.total' }).waitFor();
      await save(page, 'fleet', theme);
    }
  } finally {
    await own.close();
  }
}

/** Takes the screens of a workspace: the choice, its list, and a list of packages; only in the light theme. */
async function shootSeveral(): Promise<void> {
  const src = join(home, 'src');
  for (const [name, files] of Object.entries({ billing: BILLING, checkout: CHECKOUT }))
    gitRepository(files, join(src, name));
  const own = await setStage(src);
  try {
    const page = await own.open(optionsFor('light'));
    await page.getByRole('button', { name: 'Open workspace…' }).click();
    await page.getByRole('textbox', { name: 'Folder with repositories' }).fill(src);
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox').nth(1).waitFor();
    await save(page, 'several-choose', 'light');
    await page.getByRole('button', { name: 'Open 2 repositories' }).click();
    await page.getByText('2 of 2 repositories').waitFor({ timeout: 120_000 });
    await pasteIssue(page, VOUCHER_ISSUE);
    await page.getByText(/^\d+ reranked$/).waitFor();
    await page.getByRole('button', { name: '2 of 2 repositories' }).click();
    await page.getByRole('dialog', { name: 'Repositories' }).waitFor();
    await save(page, 'several-list', 'light');
    const one = await openRepository(
      { stage: own, root: join(src, 'checkout') },
      optionsFor('light'),
    );
    await pasteIssue(one, VOUCHER_ISSUE);
    await one.getByText(/^\d+ reranked$/).waitFor();
    await one.getByRole('button', { name: /Edit filters/ }).click();
    for (const name of ['@acme/cart', '@acme/pricing'])
      await one.getByRole('checkbox', { name }).check();
    await one.getByRole('button', { name: 'Done' }).click();
    await one.getByTitle('In the package @acme/web').first().waitFor({ state: 'detached' });
    await save(one, 'packages', 'light');
  } finally {
    await own.close();
  }
}

function optionsFor(colorScheme: (typeof THEMES)[number]) {
  return { colorScheme, deviceScaleFactor: 2, viewport: { width: 1440, height: 900 } };
}

async function save(shown: Page, name: string, theme: (typeof THEMES)[number]): Promise<void> {
  await shown.waitForTimeout(400);
  const path = join(OUTPUT, `${name}-${theme}.png`);
  await shown.screenshot({ path, animations: 'disabled' });
}

async function shoot(stage: Stage, colorScheme: (typeof THEMES)[number]): Promise<void> {
  const options = optionsFor(colorScheme);
  const page = await openRepository({ stage, root }, options);
  const saveIn = (shown: Page, name: string) => save(shown, name, colorScheme);
  await shootEmpty(page, saveIn);
  if (colorScheme === 'light') await shootLinkOffer(page);
  await pasteIssue(page, readFileSync(join(DEMO, 'issue.md'), 'utf8'));
  await rankedNames(page);
  await page.getByText(/^\d+ reranked$/).waitFor();
  for (const [name, go] of Object.entries(SCREENS)) {
    await go(page);
    await saveIn(page, name);
  }
  await page.keyboard.press('e'); // The next theme begins without marks.
  await page.getByText('Adjusted by 1 mark').waitFor({ state: 'detached' });
  const welcome = await stage.open(options);
  await welcome.getByRole('heading', { name: 'Recent' }).waitFor();
  await saveIn(welcome, 'welcome');
  await welcome.getByRole('button', { name: 'Open folder' }).click();
  await welcome.getByRole('dialog').getByRole('option', { name: 'tasklane' }).waitFor();
  await saveIn(welcome, 'folders');
}
