/** A slow disk, such as a network folder: the window stays responsive. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../test/support/repository.ts';
import { slowReads, startSlowly } from '../test/support/slow-reads.ts';
import { hashFor, pasteIssue, rankedNames, type Stage, setStage } from './support.ts';
import { keepTraces } from './traces.ts';

const FILES = 300;

describe('on a slow disk', () => {
  let stage: Stage;
  let root: string;
  let folder: string;
  keepTraces();

  before(async () => {
    root = gitRepository(syntheticPackage(FILES));
    folder = temporaryFolder();
    stage = await startSlowly(slowReads(root, folder), () => setStage(dirname(root)));
  });
  after(async () => {
    await stage?.close();
    for (const each of [root, folder]) removeFolder(each);
  });

  const upToDate = (page: Page) => page.getByText('Up to date');
  const filesRead = (page: Page) =>
    page.getByRole('progressbar').evaluate((bar) => (bar as HTMLProgressElement).value);

  it('progress is shown, typing works, indexed files are ranked, and indexing can pause and resume', async () => {
    const page = await stage.open({ hash: hashFor(root) });
    await page.getByRole('progressbar').waitFor();
    const early = await filesRead(page);

    // Typing works while files are read, one key at a time.
    const issue = 'check_cookie raises for a cookie that is sound';
    const editor = page.getByRole('textbox', { name: 'Issue' });
    await editor.focus();
    await page.keyboard.type(issue);
    await page.getByText(issue).first().waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    const names = await rankedNames(page);
    assert.ok(
      names.some((name) => name.includes('cookie')),
      names.join(' '),
    );
    assert.equal(await upToDate(page).count(), 0, 'files are still being read');
    await page.waitForFunction(
      (before) => document.querySelector('progress')!.value > before,
      early,
    );

    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.type('pause');
    await page.keyboard.press('Enter');
    await page.getByText('Indexing paused').waitFor();
    // The files read so far can be searched.
    await pasteIssue(page, 'parse_session forgets a session');
    await rankedNames(page);
    await page.getByRole('button', { name: 'Resume indexing' }).click();
    await upToDate(page).waitFor();
    await pasteIssue(page, `The function in module ${FILES - 1} is wrong`);
    await rankedNames(page);
  });
});
