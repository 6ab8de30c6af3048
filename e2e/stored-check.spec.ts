import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type FakeEndpoint, fakeEndpoint, finds } from '../test/check/fake-endpoint.ts';
import { FILES, ISSUE } from './cookies.ts';
import { checkAccessibility, onStage, openRepository, pasteIssue, rankedNames } from './support.ts';

describe('a stored check', () => {
  let model: FakeEndpoint;
  const scene = onStage(FILES);
  before(async () => {
    model = await fakeEndpoint(finds('quote_cookie', 'It quotes the cookie.'));
  });
  after(() => model.close());

  const bar = (page: Page) => page.getByRole('region', { name: 'Check', exact: true });
  const isChecked = (page: Page) =>
    bar(page).getByText('Checked order: 1 function to edit').waitFor();

  async function setUp(page: Page): Promise<void> {
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('tab', { name: 'Check' }).click();
    for (const [name, text] of [
      ['Address', model.address],
      ['Model', 'tiny-coder'],
    ] as const) {
      await page.getByRole('textbox', { name }).fill(text);
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  it('is shown again in another window, without a request', async () => {
    const page = await openRepository(scene);
    await setUp(page);
    await pasteIssue(page, ISSUE);
    await page.locator('[aria-posinset="1"][data-name=parse_cookie]').waitFor();
    await page.getByRole('button', { name: /^Check with/ }).click();
    await isChecked(page);
    const checked = await rankedNames(page);

    const again = await openRepository(scene);
    await isChecked(again);
    await again.locator('[aria-posinset="1"][data-name=quote_cookie]').waitFor();
    assert.deepEqual(await rankedNames(again), checked);
    await pasteIssue(again, 'the total of the cart is wrong');
    await bar(again).waitFor({ state: 'detached' });
    await pasteIssue(again, ISSUE);
    await isChecked(again);
    assert.equal(model.asked.length, 1);
  });

  it('is exported as it is shown, and imported as text', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, ISSUE);
    await isChecked(page);
    await page.keyboard.press('ControlOrMeta+E');
    const dialog = page.getByRole('dialog', { name: 'Export list' });
    await dialog.getByText('Top results').click();
    await dialog.getByRole('spinbutton', { name: 'How many' }).fill('2');
    await dialog.getByText('2 results').waitFor();
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('Checked by `tiny-coder on this machine`').waitFor();
    await preview
      .getByText(/\*\*1\.\*\* `quote_cookie`[\s\S]*Check: Edit here: `It quotes/)
      .waitFor();
    await dialog.getByText('JSON', { exact: true }).click();
    await preview.getByText('"locus-export"').waitFor();
    const list = JSON.parse(await preview.innerText());
    await page.keyboard.press('Escape');
    list.check.model = '<b>tiny</b> \u202e';
    list.chunks[0].check.reason = '<img src=x onerror=alert(1)>';
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+Shift+E');
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'list.json', mimeType: 'application/json' },
      buffer: Buffer.from(JSON.stringify(list)),
    });
    const opened = page.getByRole('dialog', { name: 'Open list' });
    await opened.getByText('Checked by <b>tiny</b> \\u{202e} on this machine').waitFor();
    const first = opened.getByRole('option').first();
    assert.match(
      await first.innerText(),
      /quote_cookie[\s\S]*Check: Edit here, rank \d+ before: <img src=x onerror=alert\(1\)>/,
    );
    assert.equal(await page.locator('img[src=x]').count(), 0);
    await checkAccessibility(page, 'an imported check');
  });

  it('survives marks, which outrank the model', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, ISSUE);
    await isChecked(page);
    const row = (name: string) => page.getByRole('option').and(page.locator(`[data-name=${name}]`));
    await row('parse_cookie').click();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('e');
    // The list with the mark has it first, and the check still says what it said.
    await page.locator('[aria-posinset="1"][data-name=parse_cookie][data-mark=edit]').waitFor();
    await row('quote_cookie').getByText('It quotes the cookie.').waitFor();
    await isChecked(page);
    await page.keyboard.press('e');
    await page.locator('[aria-posinset="1"][data-name=quote_cookie]').waitFor();
    assert.equal(model.asked.length, 1);
  });

  it('says when it is older than the code, and offers to check again', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, ISSUE);
    await isChecked(page);
    const path = join(scene.root, 'shop/cookies.py');
    writeFileSync(path, readFileSync(path, 'utf8').replace("'\"' + value", "'\"' + str(value)"));
    await bar(page)
      .getByText(/Older than the code: 1 of \d+ functions has changed since\./)
      .waitFor();
    const row = page.getByRole('option').and(page.locator('[data-name=quote_cookie]'));
    await row.getByText('changed since').waitFor();
    await checkAccessibility(page, 'an old check');
    await bar(page).getByRole('button', { name: 'Check again' }).click();
    await bar(page).getByText('Older than the code').waitFor({ state: 'detached' });
    await isChecked(page);
    assert.equal(model.asked.length, 2);

    await bar(page).getByRole('button', { name: 'Remove check' }).click();
    await bar(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('[aria-posinset="1"][data-name=parse_cookie]').waitFor();
    assert.equal(await bar(page).count(), 0);
  });
});
