import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLog } from '../../src/base/log-files.ts';
import { start } from '../../src/main/start.ts';
import { createElectron } from './electron-double.ts';
import { launch, makeFolder, settle } from './launch.ts';

const opened = (contents: { sent: { channel: string; message: unknown }[] }) =>
  contents.sent.filter(({ channel }) => channel === 'locus:event').map(({ message }) => message);

test('the first window shows the app’s page, confined', async (t) => {
  const { windows, log } = await launch(t);
  assert.equal(windows.length, 1);
  const [window] = windows;
  assert.equal(window.url, 'app://locus/');
  assert.equal(window.visible, true);
  const preferences = window.options.webPreferences!;
  assert.equal(preferences.contextIsolation, true);
  assert.equal(preferences.sandbox, true);
  assert.equal(preferences.nodeIntegration, false);
  assert.ok(preferences.preload!.endsWith(join('out', 'preload', 'index.cjs')));
  assert.ok(log.indexOf('sandbox') < log.indexOf('ready'));
  assert.ok(log.indexOf('schemes app') < log.indexOf('ready'));
});

test('Chromium’s state, logs and crash dumps are in the data directory', async (t) => {
  const { log, folder } = await launch(t);
  assert.ok(log.includes(`path userData ${join(folder, 'data/desktop')}`));
  assert.ok(log.includes(`path crashDumps ${join(folder, 'data/logs/crashes')}`));
  assert.ok(log.includes('crashes {"uploadToServer":false}'));
  const { lines } = readLog(join(folder, 'data'), 10);
  assert.match(lines[0] ?? '', /info desktop\[\d+\] started version=/);
});

test('locus <dir> opens that folder once its page has been loaded', async (t) => {
  const folder = makeFolder(t);
  mkdirSync(join(folder, 'shop'));
  const { windows } = await launch(t, { folder, args: ['--enable-logging', 'shop'] });
  assert.deepEqual(opened(windows[0].webContents), [{ type: 'open', root: join(folder, 'shop') }]);
});

test('a packaged app has no script argument, and a file opens its folder', async (t) => {
  const folder = makeFolder(t);
  mkdirSync(join(folder, 'shop'));
  writeFileSync(join(folder, 'shop/cart.py'), '');
  const { windows } = await launch(t, { folder, packaged: true, args: ['--', 'shop/cart.py'] });
  assert.deepEqual(opened(windows[0].webContents), [{ type: 'open', root: join(folder, 'shop') }]);
});

test('a second launch passes its folder to the first and quits', async (t) => {
  const first = await launch(t);
  const second = await launch(t, { second: true, args: ['/srv/shop'] });
  assert.equal(second.windows.length, 0);
  assert.equal(second.engines.length, 0);
  assert.ok(second.log.includes('quit'));
  assert.ok(second.log.includes('lock {"folder":"/srv/shop","link":null}'));

  const [window] = first.windows;
  window.minimised = true;
  first.app.emit('second-instance', {}, [], '/', { folder: '/srv/shop' });
  assert.equal(first.windows.length, 1);
  assert.equal(window.minimised, false);
  assert.ok(window.calls.includes('focus'));
  assert.deepEqual(opened(window.webContents), [{ type: 'open', root: '/srv/shop' }]);
});

const LINK = 'locus://open?repository=github.com/acme/shop&path=cart.py';

test('a deep link reaches the page from the command line, a second launch or the system', async (t) => {
  const first = await launch(t, { args: [LINK], packaged: true });
  const { webContents } = first.windows[0];
  assert.ok(first.log.includes('handles locus'));
  assert.deepEqual(opened(webContents), [{ type: 'link', link: LINK }]);

  const second = await launch(t, { second: true, args: [LINK] });
  assert.ok(second.log.includes(`lock ${JSON.stringify({ folder: null, link: LINK })}`));
  first.app.emit('second-instance', {}, [], '/', { folder: null, link: LINK });
  first.app.emit('open-url', { preventDefault() {} }, 'locus://elsewhere');
  first.app.emit('open-url', { preventDefault() {} }, 'file:///etc/passwd');
  assert.deepEqual(opened(webContents).slice(1), [
    { type: 'link', link: LINK },
    { type: 'link', link: 'locus://elsewhere' },
  ]);
});

test('only a packaged app registers for deep links', async (t) => {
  const { log } = await launch(t);
  assert.ok(!log.includes('handles locus'));
});

test('a second launch without a folder brings the window to the front', async (t) => {
  const { app, windows } = await launch(t);
  app.emit('second-instance', {}, [], '/', { folder: null });
  assert.ok(windows[0].calls.includes('focus'));
  assert.deepEqual(opened(windows[0].webContents), []);
});

test('macOS opens folders by an event, before and after the app is ready', async (t) => {
  const folder = makeFolder(t);
  const electron = createElectron({ appPath: folder });
  t.after(() => electron.app.quit());
  const event = { prevented: 0, preventDefault: () => event.prevented++ };
  const starting = start(electron.api, { argv: ['Locus'], cwd: '/', platform: 'darwin' });
  electron.app.emit('open-file', event, join(folder, 'out/renderer/index.html'));
  await starting;
  await settle();
  electron.app.emit('open-file', event, '/srv/shop');
  assert.deepEqual(opened(electron.windows[0].webContents), [
    { type: 'open', root: join(folder, 'out/renderer') },
    { type: 'open', root: '/srv/shop' },
  ]);
  assert.equal(event.prevented, 2);
});

test('macOS keeps the app without windows, and opens one when it is asked to', async (t) => {
  const { app, windows, log } = await launch(t, { platform: 'darwin' });
  windows[0].close();
  assert.equal(windows.length, 0);
  assert.ok(!log.includes('quit'));
  app.emit('activate');
  assert.equal(windows.length, 1);
});

test('on other systems, closing the last window quits after the engine has ended', async (t) => {
  const { windows, engines, log } = await launch(t);
  windows[0].close();
  assert.ok(!log.includes('quit'));
  assert.deepEqual(engines[0].received.at(-1)?.message, { type: 'stop' });
  await settle();
  assert.equal(engines[0].ended, true);
  assert.ok(log.includes('quit'));
  assert.equal(engines.length, 1);
});

test('a window opens at its last position and size', async (t) => {
  const folder = makeFolder(t);
  const before = await launch(t, { folder });
  before.windows[0].bounds = { x: 100, y: 80, width: 1200, height: 700 };
  before.windows[0].maximized = true;
  before.windows[0].close();
  const { windows } = await launch(t, { folder });
  const { x, y, width, height } = windows[0].options;
  assert.deepEqual({ x, y, width, height }, { x: 100, y: 80, width: 1200, height: 700 });
  assert.equal(windows[0].maximized, true);
});

test('damaged window state is ignored', async (t) => {
  const folder = makeFolder(t);
  mkdirSync(join(folder, 'data/desktop'), { recursive: true });
  for (const damage of ['{', '[]', 'null', '{"window":{"x":"left"},"editors":5}']) {
    writeFileSync(join(folder, 'data/desktop/window.json'), damage);
    const { windows } = await launch(t, { folder });
    assert.equal(windows[0].options.width, 1440, damage);
  }
});

test('the app starts when its log cannot be written', async (t) => {
  const folder = makeFolder(t);
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/logs'), 'a file where the folder should be');
  t.mock.method(console, 'error', () => {});
  const { windows } = await launch(t, { folder });
  assert.equal(windows.length, 1);
  rmSync(join(folder, 'data/logs'));
  assert.ok(!existsSync(join(folder, 'data/logs')));
});

test('a crashed page is reloaded, but not forever', async (t) => {
  const { windows, folder } = await launch(t);
  const { webContents } = windows[0];
  const later = performance.now() + 60_000;
  t.mock.method(performance, 'now', () => later);
  const crash = () => webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 });
  crash();
  assert.equal(webContents.reloads, 1);
  await settle();
  crash();
  assert.equal(webContents.reloads, 1);
  const { lines } = readLog(join(folder, 'data'), 10);
  assert.match(lines.at(-1) ?? '', /process-ended process=page reason=oom\/5$/);
});
