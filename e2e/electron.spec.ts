/** The desktop app, if Electron is installed (`npx install-electron` downloads it) and there is a screen. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { findElectron } from '../src/cli/electron.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { findReasonToSkip } from './electron-program.ts';
import { pasteIssue, rankedNames } from './support.ts';

const electron = findElectron();
const root = join(import.meta.dirname, '..');
const skip = findReasonToSkip(electron, process.env);
if (skip) {
  console.error(`\n*** SKIPPED: the tests of the desktop app. ${skip}. ***\n`);
}

describe('the desktop app', { skip }, () => {
  let data: string;
  let repository: string;
  let app: ElectronApplication;
  let page: Page;

  const launchOptions = (...args: string[]) => ({
    executablePath: electron!,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), root, ...args],
    env: { ...(process.env as Record<string, string>), LOCUS_DATA_DIR: data },
  });

  before(async () => {
    data = temporaryFolder('locus-electron-');
    repository = gitRepository({
      'shop/cart.py':
        'def total_price(items):\n    """The sum with tax."""\n    return sum(items)\n',
    });
    app = await _electron.launch(launchOptions(repository));
    page = await app.firstWindow();
  });
  after(async () => {
    await app?.close();
    removeFolder(data);
    removeFolder(repository);
  });

  it('opens the folder it was started with, and finds the function to edit', async () => {
    assert.equal(await page.evaluate(() => location.origin), 'app://locus');
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
    await pasteIssue(page, 'the total price forgets the tax');
    assert.ok((await rankedNames(page)).includes('total_price'));
  });

  it('confines its pages', async () => {
    assert.equal(await page.evaluate(() => 'require' in window || 'process' in window), false);
    const fetched = await page.evaluate(() =>
      fetch('https://example.org/').then(
        () => true,
        () => false,
      ),
    );
    assert.equal(fetched, false);
    await page.evaluate(() => {
      location.href = 'file:///etc/hosts';
    });
    assert.equal(await page.evaluate(() => location.origin), 'app://locus');
    assert.equal(await page.evaluate(() => window.open('app://locus/')), null);
  });

  it('restarts a killed engine and continues', async () => {
    const killed = await app.evaluate(({ app: main }) => {
      const engine = main.getAppMetrics().find(({ name }) => name === 'Locus Engine');
      return engine ? process.kill(engine.pid, 'SIGKILL') : false;
    });
    assert.ok(killed);
    await pasteIssue(page, 'the sum with tax is wrong');
    assert.ok((await rankedNames(page)).includes('total_price'));
    assert.match(readFileSync(join(data, 'logs/locus.log'), 'utf8'), /ended unasked/);
  });

  it('runs once: a second launch ends, and the first app opens its folder', async () => {
    const { args, executablePath, env } = launchOptions(join(root, 'demo/repository'));
    const second = spawn(executablePath, args, { env, stdio: 'ignore' });
    await once(second, 'exit');
    await page.getByText('repository').first().waitFor();
    assert.equal(app.windows().length, 1);
  });
});
