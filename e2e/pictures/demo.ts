/** The repository and the issue that pictures show. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { makeRepository } from '../../src/services/sample.ts';
import { git } from '../../test/support/repository.ts';
import { pasteIssue, rankedNames } from '../support.ts';

const ISSUE = readFileSync(join(import.meta.dirname, '../../demo/issue.md'), 'utf8');

/** Creates the demo's repository in a folder, with a remote that has its commit, so that lists have permalinks. Returns its path. */
export async function makeDemo(home: string): Promise<string> {
  const root = join(home, 'tasklane');
  await makeRepository(root);
  git(root, 'remote', 'add', 'origin', 'https://github.com/acme/tasklane.git');
  git(root, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  return root;
}

/** Searches the demo's issue, and waits for the final list. */
export async function searchIssue(page: Page): Promise<void> {
  await pasteIssue(page, ISSUE);
  await page.keyboard.press('ControlOrMeta+Home');
  await rankedNames(page);
  await page.getByText(/^\d+ reranked$/).waitFor();
}

/** Searches once, so that models are loaded as they are for all but the first search, and goes back to a window without an issue. */
export async function warmUp(page: Page): Promise<void> {
  await searchIssue(page);
  await page.getByRole('button', { name: 'New issue' }).click();
  await page.locator('.editorPlaceholder').waitFor();
  await page.getByText('No issue yet').waitFor();
}
