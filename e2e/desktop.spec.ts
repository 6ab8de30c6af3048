/** The page inside the desktop app. A script stands in for Electron's side of `window.locus`. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { answerInstead, checkAccessibility, onStage } from './support.ts';

const scene = onStage({ 'shop.py': 'def price_of(item):\n    return 0\n' });

/** Runs in the page: a bridge like the desktop app's, with the engine behind the browser host's socket. */
function playDesktop(): void {
  const told: unknown[][] = [];
  const tell =
    (name: string) =>
    async (...args: unknown[]) => {
      told.push([name, ...args]);
      return { result: null };
    };
  const locus = {
    platform: 'linux',
    requestEngine() {
      const token = localStorage.getItem('locus-token') ?? '';
      const socket = new WebSocket(`ws://${location.host}/engine`, ['locus', token]);
      const { port1, port2 } = new MessageChannel();
      socket.onmessage = ({ data }) => data !== '' && port2.postMessage(data);
      port2.onmessage = ({ data }) => socket.send(data);
      socket.onopen = () => window.postMessage('locus:engine', '*', [port1]);
    },
    onEvent: (listener: unknown) => Object.assign(window, { fromDesktop: listener }),
    pickFolder: async () => null,
    saveFile: tell('saveFile'),
    openInEditor: tell('openInEditor'),
    reportOpened: tell('reportOpened'),
    showMenu: tell('showMenu'),
    useTheme: tell('useTheme'),
    canInstallUpdates: true,
    installUpdate: async (version: string) => {
      told.push(['installUpdate', version]);
      return { result: true };
    },
    getPath: () => '',
  };
  Object.assign(window, { locus, told });
}

const told = (page: Page, name: string) =>
  page.evaluate(
    (wanted) =>
      (window as unknown as { told: unknown[][] }).told.filter(([said]) => said === wanted).at(-1),
    name,
  );
const say = (page: Page, event: object) =>
  page.evaluate(
    (said) => (window as unknown as { fromDesktop: (event: object) => void }).fromDesktop(said),
    event,
  );

it('the desktop app opens folders, runs commands from its menus and shows what is open', async () => {
  const page = await scene.stage.open();
  await page.addInitScript(playDesktop);
  await page.reload();
  await page.getByRole('heading', { name: /where do i edit/i }).waitFor();
  await say(page, { type: 'open', root: scene.root });
  await page.getByText('Up to date').waitFor({ timeout: 120_000 });
  const [, repository] = (await told(page, 'reportOpened')) as [string, { root: string }];
  assert.equal(repository.root, scene.root);
  assert.deepEqual(await told(page, 'useTheme'), ['useTheme', 'system']);

  await page.waitForFunction(() => {
    const said = (window as unknown as { told: [string, { id: string; enabled: boolean }[]][] })
      .told;
    const menu = said.filter(([name]) => name === 'showMenu').at(-1)?.[1] ?? [];
    return menu.some(({ id, enabled }) => id === 'repository.close' && enabled);
  });
  await say(page, { type: 'command', command: 'repository.close' });
  await page.getByRole('heading', { name: /where do i edit/i }).waitFor();
});

it('the desktop app links to the page with the releases, and the AppImage can replace itself', async () => {
  const page = await scene.stage.open();
  await page.addInitScript(playDesktop);
  const release = { version: '0.1.0', latest: '0.2.0', isNewer: true, command: null };
  const releases = 'https://locus.invalid/releases';
  await answerInstead(page, {
    'update.offer': () => ({ result: { version: '0.1.0', host: 'registry.npmjs.org' } }),
    'update.check': () => ({ result: { ...release, page: releases } }),
  });
  await page.getByRole('heading', { name: /where do i edit/i }).waitFor();
  // As the native menu runs it.
  await say(page, { type: 'command', command: 'help.updates' });
  await page.getByRole('button', { name: 'Ask once' }).click();
  await page.getByText('Locus 0.2.0 is available. This is 0.1.0.').waitFor();
  const link = page.getByRole('link', { name: 'the page with the releases' });
  assert.equal(await link.getAttribute('href'), releases);
  await checkAccessibility(page, 'a newer version of the desktop app');
  assert.equal(await told(page, 'installUpdate'), undefined);
  await page.getByRole('button', { name: 'Download and install…' }).click();
  await page.getByText('Installed. It runs when you close Locus and open it again.').waitFor();
  assert.deepEqual(await told(page, 'installUpdate'), ['installUpdate', '0.2.0']);
});
