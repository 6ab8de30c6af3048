/** The app in development: pages from source with hot reload, and the real engine. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { dirname } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { WebSocket } from 'ws';
import { launchChromium } from '../scripts/browsers.ts';
import { type DevServer, startDevServer } from '../scripts/dev-server.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { hashFor } from './support.ts';

describe('npm run dev', () => {
  let server: DevServer;
  let browser: Browser;
  const dataDir = temporaryFolder('locus-dev-');
  const root = gitRepository({ 'cart.py': 'def total(cart):\n    return sum(cart)\n' });
  before(async () => {
    server = await startDevServer({
      port: 0,
      dataDir,
      allowedRoot: dirname(root),
      logLevel: 'error',
    });
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    removeFolder(dataDir);
    removeFolder(root);
  });

  it('shows the app with hot reload and without violations of its policy', async () => {
    const page = await browser.newPage();
    // The first requests compile every module of the page.
    page.setDefaultNavigationTimeout(120_000);
    const said: string[] = [];
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      said.push(message.text());
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(server.url);
    await page.waitForURL((url) => !url.searchParams.has('token'));
    await page.getByRole('heading', { name: 'Where do I edit for this issue?' }).waitFor();
    await page.goto(new URL(`/${hashFor(root)}`, server.url).href);
    await page.reload();
    await page.getByText('Up to date').waitFor({ timeout: 60_000 });
    // The first request prepares Monaco and its worker.
    await page.getByRole('textbox', { name: 'Issue' }).waitFor({ timeout: 60_000 });
    assert.ok(said.includes('[vite] connected.'), said.join('\n'));
    assert.deepEqual(complaints, []);
  });

  it('refuses engine requests without the token, and pages under another host name', async () => {
    const { origin, host, port } = new URL(server.url);
    const socket = new WebSocket(`ws://${host}/engine`, { origin });
    const [error] = (await once(socket, 'error')) as unknown as [Error];
    assert.match(error.message, /403/);
    const asked = request({ host: '127.0.0.1', port, headers: { host: 'elsewhere.example' } });
    const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage];
    assert.equal(answer.statusCode, 403);
  });
});
