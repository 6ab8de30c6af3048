import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { gitRepository, removeFolder } from '../test/support/repository.ts';
import {
  checkAccessibility,
  hashFor,
  pasteIssue,
  rankedNames,
  type Stage,
  setStage,
} from './support.ts';
import { keepTraces } from './traces.ts';

const PARSE = `/** Splits a Cookie header into names and values. */
export function parseCookie(header) {
  return header.split(';').map((part) => part.split('='));
}
`;
const CART = `/** Goods that a customer is about to buy. */
export class Cart {
  /** The cookie header that remembers the cart. */
  header() {
    return this.items.join(';');
  }
}
`;
const ISSUE = 'A Cookie header without names fails\n\n`parseCookie` throws a TypeError.';

describe('packages of a repository in a window', () => {
  let root: string;
  let stage: Stage;
  let page: Page;
  keepTraces();

  before(async () => {
    root = gitRepository({
      'package.json': '{"name": "acme", "workspaces": ["packages/*"]}',
      'packages/api/package.json': '{"name": "@acme/api"}',
      'packages/api/cookies.js': PARSE,
      'packages/shop/package.json': '{"name": "@acme/shop"}',
      'packages/shop/cart.js': CART,
    });
    stage = await setStage(dirname(root));
    page = await stage.open({ hash: hashFor(root) });
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
  });
  after(async () => {
    await stage?.close();
    removeFolder(root);
  });

  it('are shown in each row', async () => {
    await pasteIssue(page, ISSUE);
    assert.equal((await rankedNames(page))[0], 'parseCookie');
    await page.getByRole('option').first().getByTitle('In the package @acme/api').waitFor();
    await checkAccessibility(page, 'a list of several packages');
  });

  it('can filter the list by keyboard', async () => {
    await page.getByRole('button', { name: /Edit filters/ }).click();
    await page.getByRole('checkbox', { name: '@acme/shop' }).focus();
    await page.keyboard.press('Space');
    await checkAccessibility(page, 'the filter by package');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByTitle('In the package @acme/shop').first().waitFor();
    await page.getByTitle('In the package @acme/api').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove filter by packages' }).click();
    await page.getByTitle('In the package @acme/api').first().waitFor();
  });

  it('follow an edit of a manifest', async () => {
    writeFileSync(join(root, 'packages/shop/package.json'), '{"name": "@acme/store"}');
    await page.getByRole('button', { name: /Edit filters/ }).click();
    await page.getByRole('checkbox', { name: '@acme/store' }).waitFor({ timeout: 60_000 });
    await page.getByRole('checkbox', { name: '@acme/shop' }).waitFor({ state: 'detached' });
  });
});
