/** A malicious repository: its text is shown as it is, and has no effect. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { hashFor, onStage, pasteIssue, rankedNames } from './support.ts';

const IMAGE = '<img src=x onerror=globalThis.harmed=1>';
const SCRIPT = '<script>globalThis.harmed=1</script>';
const REMOTE = '![i](https://evil.example/i.png) <iframe src="//evil.example"></iframe>';
const OVERRIDE = '\u202e';
const LINES = 50_000;

const FILES = {
  [`shop/${IMAGE}.py`]: `"""${IMAGE} ${SCRIPT}"""


def pay_invoice(amount):
    """Pay the invoice. ${IMAGE} ${SCRIPT.replace('/', '\\/')} ${REMOTE}"""
    note = "${IMAGE}"
    return check_amount(amount, note)


def check_amount(amount, note=${JSON.stringify(IMAGE)}):
    """javascript:globalThis.harmed=1 [invoice](javascript:globalThis.harmed=1) \${globalThis.harmed=1}"""
    return amount
`,
  [`shop/sp${OVERRIDE}yp.exe.py`]: `def reversed_invoice(user):
    # ${OVERRIDE} } \u2066if is_admin\u2069 \u2066 begin invoice admins only
    return "${OVERRIDE}admin"
`,
  'shop/😀 \u{1f469}\u200d\u{1f4bb} cafe\u0301.py': `def emoji_invoice():
    """An invoice of 😀 and \u{1f469}\u200d\u{1f4bb}."""
    return "😀" * 3
`,
  'shop/مرحبا.py': `def فاتورة_invoice():
    """An invoice from right to left: فاتورة."""
    return 1
`,
  'shop/wide.py': `def wide_invoice():
    """An invoice as wide as ${'the sea and '.repeat(330)}the sky."""
    return "${IMAGE.repeat(100)}"
`,
  'shop/new\nline.py': 'def newline_invoice():\n    return 1\n',
  'shop/long.py': Array.from(
    { length: LINES / 5 },
    (_, at) =>
      `def step_${at}(value):\n    """Step ${at}."""\n    value += ${at}\n    return value\n\n`,
  ).join(''),
};
const ISSUE = `${IMAGE} ${SCRIPT}

${REMOTE}

pay_invoice, check_amount, reversed_invoice, emoji_invoice, wide_invoice, newline_invoice, فاتورة_invoice and step_9990 are wrong ${OVERRIDE}
`;

/** Returns bidirectional control characters in the page, except in the user's own text. */
function turningText(): string[] {
  const turning = /[\u202a-\u202e\u2066-\u2069]/;
  const found: string[] = [];
  for (const element of document.querySelectorAll('*')) {
    if (element.closest('[data-pane=issue]') || element.matches('textarea, input')) continue;
    for (const attribute of ['aria-label', 'title']) {
      const value = element.getAttribute(attribute) ?? '';
      if (turning.test(value)) found.push(JSON.stringify(value));
    }
    for (const node of element.childNodes) {
      if (node instanceof Text && turning.test(node.data)) found.push(JSON.stringify(node.data));
    }
  }
  return found;
}

describe('a hostile repository', () => {
  const scene = onStage(FILES);
  let page: Page;
  const requests: string[] = [];

  before(async () => {
    const { stage, root } = scene;
    page = await stage.open();
    page.on('request', (request) => requests.push(request.url()));
    page.on('dialog', (dialog) => requests.push(`dialog: ${dialog.message()}`));
    await page.goto(`http://127.0.0.1:${stage.server.port}/${hashFor(root)}`);
    await page.reload();
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
    await pasteIssue(page, ISSUE);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('[data-name="pay_invoice"]').waitFor();
  });

  const choose = (name: string) => page.locator(`[role=option][data-name="${name}"]`).click();
  const tab = (name: string) => page.getByRole('tab', { name }).click();

  /** Checks that no script ran, no element was created from the repository's text, and no other host was contacted. */
  async function checkHarmless(where: string): Promise<void> {
    const made = await page.evaluate(() => ({
      harmed: 'harmed' in globalThis,
      elements: document.querySelectorAll(
        '[onerror], img[src="x"], iframe, script:not([src]), a[href^="javascript:"], [src*="evil"]',
      ).length,
    }));
    assert.deepEqual(made, { harmed: false, elements: 0 }, where);
    assert.deepEqual(await page.evaluate(turningText), [], where);
    const own = `http://127.0.0.1:${scene.stage.server.port}/`;
    const foreign = requests.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(own));
    assert.deepEqual(foreign, [], where);
  }

  it('is listed with its names unchanged', async () => {
    const names = await rankedNames(page);
    for (const name of ['pay_invoice', 'reversed_invoice', 'emoji_invoice', 'فاتورة_invoice']) {
      assert.ok(names.includes(name), `${name} in ${names.join(' ')}`);
    }
    const list = page.getByRole('listbox');
    await list.getByText(`${IMAGE}.py`).first().waitFor();
    await list.getByText('sp\\u{202e}yp.exe.py').first().waitFor();
    await list.getByText('new\\nline.py').first().waitFor();
    await list.getByText('😀').first().waitFor();
    await checkHarmless('the list');
  });

  it('is shown in the preview', async () => {
    const code = page.getByRole('tabpanel', { name: 'Preview' });
    await choose('pay_invoice');
    await code.getByText('lines 4–').waitFor();
    await code.getByText(`${IMAGE}.py`).first().waitFor();
    await checkHarmless('preview of markup');
    await choose('reversed_invoice');
    await code.getByText('sp\\u{202e}yp.exe.py').first().waitFor();
    await code.getByText('is_admin').first().waitFor();
    await checkHarmless('preview of turned text');
    await choose('wide_invoice');
    await code.getByText('as wide as').first().waitFor();
    await checkHarmless('preview of wide lines');
    // The pane scrolls, not the page.
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });

  it('is shown in the neighbors and the model input', async () => {
    for (const name of ['pay_invoice', 'reversed_invoice']) {
      await choose(name);
      await tab('Neighbors');
      await page.getByRole('application', { name: 'Call graph' }).getByText(name).waitFor();
      await checkHarmless(`neighbors of ${name}`);
      await tab('Model input');
      await page.getByRole('tabpanel', { name: 'Model input' }).getByText(name).first().waitFor();
      await checkHarmless(`model input of ${name}`);
    }
    await tab('Preview');
  });

  it('is shown in the list of functions found by name', async () => {
    await page.keyboard.press('ControlOrMeta+p');
    await page.keyboard.type('invoice');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('reversed_invoice').first().waitFor();
    await dialog.getByText(`${IMAGE}.py`).first().waitFor();
    await checkHarmless('names');
    await page.keyboard.press('Escape');
  });

  it('may have a file of 50,000 lines without delaying scrolling or typing', async () => {
    await choose('step_9990');
    const code = page.getByRole('tabpanel', { name: 'Preview' });
    await code.getByText('lines 49951–').waitFor();
    await code.locator('.view-line', { hasText: 'step_9990' }).first().waitFor();
    // Only visible rows are in the page.
    assert.ok((await code.locator('.view-line').count()) < 300);
    await code.locator('.view-line').first().click();
    await page.keyboard.press('ControlOrMeta+Home');
    await code.locator('.view-line', { hasText: 'step_0(' }).first().waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await code.locator('.view-line', { hasText: 'step_9999' }).first().waitFor();
    await checkHarmless('a long file');
  });
});
