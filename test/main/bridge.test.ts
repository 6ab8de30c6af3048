import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { IpcRenderer } from 'electron';
import { createBridge } from '../../src/preload/bridge.ts';
import { unwrapAnswer } from '../../src/shared/desktop.ts';

/** Creates a double of the page API that the preload script uses. */
function page(env: NodeJS.ProcessEnv = {}) {
  const events = new EventEmitter();
  const sent: unknown[][] = [];
  const posted: unknown[][] = [];
  const answers = new Map<string, unknown>();
  const ipc = {
    on: events.on.bind(events),
    send: (...message: unknown[]) => void sent.push(message),
    invoke: async (channel: string, ...args: unknown[]) => {
      sent.push([channel, ...args]);
      return answers.get(channel);
    },
  } as unknown as Pick<IpcRenderer, 'on' | 'send' | 'invoke'>;
  const window = {
    origin: 'app://locus',
    postMessage: (...message: unknown[]) => void posted.push(message),
  };
  const webUtils = { getPathForFile: (file: { name: string }) => `/dropped/${file.name}` };
  const bridge = createBridge(ipc, webUtils as never, window, { platform: 'linux', env });
  return { bridge, events, sent, posted, answers };
}

test('the engine’s port goes to the page itself and to no other origin', () => {
  const { bridge, events, sent, posted } = page();
  bridge.requestEngine();
  assert.deepEqual(sent, [['locus:connect']]);
  const port = {};
  events.emit('locus:port', { ports: [port] }, null);
  assert.deepEqual(posted, [['locus:engine', 'app://locus', [port]]]);
});

test('events that arrive before the page listens are queued in order', () => {
  const { bridge, events } = page();
  events.emit('locus:event', {}, { type: 'open', root: '/srv/shop' });
  events.emit('locus:event', {}, { type: 'command', command: 'search' });
  const heard: unknown[] = [];
  bridge.onEvent((event) => heard.push(event));
  events.emit('locus:event', {}, { type: 'command', command: 'help' });
  assert.deepEqual(heard, [
    { type: 'open', root: '/srv/shop' },
    { type: 'command', command: 'search' },
    { type: 'command', command: 'help' },
  ]);
});

test('a page gets functions and plain values, but no Electron objects', () => {
  const { bridge } = page();
  for (const [name, value] of Object.entries(bridge)) {
    assert.ok(['function', 'string', 'boolean'].includes(typeof value), name);
  }
  assert.equal(bridge.getPath({ name: 'shop' }), '/dropped/shop');
});

test('failures keep their code and remedy', async () => {
  const { bridge, answers } = page();
  answers.set('locus:save-file', {
    error: { code: 'bad-input', message: 'it cannot be saved', remedy: 'save elsewhere' },
  });
  await assert.rejects(unwrapAnswer(bridge.saveFile({ name: 'a.md', text: '' })), {
    code: 'bad-input',
    remedy: 'save elsewhere',
  });
  answers.set('locus:pick-folder', { result: '/srv/shop' });
  assert.equal(await bridge.pickFolder(), '/srv/shop');
});
