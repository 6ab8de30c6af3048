/** `npm run screenshots`: every screen in both themes, into docs/screenshots. Made on the demo's repository and issue. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { makeRepository } from '../demo/history.ts';
import { removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { openRepository, pasteIssue, rankedNames, type Stage, setStage } from './support.ts';

const DEMO = fileURLToPath(new URL('../demo', import.meta.url));
const OUTPUT = fileURLToPath(new URL('../docs/screenshots', import.meta.url));
const THEMES = ['light', 'dark'] as const;

/** What a window shows before there is an issue. */
async function shootEmpty(page: Page, save: (shown: Page, name: string) => Promise<void>) {
  await pasteIssue(page, ' ');
  await page.getByText('will be listed here').waitFor();
  await save(page, 'empty');
}

/** A screen: how to get there in a window that shows the demo's repository with its issue searched. */
const SCREENS: Record<string, (page: Page) => Promise<unknown>> = {
  workspace: async (page) => {
    await page.getByRole('option').nth(1).click();
    await page.getByRole('option').nth(0).click();
  },
  evidence: (page) => page.keyboard.press('w'),
  neighbors: async (page) => {
    await page.keyboard.press('w');
    await page.getByRole('tab', { name: 'Neighbours' }).click();
    await page.locator('.react-flow__node').first().waitFor();
  },
  'model-input': async (page) => {
    await page.getByRole('tab', { name: 'Model input' }).click();
    await page.getByText('tokens').first().waitFor();
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
  import: openExported,
  marks: async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+2');
    await page.getByRole('option').nth(3).click();
    await page.keyboard.press('e');
    await page.getByText('Refined by 1 mark').waitFor();
    await page
      .getByLabel(/^Marks moved it/)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Preview' }).hover();
  },
};

/** The list that was just exported, opened as a colleague's. */
async function openExported(page: Page): Promise<void> {
  await page.getByText('JSON', { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  await dialogBy(page, 'Control+Shift+e');
  await page.locator('input[type=file]').setInputFiles({
    name: 'list.json',
    mimeType: 'application/json',
    buffer: readFileSync(await download.path()),
  });
  await page.getByRole('listbox', { name: 'Results of the list' }).waitFor();
}

/** Opens a dialog by its keys, after closing the one that is open. */
async function dialogBy(page: Page, keys: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press(keys);
  await page.getByRole('dialog').waitFor();
}

const home = temporaryFolder('locus-shots-');
const root = join(home, 'tasklane');
makeRepository(root);
mkdirSync(OUTPUT, { recursive: true });
const stage = await setStage(home);
try {
  for (const theme of THEMES) await shoot(stage, theme);
} finally {
  await stage.close().finally(() => removeFolder(home));
}

async function shoot(stage: Stage, colorScheme: (typeof THEMES)[number]): Promise<void> {
  const options = { colorScheme, deviceScaleFactor: 2, viewport: { width: 1440, height: 900 } };
  const page = await openRepository({ stage, root }, options);
  await shootEmpty(page, save);
  await pasteIssue(page, readFileSync(join(DEMO, 'issue.md'), 'utf8'));
  await rankedNames(page);
  for (const [name, go] of Object.entries(SCREENS)) {
    await go(page);
    await save(page, name);
  }
  await page.keyboard.press('e'); // The next theme begins without marks.
  await page.getByText('Refined by 1 mark').waitFor({ state: 'detached' });
  const welcome = await stage.open(options);
  await welcome.getByRole('heading', { name: 'Recent' }).waitFor();
  await save(welcome, 'welcome');
  await welcome.getByRole('button', { name: 'Open a folder' }).click();
  await welcome.getByRole('dialog').getByRole('button', { name: 'tasklane' }).waitFor();
  await save(welcome, 'folders');

  async function save(shown: Page, name: string): Promise<void> {
    await shown.waitForTimeout(400);
    await shown.screenshot({
      path: join(OUTPUT, `${name}-${colorScheme}.png`),
      animations: 'disabled',
    });
  }
}
