import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { git, removeFolder, temporaryFolder, writeFiles } from '../test/support/repository.ts';
import { checkAccessibility, onStage, openRepository, pasteIssue, rankedNames } from './support.ts';

const FILES = {
  'shop/cart.py': 'def total(items):\n    """The sum of all prices."""\n    return sum(items)\n',
};
const ISSUE = 'total is wrong: it is not the sum of all prices';

/** Environment variables that tell which editors are installed. The engine reads them when it starts. */
function engineEnvironment(set: Record<string, string | undefined>): { release(): void } {
  const kept = Object.keys(set).map((name) => [name, process.env[name]] as const);
  const put = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const [name, value] of Object.entries(set)) put(name, value);
  return {
    release() {
      for (const [name, value] of kept) put(name, value);
    },
  };
}

const NO_EDITOR = {
  VISUAL: undefined,
  EDITOR: undefined,
  DISPLAY: undefined,
  WAYLAND_DISPLAY: undefined,
  WSL_DISTRO_NAME: undefined,
  VSCODE_IPC_HOOK_CLI: undefined,
};

async function opened(page: Page): Promise<void> {
  await pasteIssue(page, ISSUE);
  await rankedNames(page);
  await page.getByRole('option').first().click();
  await page.locator('[data-pane=side]').getByText('return sum').waitFor();
}

describe('a machine without an editor', () => {
  let environment: ReturnType<typeof engineEnvironment>;
  const scene = onStage(FILES, () => {
    environment = engineEnvironment(NO_EDITOR);
  });
  after(() => environment.release());

  it('leads from the message to the editor settings', async () => {
    const page = await openRepository(scene);
    await opened(page);
    await page.keyboard.press('ControlOrMeta+Alt+o');
    await page.getByText('No editor was found on this machine').waitFor();
    const link = page.getByRole('link', { name: 'Open in Visual Studio Code' });
    assert.equal(await link.getAttribute('href'), `vscode://file${scene.root}/shop/cart.py:1`);
    await checkAccessibility(page, 'no editor');
    await page.getByRole('button', { name: /choose an editor/i }).click();
    const choice = page.getByRole('dialog').getByRole('combobox', { name: 'Open files in' });
    // Installed editors are detected when the settings open.
    await choice.locator('option', { hasText: 'none found' }).waitFor({ state: 'attached' });
    assert.deepEqual(await page.getByRole('combobox').locator('option').allTextContents(), [
      'System default (none found)',
      'Custom command',
    ]);
  });
});

describe('a machine with an editor', () => {
  let bin: string;
  let environment: ReturnType<typeof engineEnvironment>;
  const scene = onStage(FILES, () => {
    bin = temporaryFolder('locus-editor-');
    writeFiles(bin, { code: `#!/bin/sh\nprintf '%s\\n' "$@" > '${bin}/opened'\n` });
    chmodSync(join(bin, 'code'), 0o755);
    const PATH = `${bin}:${process.env.PATH}`;
    environment = engineEnvironment({ ...NO_EDITOR, DISPLAY: ':99', PATH });
  });
  before(() => git(scene.root, 'remote', 'add', 'origin', 'git@github.com:acme/shop.git'));
  after(() => {
    environment.release();
    removeFolder(bin);
  });

  it('offers the editor in the settings, and opens files in it at a line', async () => {
    const page = await openRepository(scene);
    await opened(page);
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('tab', { name: 'Editor' }).click();
    const choice = page.getByRole('combobox', { name: 'Open files in' });
    await choice
      .locator('option')
      .filter({ hasText: /^Visual Studio Code$/ })
      .waitFor({
        state: 'attached',
      });
    await choice.selectOption({ label: 'Visual Studio Code' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+Alt+o');
    await page.getByText('Opened in Visual Studio Code at line 1.').waitFor();
    const file = join(bin, 'opened');
    for (let tries = 0; !existsSync(file) && tries < 200; tries++) await page.waitForTimeout(50);
    assert.match(readFileSync(file, 'utf8'), /shop\/cart\.py:1/);
  });

  const linked = async () => {
    const page = await openRepository(scene, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await opened(page);
    await page.keyboard.press('ControlOrMeta+Shift+c');
    let link = '';
    for (let tries = 0; !link.startsWith('locus://') && tries < 200; tries++) {
      await page.waitForTimeout(50);
      link = await page.evaluate(() => navigator.clipboard.readText());
    }
    return { page, link };
  };

  it('copies a deep link that opens the function', async () => {
    const { page, link } = await linked();
    assert.match(link, /^locus:\/\/open\?repository=github\.com\/acme\/shop&commit=/);
    assert.ok(!link.includes(scene.root));
    const { port } = scene.stage.server;
    await page.goto(`http://127.0.0.1:${port}/?link=${encodeURIComponent(link)}`);
    await page.locator('[data-pane=side]').getByText('return sum').waitFor();
    assert.ok(!page.url().includes('link='));
    // The link's repository was never opened on this machine.
    const elsewhere = encodeURIComponent(
      link.replace('acme/shop', 'acme/other').replace(/commit=\w+/, `commit=${'0'.repeat(40)}`),
    );
    await page.goto(`http://127.0.0.1:${port}/?link=${elsewhere}`);
    const dialog = page.getByRole('dialog', { name: 'Open deep link' });
    await dialog.getByText('github.com/acme/other').waitFor();
    await checkAccessibility(page, 'a link to a repository that is not known');
  });

  it('refuses a malformed deep link and opens nothing', async () => {
    const page = await scene.stage.open({ colorScheme: 'dark' });
    const link = encodeURIComponent('locus://open?commit=1234567&path=../x');
    await page.goto(`http://127.0.0.1:${scene.stage.server.port}/?link=${link}`);
    await page.getByText(/Locus cannot open this link/).waitFor();
    await checkAccessibility(page, 'a link that is refused');
  });
});
