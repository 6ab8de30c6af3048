import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { gitRepository, removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { checkAccessibility, pasteIssue, rankedNames, type Stage, setStage } from './support.ts';
import { keepTraces } from './traces.ts';

const WEB = {
  'cookies.py': `def parse_cookie(header):
    """Split a Cookie header into names and values."""
    return split_pairs(header)


def split_pairs(header):
    return dict(part.split("=", 1) for part in header.split(";"))
`,
};
const SHOP = {
  'invoices.py': `class Invoice:
    """What a customer owes."""

    def total(self):
        """The sum of all lines, taxes included."""
        return sum(line.price for line in self.lines)
`,
};
const ISSUE = 'A Cookie header without names fails\n\n`parse_cookie` raises a ValueError.';

describe('the repositories of a workspace', () => {
  let top: string;
  let stage: Stage;
  let page: Page;
  keepTraces();

  before(async () => {
    top = temporaryFolder();
    for (const [name, files] of Object.entries({ web: WEB, shop: SHOP }))
      gitRepository(files, join(top, name));
    stage = await setStage(top);
    page = await stage.open();
  });
  after(async () => {
    await stage?.close();
    removeFolder(top);
  });

  it('are found in a folder, selected and opened', async () => {
    await page.getByRole('button', { name: 'Open workspace…' }).click();
    await page.getByRole('textbox', { name: 'Folder with repositories' }).fill(top);
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox').nth(1).waitFor();
    await checkAccessibility(page, 'choosing several repositories');
    await page.getByRole('button', { name: 'Open 2 repositories' }).click();
    // Both repositories are indexed at the same time.
    await page.getByText('2 of 2 repositories').waitFor({ timeout: 120_000 });
  });

  it('have one list, in which each row names its repository', async () => {
    await pasteIssue(page, ISSUE);
    assert.equal((await rankedNames(page))[0], 'parse_cookie');
    await page.getByRole('option').first().getByTitle('In the repository web').waitFor();
    await page.getByText('Split a Cookie header into names and values').first().waitFor();
    await checkAccessibility(page, 'a list of several repositories');
  });

  it('can be marked, and keep their marks', async () => {
    await page.getByRole('option').first().click();
    await page.keyboard.press('e');
    await page.getByRole('radio', { name: /Marked 1/ }).waitFor();
    await page.reload();
    await page.getByText('2 of 2 repositories').waitFor();
    await page.getByRole('radio', { name: /Marked 1/ }).waitFor();
  });

  it('can be filtered', async () => {
    await page.getByRole('button', { name: /Edit filters/ }).click();
    await page.getByRole('checkbox', { name: 'shop' }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByTitle('In the repository shop').first().waitFor();
    await page.getByTitle('In the repository web').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove filter by repositories' }).click();
    await page.getByTitle('In the repository web').first().waitFor();
  });

  it('have a line each in the status bar', async () => {
    await page.getByRole('button', { name: '2 of 2 repositories' }).click();
    const popover = page.getByRole('dialog', { name: 'Repositories' });
    assert.equal(await popover.getByText('up to date').count(), 2);
    await page.keyboard.press('Escape');
  });

  it('are one entry in the list of recent repositories', async () => {
    await page.getByRole('button', { name: /shop and web/ }).click();
    await page.getByRole('menuitem', { name: 'Close repository' }).click();
    await page.getByRole('button', { name: /shop and web.*functions/ }).click();
    await page.getByText('2 of 2 repositories').waitFor();
  });
});
