import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONTENT_SECURITY_POLICY } from '../../src/shared/app-page.ts';
import { type Launched, launch, makeFolder, settle } from './launch.ts';

const OURS = 'app://locus/';

const get = (app: Launched, url: string, init?: RequestInit) =>
  app.served.get('app')!(new Request(url, init));

test('pages are served from the built renderer with the policy', async (t) => {
  const folder = makeFolder(t);
  mkdirSync(join(folder, 'out/renderer/assets'));
  writeFileSync(join(folder, 'out/renderer/assets/index.js'), 'start()');
  const app = await launch(t, { folder });
  const page = await get(app, OURS);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get('content-security-policy'), CONTENT_SECURITY_POLICY);
  assert.match(await page.text(), /<title>Locus/);
  const script = await get(app, `${OURS}assets/index.js?v=1`);
  assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(await script.text(), 'start()');
});

test('the policy allows no inline scripts and no other origins', () => {
  const directives = new Map(
    CONTENT_SECURITY_POLICY.split('; ').map((directive) => {
      const [name, ...values] = directive.split(' ');
      return [name, values];
    }),
  );
  assert.deepEqual(directives.get('default-src'), ["'none'"]);
  assert.deepEqual(directives.get('script-src'), ["'self'"]);
  assert.doesNotMatch(CONTENT_SECURITY_POLICY, /https?:|\*/);
});

test('no path leads out of the renderer’s folder', async (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'out/renderer-secret.txt'), 'secret');
  const app = await launch(t, { folder });
  for (const path of [
    '../../secret.txt',
    '%2e%2e/%2e%2e/secret.txt',
    '..%2f..%2fsecret.txt',
    '..%5c..%5csecret.txt',
    '..%2frenderer-secret.txt',
    '%00',
    '%E0%A4%A',
    'missing.js',
    join(folder, 'secret.txt'),
  ]) {
    const response = await get(app, OURS + path);
    assert.equal(response.status, 404, path);
    assert.ok(!(await response.text()).includes('secret'), path);
  }
  assert.equal((await get(app, 'app://elsewhere/index.html')).status, 404);
  assert.equal((await get(app, OURS, { method: 'POST' })).status, 404);
});

test('a page cannot leave the app', async (t) => {
  const { windows } = await launch(t);
  const { webContents } = windows[0];
  assert.equal(webContents.navigate(OURS), true);
  for (const url of ['file:///etc/passwd', 'app://elsewhere/', 'javascript:alert(1)', 'nonsense']) {
    assert.equal(webContents.navigate(url), false, url);
  }
  assert.equal(webContents.navigate(OURS, false), false, 'frames are not used');
  for (const event of ['will-redirect', 'will-attach-webview']) {
    let prevented = false;
    webContents.emit(event, { preventDefault: () => (prevented = true) });
    assert.ok(prevented, event);
  }
});

test('web addresses open in the browser, only with the user’s consent', async (t) => {
  const { windows, answers, log } = await launch(t);
  const { webContents } = windows[0];
  const click = async (url: string) => {
    assert.deepEqual(webContents.opener!({ url } as never), { action: 'deny' });
    await settle();
  };
  answers.message = 1;
  await click('https://docs.python.org/3/');
  assert.ok(log.some((entry) => entry.includes('https://docs.python.org/3/')));
  assert.ok(!log.some((entry) => entry.startsWith('browser')));
  answers.message = 0;
  await click('https://docs.python.org/3/');
  assert.ok(log.includes('browser https://docs.python.org/3/'));
  const before = log.length;
  for (const url of ['file:///etc/passwd', 'smb://host/share', 'vscode://x', 'data:text/html,x']) {
    await click(url);
  }
  assert.equal(log.length, before);
});

test('nothing is loaded from other origins or downloaded', async (t) => {
  const { confined, session } = await launch(t);
  const cancelled = (url: string) => {
    let answer: boolean | undefined;
    confined.beforeRequest!({ url }, ({ cancel }) => {
      answer = cancel;
    });
    return answer;
  };
  for (const url of [`${OURS}assets/a.js`, 'data:image/png;base64,AA', 'blob:app://locus/1']) {
    assert.equal(cancelled(url), false, url);
  }
  for (const url of [
    'https://example.org/',
    'http://localhost/',
    'ws://x/',
    'file:///etc/passwd',
  ]) {
    assert.equal(cancelled(url), true, url);
  }
  let prevented = false;
  session.emit('will-download', { preventDefault: () => (prevented = true) });
  assert.ok(prevented);
});

test('Chromium cannot use the network, and does not try to', async (t) => {
  const { log, windows } = await launch(t);
  for (const entry of ['switch host-resolver-rules MAP * ~NOTFOUND', 'switch no-proxy-server']) {
    assert.ok(log.includes(entry), entry);
    assert.ok(log.indexOf(entry) < log.indexOf('ready'), entry);
  }
  const [window] = windows;
  assert.equal(window.options.webPreferences!.spellcheck, false);
  assert.ok(log.includes('spelling false'));
  assert.ok(log.includes('dictionaries app://locus/no-dictionaries/'));
  assert.equal(window.webContents.webRtcPolicy, 'disable_non_proxied_udp');
});

test('permissions are denied, except for writing to the clipboard', async (t) => {
  const { confined } = await launch(t);
  const granted = (permission: string, requestingUrl: string, isMainFrame = true) => {
    let answer: boolean | undefined;
    confined.request!(
      null as never,
      permission as never,
      (given) => {
        answer = given;
      },
      { requestingUrl, isMainFrame },
    );
    return answer;
  };
  const checked = (permission: string, origin: string) =>
    confined.check!(null, permission as never, origin, {} as never);
  for (const permission of [
    'media',
    'geolocation',
    'notifications',
    'clipboard-read',
    'openExternal',
  ]) {
    assert.equal(granted(permission, OURS), false, permission);
    assert.equal(checked(permission, OURS), false, permission);
  }
  assert.equal(granted('clipboard-sanitized-write', OURS), true);
  assert.equal(granted('clipboard-sanitized-write', OURS, false), false);
  assert.equal(granted('clipboard-sanitized-write', 'https://example.org/'), false);
  assert.equal(checked('clipboard-sanitized-write', OURS), true);
  assert.equal(confined.device!({} as never), false);
});

test('messages from other pages and frames are ignored', async (t) => {
  const app = await launch(t);
  const [window] = app.windows;
  const strangers = [
    { origin: 'https://example.org', parent: null },
    { origin: 'app://elsewhere', parent: null },
    { origin: 'app://locus', parent: {} },
  ];
  for (const frame of strangers) {
    app.connect(window, frame);
    const { error } = await app.invoke(window, 'locus:pick-folder', null, frame);
    assert.equal(error?.code, 'bad-input');
  }
  assert.equal(app.engines[0].received.length, 0);
  const gone = { ...window, webContents: {} } as typeof window;
  const { error } = await app.invoke(gone, 'locus:pick-folder', null, window.webContents.mainFrame);
  assert.equal(error?.message, 'This page is not part of Locus.');
});
