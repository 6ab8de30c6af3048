#!/usr/bin/env node
/**
 * Relay between Playwright and Firefox over WebDriver BiDi. It starts the program that `LOCUS_FIREFOX_RELAYED` names with the same
 * arguments, and forwards all messages. It answers one command itself: Playwright sets media features in every window, which
 * Firefox 153 ESR does not support and no test needs. Remove this file once Firefox ESR supports the command.
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

/** Listens on an address of its own in front of Firefox's, and returns it. */
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
