import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLog } from '../../src/base/log-files.ts';
import { type Launched, launch, settle } from './launch.ts';

/** Returns the ports that a window received, in order. */
const listPorts = ({ windows }: Launched, index = 0) =>
  windows[index].webContents.sent
    .filter(({ channel }) => channel === 'locus:port')
    .map(({ ports }) => ports[0]);

const connections = ({ engines }: Launched, engine: number) =>
  engines[engine].received.filter(({ message }) => message.type === 'connect');

test('the engine runs as a utility process, outside the archive when packaged', async (t) => {
  const { engines } = await launch(t);
  assert.ok(engines[0].entry.endsWith(join('src', 'backend', 'electron.ts')));
  assert.equal(engines[0].args[0], '{}');
  const packaged = await launch(t, { appPath: '/opt/Locus/resources/app.asar', packaged: true });
  assert.equal(
    packaged.engines[0].entry,
    join('/opt/Locus/resources/app.asar.unpacked/src/backend/electron.ts'),
  );
});

test('a window that asks gets a port to the engine', async (t) => {
  const app = await launch(t);
  assert.equal(listPorts(app).length, 0);
  app.connect(app.windows[0]);
  const [port] = listPorts(app);
  const [{ message, ports }] = connections(app, 0);
  assert.deepEqual(message, {
    type: 'connect',
    client: String(app.windows[0].webContents.id),
    allowedRoot: null,
  });
  const heard: unknown[] = [];
  ports[0].on('message', ({ data }) => heard.push(data));
  port.postMessage('hello');
  await settle();
  assert.deepEqual(heard, ['hello']);
});

test('every window has its own port', async (t) => {
  const app = await launch(t, { platform: 'darwin' });
  const file = app.menu().find(({ label }) => label === 'File')!;
  const item = file.submenu!.find(({ label }) => label === 'New window')!;
  (item.click as () => void)();
  await settle();
  assert.equal(app.windows.length, 2);
  app.connect(app.windows[0]);
  app.connect(app.windows[1]);
  assert.notEqual(listPorts(app, 0)[0], listPorts(app, 1)[0]);
  assert.equal(connections(app, 0).length, 2);
});

test('an engine that crashes is restarted, and connected windows get new ports', async (t) => {
  const app = await launch(t);
  app.connect(app.windows[0]);
  app.engines[0].end(139);
  const told = app.windows[0].webContents.sent.filter(({ channel }) => channel === 'locus:event');
  assert.deepEqual(told.at(-1)?.message, { type: 'engine-lost', reason: 'exit code 139' });
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(app.engines.length, 2);
  assert.equal(listPorts(app).length, 2);
  assert.equal(connections(app, 1).length, 1);
  const { lines } = readLog(join(app.folder, 'data'), 10);
  assert.match(lines.at(-1) ?? '', /error desktop\[\d+\] process-ended process=engine reason=139$/);
});

test('a window that asks without a running engine is connected to the next one', async (t) => {
  const app = await launch(t);
  app.engines[0].end(1);
  app.connect(app.windows[0]);
  assert.equal(listPorts(app).length, 0);
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(listPorts(app).length, 1);
});

test('a reloaded page is connected when it asks, not before', async (t) => {
  const app = await launch(t);
  app.connect(app.windows[0]);
  app.windows[0].webContents.load();
  app.engines[0].end(1);
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(listPorts(app).length, 1);
  app.connect(app.windows[0]);
  assert.equal(listPorts(app).length, 2);
});
