/** Steps to the screens of a window with the demo's repository and issue. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** For each picture, the steps from the one before, in a window that has searched the issue. */
export const SCREENS: Record<string, (page: Page) => Promise<unknown>> = {
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
