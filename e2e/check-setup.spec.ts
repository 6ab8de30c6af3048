import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type FakeEndpoint, fakeEndpoint, finds } from '../test/check/fake-endpoint.ts';
import { removeFolder } from '../test/support/repository.ts';
import { FILES, ISSUE } from './cookies.ts';
import { checkAccessibility, onStage, openRepository, pasteIssue, rankedNames } from './support.ts';

/** Function that the fix of the sample's issue edits. */
const SAMPLE = 'RetryPolicy.backoff';

describe('setting up a check', () => {
  /** Server at the address that Ollama's own variable names. Its answers are up to each test. */
  let ollama: FakeEndpoint;
  let answer: Parameters<typeof fakeEndpoint>[0];
  const inherited = process.env.OLLAMA_HOST;
  before(async () => {
    ollama = await fakeEndpoint((asked, response, turn) =>
      asked.url === '/v1/models'
        ? response.end('{"data": [{"id": "tiny-coder"}, {"id": "big-coder"}]}')
        : answer(asked, response, turn),
    );
    process.env.OLLAMA_HOST = new URL(ollama.address).host;
  });
  // The engine gets the variable when the stage starts it.
  let dataDir = '';
  const scene = onStage(FILES, (folder) => {
    dataDir = folder;
  });
  after(async () => {
    await ollama.close();
    if (inherited === undefined) delete process.env.OLLAMA_HOST;
    else process.env.OLLAMA_HOST = inherited;
  });
  beforeEach(() => {
    ollama.asked.length = 0;
    answer = (asked, ...rest) =>
      finds(asked.text.includes('max_delay') ? SAMPLE : 'quote_cookie', 'It quotes the cookie.')(
        asked,
        ...rest,
      );
  });

  const bar = (page: Page) => page.getByRole('region', { name: 'Check', exact: true });
  const checkButton = (page: Page) => page.getByRole('button', { name: /^Check with/ });
  const questions = () => ollama.asked.filter(({ url }) => url !== '/v1/models');

  async function openWithList(): Promise<Page> {
    // The list has no stored check of the test before.
    removeFolder(join(dataDir, 'checks'));
    const page = await openRepository(scene);
    await pasteIssue(page, ISSUE);
    await page.locator('[aria-posinset="1"][data-name=parse_cookie]').waitFor();
    return page;
  }

  async function openSetUp(page: Page) {
    await page.getByRole('button', { name: 'Set up a second opinion…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up a second opinion' });
    await dialog.waitFor();
    return dialog;
  }

  async function turnOff(page: Page): Promise<void> {
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('tab', { name: 'Check' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill('');
    await page.keyboard.press('Enter');
    await page.getByText('No model is set up. Nothing is sent.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  it('finds a model on this machine when asked, tests it, and uses it', async () => {
    const page = await openWithList();
    const dialog = await openSetUp(page);
    assert.equal(ollama.asked.length, 0, 'nothing is asked by itself');
    assert.equal(await dialog.getByRole('button', { name: 'Use this model' }).isEnabled(), false);
    await dialog.getByRole('button', { name: 'Look for models on this machine' }).click();
    await dialog.getByRole('radio', { name: /^Ollama.*2 models/ }).check();
    await dialog.getByRole('combobox', { name: 'Model' }).selectOption('big-coder');
    await dialog.getByText('On this machine. Code does not leave it.').waitFor();
    await dialog
      .getByText(/Sends only invented code of the demo repository, to 127\.0\.0\.1/)
      .waitFor();
    assert.equal(questions().length, 0);
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog
      .getByText(/It works, and put the right function first\. [\d.]+ s, about [\d,]+ tokens/)
      .waitFor();
    await checkAccessibility(page, 'the set-up');
    const [trial] = questions();
    assert.equal(trial?.model, 'big-coder');
    assert.doesNotMatch(trial?.text ?? '', /cookie/);
    assert.equal(await checkButton(page).count(), 0, 'nothing is saved before it is used');

    await dialog.getByRole('button', { name: 'Use this model' }).click();
    await dialog.waitFor({ state: 'detached' });
    await checkButton(page).hover();
    await page
      .getByRole('tooltip', { name: /about [\d,]+ tokens\. Nothing leaves this machine\./ })
      .waitFor();
    assert.equal(questions().length, 1, 'the estimate asks nothing');
    await checkButton(page).click();
    await bar(page).getByText('Checked order: 1 function to edit').waitFor();
    assert.equal((await rankedNames(page))[0], 'quote_cookie');
    await turnOff(page);
  });

  it('shows a test that fails or goes wrong, and can cancel it', async () => {
    const page = await openWithList();
    const dialog = await openSetUp(page);
    await dialog.getByRole('textbox', { name: 'Address' }).fill(ollama.address);
    await dialog.getByRole('textbox', { name: 'Model' }).fill('tiny-coder');
    const test = dialog.getByRole('button', { name: 'Test' });

    answer = (_, response) => response.writeHead(404).end('{"error": "no such model"}');
    await test.click();
    await dialog
      .getByText(/does not know this address or model: no such model\. Check the address/)
      .waitFor();

    answer = finds('Worker.run_one');
    await test.click();
    await dialog
      .getByText(/It answered, but put the right function at rank \d+\. A larger model/)
      .waitFor();

    answer = () => {};
    await test.click();
    await dialog.getByText('Asking about the demo.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel test' }).click();
    await dialog.getByText('Sends only invented code').waitFor();

    await dialog.getByRole('textbox', { name: 'Address' }).fill('agent:claude');
    await dialog.getByText('sends code to its provider').waitFor();
    assert.equal(await dialog.getByRole('textbox', { name: 'API key' }).count(), 0);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Set up a second opinion…' }).waitFor();
  });

  it('works with the keyboard', async () => {
    const page = await openWithList();
    const offer = page.getByRole('button', { name: 'Set up a second opinion…' });
    await offer.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Set up a second opinion' });
    await dialog
      .getByRole('button', { name: 'Look for models' })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Enter');
    const found = dialog.getByRole('radio', { name: /^Ollama/ });
    await found.waitFor();
    await page.keyboard.press('Tab');
    await found.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Space');
    await dialog.getByRole('combobox', { name: 'Model' }).waitFor();
    await page.keyboard.press('Escape');
    await offer.and(page.locator(':focus')).waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('v');
    await dialog.waitFor();
  });

  it('checks lists by itself, if that is chosen, until it fails', async () => {
    const page = await openWithList();
    const dialog = await openSetUp(page);
    await dialog.getByRole('textbox', { name: 'Address' }).fill(ollama.address);
    await dialog.getByRole('textbox', { name: 'Model' }).fill('tiny-coder');
    await dialog.getByRole('checkbox', { name: 'Check every list by itself' }).check();
    await dialog.getByRole('button', { name: 'Use this model' }).click();
    await bar(page).getByText('Checked order: 1 function to edit').waitFor();
    assert.equal((await rankedNames(page))[0], 'quote_cookie');
    await checkAccessibility(page, 'a list that was checked by itself');

    answer = (_, response) => response.writeHead(404).end();
    await pasteIssue(page, 'The total of the cart is wrong');
    await bar(page)
      .getByText(/Not checked: .* does not know this address or model/)
      .waitFor();
    assert.equal(await page.getByRole('alert').filter({ hasText: 'Not checked' }).count(), 0);
    await checkAccessibility(page, 'a failure of a check that nobody asked for');
    const asked = questions().length;
    await pasteIssue(page, 'The sum of all prices is wrong');
    await page.locator('[aria-posinset="1"][data-name=total]').waitFor();
    await bar(page).getByRole('button', { name: 'Retry' }).waitFor();
    // The check of the first issue was stored.
    await pasteIssue(page, ISSUE);
    await bar(page).getByText('Checked order: 1 function to edit').waitFor();
    assert.equal(questions().length, asked);
    await turnOff(page);
  });

  it('asks before it sends anything elsewhere, and then offers to check every list', async () => {
    const page = await openWithList();
    const dialog = await openSetUp(page);
    await dialog.getByRole('textbox', { name: 'Address' }).fill('https://models.invalid/v1');
    await dialog.getByRole('textbox', { name: 'Model' }).fill('big');
    await dialog.getByRole('checkbox', { name: 'Check every list by itself' }).uncheck();
    await dialog.getByRole('button', { name: 'Use this model' }).click();
    await checkButton(page).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page
      .getByRole('tooltip', {
        name: /to models\.invalid, about [\d,]+ tokens\. Locus asks first\./,
      })
      .waitFor();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Send code to models.invalid?' });
    await question.getByRole('checkbox', { name: /^Check every list of allowed/ }).check();
    await question.getByRole('button', { name: /^Always send/ }).click();
    await bar(page).getByRole('alert').getByText('models.invalid').waitFor();
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('tab', { name: 'Check' }).click();
    assert.equal(await page.getByRole('combobox', { name: 'Automatic' }).inputValue(), 'on');
    await page.getByRole('combobox', { name: 'Automatic' }).selectOption('off');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await turnOff(page);
  });
});
