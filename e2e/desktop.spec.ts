/** The page inside the desktop app. A script stands in for Electron's side of `window.locus`. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { onStage } from './support.ts';

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
