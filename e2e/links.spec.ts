import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  answer,
  type Behaviour,
  type CodeHostServer,
  githubComment,
  githubIssue,
  serving,
  startCodeHost,
} from '../test/issue-urls/code-host-server.ts';
import { FILES } from './cookies.ts';
import {
  checkAccessibility,
  onStage,
  openRepository,
  pasteIssue,
  type WindowOptions,
} from './support.ts';

const PATH = '/api/v1/repos/acme/shop/issues/7';

describe('an issue URL', () => {
  let forge: CodeHostServer;
  let behave: Behaviour;
  const scene = onStage(FILES);
  beforeEach(async () => {
    behave = serving({
      [PATH]: githubIssue(),
      [`${PATH}/comments`]: [githubComment('quote_cookie is right.')],
    });
    forge = await startCodeHost((asked, response) => behave(asked, response));
  });
  afterEach(() => forge.close());

  const bar = (page: Page) => page.getByRole('region', { name: 'Issue URL', exact: true });
  const button = (page: Page, name: string) => bar(page).getByRole('button', { name });
  const link = () => `${forge.origin}/acme/shop/issues/7#issuecomment-1`;
  const editor = (page: Page) => page.locator('[data-pane=issue] .view-lines');

  async function pasted(text: string, options?: WindowOptions): Promise<Page> {
    const page = await openRepository(scene, options);
    await pasteIssue(page, text);
    return page;
  }

  /** Waits for the issue to be in the editor and the list. */
  async function fetched(page: Page): Promise<void> {
    await bar(page)
      .getByText(/^Fetched: title, body|^Fetched: title and body/)
      .waitFor();
    await editor(page).getByText('What happens').waitFor();
    await page.locator('[aria-posinset="1"][data-name=parse_cookie]').waitFor();
  }

  it('is offered, fetched once, and searched for', async () => {
    const page = await pasted(link());
    await bar(page).getByText('This is an issue URL. Fetch issue #7 of acme/shop from').waitFor();
    await bar(page)
      .getByText(`The request goes to 127.0.0.1:${forge.port}, without a token.`)
      .waitFor();
    await page.getByText('This is the URL of an issue').waitFor();
    await checkAccessibility(page, 'the offer to fetch a link');
    assert.equal(forge.asked.length, 0);
    await button(page, 'Fetch once').click();
    await fetched(page);
    await bar(page)
      .getByText(/^Fetched: title and body, \d+ characters$/)
      .waitFor();
    await page.locator('[data-pane=issue]').getByText('acme/shop#7').waitFor();
    assert.deepEqual(
      forge.asked.map(({ url, headers }) => [url, headers.cookie]),
      [[PATH, undefined]],
    );
    await checkAccessibility(page, 'what was fetched');

    await page.keyboard.press('ControlOrMeta+Alt+h');
    await page
      .getByRole('dialog')
      .getByText(/^acme\/shop#7 · .*in the editor$/)
      .waitFor();
    assert.equal(await page.getByRole('dialog').getByText(forge.origin).count(), 0);
    await page.keyboard.press('Escape');
    // The next fetch asks again.
    await pasteIssue(page, link());
    await button(page, 'Fetch once').waitFor();
    assert.equal(forge.asked.length, 1);
  });

  it('is fetched with its comments on request', async () => {
    const page = await pasted(link());
    await bar(page).getByLabel('Include comments').check();
    await button(page, 'Fetch once').click();
    await fetched(page);
    await bar(page)
      .getByText(/^Fetched: title, body and 1 comment,/)
      .waitFor();
    await editor(page).getByText('Comment by hubot').waitFor();
  });

  it('is fetched at once from an allowed host, until the consent is withdrawn', async () => {
    const page = await pasted(link());
    await button(page, 'Always fetch from this host').click();
    await fetched(page);
    await pasteIssue(page, 'the total of the cart is wrong, it is not the sum of its prices');
    await page.locator('[aria-posinset="1"][data-name=total]').waitFor();
    await pasteIssue(page, link());
    await fetched(page);
    assert.equal(forge.asked.length, 2);

    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('tab', { name: 'Issue URLs' }).click();
    await page.getByRole('list', { name: 'Hosts' }).getByText(forge.origin).waitFor();
    await checkAccessibility(page, 'the settings of links');
    await page.getByRole('textbox', { name: 'Add a host' }).fill('not a host');
    await page.keyboard.press('Enter');
    await page.getByText('This is not a host').waitFor();
    await page.getByRole('textbox', { name: 'Add a host' }).fill('https://GitHub.com/');
    await page.keyboard.press('Enter');
    await page
      .getByRole('list', { name: 'Hosts' })
      .getByText('github.com', { exact: true })
      .waitFor();
    for (const host of [forge.origin, 'github.com']) {
      const remove = page.getByRole('button', { name: `Remove ${host}` });
      await remove.click();
      await remove.waitFor({ state: 'detached' });
    }
    await page.getByText('No hosts. Locus always asks first.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await pasteIssue(page, link());
    await button(page, 'Fetch once').waitFor();
    assert.equal(forge.asked.length, 2);
  });

  it('is left alone, and not searched for, when the user says no', async () => {
    const page = await pasted('total is wrong: the sum of all prices of the cart');
    await page.locator('[aria-posinset="1"][data-name=total]').waitFor();
    await pasteIssue(page, link());
    await button(page, 'Don’t fetch').click();
    await bar(page).getByText('nothing was fetched. Paste the text of the issue.').waitFor();
    await page.getByText('This is the URL of an issue').waitFor();
    assert.equal(await page.getByRole('option').count(), 0);
    await pasteIssue(page, `parse_cookie fails, see ${link()}`);
    await page.locator('[aria-posinset="1"][data-name=parse_cookie]').waitFor();
    await bar(page).waitFor({ state: 'detached' });
    assert.equal(forge.asked.length, 0);
  });

  it('fails with a message and a remedy, and can be retried', async () => {
    let broken = true;
    const sound = behave;
    behave = (asked, response) => (broken ? answer(response, 404, {}) : sound(asked, response));
    const page = await pasted(link());
    await button(page, 'Fetch once').click();
    await bar(page)
      .getByRole('alert')
      .getByText(/has no issue #7 of acme\/shop, or it is private/)
      .waitFor();
    await bar(page)
      .getByText(/paste the text of the issue instead/)
      .waitFor();
    assert.equal(await page.getByRole('option').count(), 0);
    await checkAccessibility(page, 'a link that could not be fetched');
    broken = false;
    await button(page, 'Retry').click();
    await fetched(page);
  });

  it('can be canceled', async () => {
    behave = () => {};
    const page = await pasted(link());
    await button(page, 'Fetch once').click();
    await bar(page)
      .getByText(/^Fetching issue #7 of acme\/shop/)
      .waitFor();
    await button(page, 'Cancel').click();
    await button(page, 'Fetch once').waitFor();
  });

  it('is refused if the host is not supported', async () => {
    const page = await pasted('https://github.com/acme/shop/discussions/7');
    await bar(page).getByText('This is a link to a discussion, which is not fetched').waitFor();
    await pasteIssue(page, '#7');
    await bar(page)
      .getByText(/no remote named origin or upstream/)
      .waitFor();
    await pasteIssue(page, 'http://git.invalid/acme/shop/issues/7');
    await bar(page)
      .getByText(/http:\/\/git\.invalid are not fetched/)
      .waitFor();
    assert.equal(await page.getByRole('option').count(), 0);
  });
});
