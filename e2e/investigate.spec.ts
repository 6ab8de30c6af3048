import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { breakSandboxes, installAgent } from '../test/investigate/install-agent.ts';
import { removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { checkAccessibility, onStage, openRepository, pasteIssue } from './support.ts';

const FILES = {
  'shop/cookies.py': `def parse_cookie(header):
    """Split a Cookie header into names and values."""
    return dict(part.split("=", 1) for part in header.split(";"))


def quote_cookie(value):
    """Put the value of a cookie between quotes."""
    return '"' + value + '"'
`,
};
const ISSUE = 'parse_cookie cuts a quoted cookie value\n\nThe value of a cookie is cut at a comma.';

describe('an investigation', { skip: process.platform === 'win32' }, () => {
  const { PATH } = process.env;
  const bin = temporaryFolder();
  const scene = onStage(FILES, () => {
    writeFileSync(join(bin, 'locus'), '#!/bin/sh\n');
    chmodSync(join(bin, 'locus'), 0o755);
    process.env.PATH = breakSandboxes(bin);
  });
  after(() => {
    process.env.PATH = PATH;
    removeFolder(bin);
  });

  const install = (script: string) => installAgent(bin, script, { name: 'claude-agent-acp' });
  const bar = (page: Page) => page.getByRole('region', { name: 'Investigation' });
  const start = (page: Page) =>
    page.getByRole('button', { name: 'Investigate with Claude Code' }).click();

  /** Opens a window with a ranking and Claude Code as the model of checks. */
  async function ranking(): Promise<Page> {
    const page = await openRepository(scene);
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('tab', { name: 'Check' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill('agent:claude');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await pasteIssue(page, ISSUE);
    // The list does not change from here on.
    await page.getByText(/^\d+ reranked$/).waitFor();
    return page;
  }

  it('asks first, shows the steps, and orders the list', async () => {
    const agent = install('answers');
    const page = await ranking();
    await start(page);
    const dialog = page.getByRole('dialog', { name: 'Let Claude Code read this repository?' });
    await dialog.getByText('None works on this system.').waitFor();
    await checkAccessibility(page, 'the question before an investigation');
    await dialog.getByRole('button', { name: 'Don’t start' }).click();
    assert.equal(agent.read().pid, 0);
    await start(page);
    await dialog.getByRole('button', { name: 'Trust this program' }).click();
    await page.locator('[aria-posinset="1"][data-name=quote_cookie]').waitFor();
    await page.getByText('Checked order: 1 function to edit').waitFor();
    await page.getByRole('button', { name: 'Show order before' }).click();
    await page.locator('[aria-posinset="1"][data-name=parse_cookie]').waitFor();
  });

  it('can be cancelled while it runs, and leaves the list as it is', async () => {
    install('thinks without end');
    const page = await ranking();
    await start(page);
    await bar(page).getByText('Claude Code investigates without a sandbox').waitFor();
    await bar(page).getByText('Thinks Where is the total?').waitFor();
    await checkAccessibility(page, 'a running investigation');
    await bar(page).getByRole('button', { name: 'Cancel' }).click();
    await bar(page).waitFor({ state: 'detached' });
    await page.locator('[aria-posinset="1"][data-name=parse_cookie]').waitFor();
  });

  it('that fails leaves the list as it is, and says why', async () => {
    install('is not signed in');
    const page = await ranking();
    await start(page);
    await bar(page).getByRole('alert').getByText('Claude Code is not signed in').waitFor();
    await checkAccessibility(page, 'a failed investigation');
    await bar(page).getByRole('button', { name: 'Close' }).click();
    await bar(page).waitFor({ state: 'detached' });
    await page.locator('[aria-posinset="1"][data-name=parse_cookie]').waitFor();
  });
});
