/** Reasons for a result, and the words that they highlight. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility, onStage, openRepository, pasteIssue } from './support.ts';

const FILES = {
  'shop/retry.py': `class Retry:
    """Waits between attempts."""

    def delay(self, attempt):
        """How long to wait."""
        wait = self.backoff * 2 ** attempt
        return wait


def give_up(attempts):
    raise Exhausted("backoff is exhausted")
`,
  'shop/unrelated.py': 'patience = 60\n\n\ndef unrelated():\n    pass\n',
  'shop/other.adb': 'procedure Other;\n',
};

const ISSUE = `The backoff grows without a limit

\`Retry.delay\` never stops growing:

\`\`\`
Traceback (most recent call last):
  File "shop/retry.py", line 6, in delay
    wait = self.backoff * 2 ** attempt
OverflowError: int too large
\`\`\`
`;

describe('reasons', () => {
  const scene = onStage(FILES);
  const option = (page: Page, name: string) =>
    page.locator(`[role=option][data-name="${name}"]`).first();
  /** Waits for the reranked list of the issue. The list of the test before may still be shown. */
  async function reranked(page: Page): Promise<void> {
    await option(page, 'Retry.delay').getByText('top frame').waitFor();
    await page
      .getByText(/^\d+ reranked$/)
      .first()
      .waitFor();
  }

  const litIn = (page: Page, pane: string) =>
    page
      .locator(`[data-pane=${pane}] [class*=_highlight]`)
      .evaluateAll((lit) => lit.map(({ textContent }) => textContent));

  /**
   * Waits until exactly these words, or some of them, are highlighted in a pane.
   * @param point moves the pointer to the reason; repeated, since reasons move until the panel has its final layout.
   */
  async function lit(
    page: Page,
    pane: string,
    word: RegExp | null,
    point = async () => {},
  ): Promise<void> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      await point();
      const found = await litIn(page, pane);
      if (word === null ? found.length === 0 : found.some((text) => word.test(text ?? ''))) return;
      assert.ok(Date.now() < deadline, `${pane} has ${JSON.stringify(found)} lit, not ${word}`);
      await page.waitForTimeout(50);
    }
  }

  it('are on every row with the matching line of code, also for screen readers', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, ISSUE);
    const row = option(page, 'Retry.delay');
    await row.getByText('wait = self.backoff').waitFor();
    assert.ok((await row.locator('mark').allTextContents()).includes('backoff'));
    const described = await page
      .getByRole('option')
      .evaluateAll((rows) =>
        rows.map(
          (each) =>
            document.getElementById(each.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
        ),
      );
    assert.ok(described.length > 2);
    for (const says of described) assert.match(says, /[a-z]{3}/);
    assert.match(described[0] ?? '', /top frame|its code mentions/);
    const basis = page.getByRole('region', { name: 'About this list' });
    await basis.getByText(/^\d+ names?, 1 path, 1 frame recognized$/).waitFor();
    await basis.getByText(/history/).waitFor();
    await basis.getByText('1 of 3 files not read: Ada').waitFor();
    await checkAccessibility(page, 'rows with reasons');

    // The note about an unsupported file comes first, and is not cut off in a narrow pane.
    await pasteIssue(page, ISSUE.replace('shop/retry.py', 'shop/other.adb'));
    const unread = basis.getByText(
      'shop/other.adb was not read (unsupported): Ada is not supported yet.',
    );
    await unread.waitFor();
    await page.setViewportSize({ width: 920, height: 900 });
    for (const said of [unread, basis.getByText('1 of 3 files not read: Ada')]) {
      await said.waitFor();
      const pane = await basis.boundingBox();
      const box = await said.boundingBox();
      assert.ok(pane && box && box.x + box.width <= pane.x + pane.width);
      assert.ok(box.y + box.height <= pane.y + pane.height);
    }
    await checkAccessibility(page, 'a file that is not read');
  });

  it('highlight their words in the issue and in the code', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, ISSUE);
    // Reasons do not move after reranking.
    await reranked(page);
    await option(page, 'Retry.delay').click();
    await option(page, 'Retry.delay').getByText('backoff').first().waitFor();
    await page.keyboard.press('w');
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await evidence.getByText('Details').click();
    const words = evidence.getByRole('button', { name: /^its code mentions / }).first();
    await lit(page, 'issue', /backoff/, () => words.hover());
    await lit(page, 'side', /backoff/);
    await evidence.getByRole('heading').first().hover();
    await lit(page, 'issue', null);
    await lit(page, 'side', null);

    const frame = evidence.getByRole('button', { name: 'top frame of the traceback' });
    await frame.focus();
    await lit(page, 'issue', /line.*6/);
    await lit(page, 'side', /wait/);
    await page.keyboard.press('Enter');
    await checkAccessibility(page, 'a reason that is lit up');
    await page.keyboard.press('ControlOrMeta+2');
    await lit(page, 'issue', null);
    await page.keyboard.press('w');
    await evidence.waitFor({ state: 'detached' });

    const row = option(page, 'Retry.delay');
    await row
      .getByText(/top frame|its code mentions/)
      .first()
      .hover();
    await lit(page, 'issue', /./);
    await page.mouse.move(0, 0);
    await lit(page, 'issue', null);
    await row.getByRole('img', { name: /^Evidence: / }).hover();
    await page.getByRole('tooltip').getByText(/%/).first().waitFor();
  });

  it('disappear with their list, and highlight nothing in newly pasted text', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, ISSUE);
    await reranked(page);
    const reason = option(page, 'Retry.delay').getByText(/top frame|its code mentions/);
    await lit(page, 'issue', /./, () => reason.first().hover());
    // A URL is not searched, and the list disappears under the pointer.
    await pasteIssue(page, 'https://github.com/acme/shop/issues/1');
    await page.getByText('This is the URL of an issue').waitFor();
    await lit(page, 'issue', null);
    await pasteIssue(page, 'nothing');
    await page.getByText('nothing', { exact: true }).waitFor();
    assert.deepEqual(await litIn(page, 'issue'), []);
  });

  it('of module code are those of its file, as on its row', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, ISSUE);
    const row = page.getByRole('option', { name: 'unrelated.py' }).first();
    await row.click();
    await page.keyboard.press('w');
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await evidence.getByRole('heading', { name: 'unrelated.py' }).waitFor();
    await page.keyboard.press('w');
  });

  it('stay visible below the names when they quote an issue with long paths', async () => {
    const page = await openRepository(scene);
    const folder = '/srv/environments/production/lib/python3.11/site-packages/acme_retries/shop';
    await pasteIssue(page, ISSUE.replace('"shop/', `"${folder}/`));
    await option(page, 'Retry.delay').click();
    await page.keyboard.press('w');
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await evidence.getByRole('button', { name: `File "${folder}/retry.py", line 6` }).waitFor();
    await checkAccessibility(page, 'a quote that is cut off');
    await page.keyboard.press('w');
  });
});
