import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type FakeGh, fakeGh } from '../test/support/fake-gh.ts';
import { git, removeFolder } from '../test/support/repository.ts';
import {
  checkAccessibility,
  onStage,
  openRepository,
  pasteIssue,
  type WindowOptions,
} from './support.ts';

const CART = `def total(items):
    """The sum of all prices, with tax."""
    return sum(items)
`;
const ISSUE = '# The total forgets the tax\n\n`total` should add the tax.\n';

describe('posting a list to its issue', () => {
  let gh: FakeGh;
  const { PATH } = process.env;
  const scene = onStage({ 'shop/cart.py': CART }, () => {
    gh = fakeGh();
    process.env.PATH = gh.path;
  });
  before(() => git(scene.root, 'remote', 'add', 'origin', 'git@github.com:acme/shop.git'));
  after(() => {
    process.env.PATH = PATH;
    removeFolder(gh.folder);
  });

  async function exporting(options: WindowOptions = {}): Promise<Page> {
    const page = await openRepository(scene, options);
    await pasteIssue(page, ISSUE);
    // The list does not change from here on.
    await page.getByText(/^\d+ reranked$/).waitFor();
    await page.keyboard.press('ControlOrMeta+E');
    await page.getByRole('button', { name: 'Post to issue' }).click();
    return page;
  }
  const field = (page: Page) => page.getByRole('textbox', { name: 'Post to issue' });
  const shown = (page: Page) => page.getByRole('region', { name: 'Text to post' });

  it('shows the target and the whole text, and posts nothing before confirmation', async () => {
    const page = await exporting();
    assert.equal(await page.getByRole('button', { name: 'Post', exact: true }).isDisabled(), true);
    await field(page).fill('https://gitlab.com/a/b/-/issues/1');
    await page.getByText('gh cannot comment on issue #1 of a/b, which is on gitlab.com').waitFor();
    await field(page).fill('#7');
    const post = page.getByRole('button', { name: 'Post to acme/shop#7' });
    await post.waitFor();
    await page.getByText('on github.com. The text leaves this machine').waitFor();
    const text = await shown(page).locator('pre').textContent();
    assert.match(text ?? '', /^# Where to edit: `The total forgets the tax`\n/);
    await checkAccessibility(page, 'a list before it is posted');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('region', { name: 'Preview' }).waitFor();
    assert.equal(gh.asked(), null);

    await page.getByRole('button', { name: 'Post to issue' }).click();
    await field(page).fill('acme/shop#7');
    await post.click();
    await page
      .getByRole('status')
      .getByText('Posted: https://github.com/acme/shop/issues/7#issuecomment-99')
      .waitFor();
    assert.deepEqual(gh.asked()?.args, [
      ...['issue', 'comment', '7', '--repo', 'github.com/acme/shop'],
      ...['--body-file', '-'],
    ]);
    assert.equal(gh.asked()?.input, text);
    assert.equal(await post.count(), 0);
    await checkAccessibility(page, 'a list that was posted');
  });

  it('shows the message of gh, and can be retried', async () => {
    gh.behave('echo "please run: gh auth login" >&2; exit 4');
    const page = await exporting({ colorScheme: 'dark' });
    await field(page).fill('#7');
    const post = page.getByRole('button', { name: 'Post to acme/shop#7' });
    await post.click();
    await page
      .getByRole('alert')
      .getByText(
        /gh did not post to acme\/shop#7: please run: gh auth login.*--hostname github\.com/,
      )
      .waitFor();
    await checkAccessibility(page, 'a list that was not posted');
    gh.behave('echo https://github.com/acme/shop/issues/7#issuecomment-1');
    await post.click();
    await page.getByText('Posted: https://github.com/acme/shop/issues/7#issuecomment-1').waitFor();
  });

  it('is available for Markdown only', async () => {
    const page = await exporting();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('JSON', { exact: true }).click();
    await page.getByRole('region', { name: 'Preview' }).getByText('"locus-export"').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Post to issue' }).count(), 0);
  });
});
