#!/usr/bin/env node
/**
 * Stands for Firefox where Playwright starts it over WebDriver BiDi: starts the one that `LOCUS_FIREFOX_RELAYED` names
 * with the same arguments, and passes on what is said between them. It answers one command itself, which Playwright
 * sends to every window and which Firefox 153, the one with long support, does not have: other media features, which
 * no test asks of Firefox. With a Firefox that has it, this file can go.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

const MISSING = 'emulation.setMediaFeaturesOverride';
const LISTENS = 'WebDriver BiDi listening on ';

const browser = spawn(process.env.LOCUS_FIREFOX_RELAYED ?? '', process.argv.slice(2), {
  stdio: ['ignore', 'ignore', 'pipe'],
});
browser.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => browser.kill(signal));

for await (const line of createInterface({ input: browser.stderr })) {
  const listening = line.startsWith(LISTENS);
  console.error(listening ? `${LISTENS}${await relay(line.slice(LISTENS.length))}` : line);
}

/** Listens in the place of the address at which Firefox does; answers its own. */
async function relay(address: string): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', async (tests) => {
    const firefox = new WebSocket(`${address}/session`);
    const opened = once(firefox, 'open');
    tests.on('message', async (data) => {
      const command = JSON.parse(String(data));
      await opened;
      if (command.method !== MISSING) firefox.send(String(data));
      else tests.send(JSON.stringify({ type: 'success', id: command.id, result: {} }));
    });
    firefox.on('message', (data) => tests.send(String(data)));
    firefox.on('close', () => tests.close());
    tests.on('close', () => firefox.close());
  });
  await once(server, 'listening');
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
