import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Launched, launch, settle } from './launch.ts';

const ask = (app: Launched, channel: string, request: unknown) =>
  app.invoke(app.windows[0], channel, request);

test('a folder is chosen in the system’s dialog', async (t) => {
  const app = await launch(t);
  app.answers.open = ['/srv/shop'];
  assert.deepEqual(await ask(app, 'locus:pick-folder', null), { result: '/srv/shop' });
  app.answers.open = [];
  assert.deepEqual(await ask(app, 'locus:pick-folder', null), { result: null });
});

test('an export is saved to the chosen file', async (t) => {
  const app = await launch(t);
  app.answers.save = join(app.folder, 'where.md');
  const request = { name: '../../etc/where.md', text: '# Where' };
  assert.deepEqual(await ask(app, 'locus:save-file', request), { result: app.answers.save });
  assert.equal(readFileSync(app.answers.save, 'utf8'), '# Where');
  assert.ok(app.log.includes('save as where.md'));
  app.answers.save = '';
  assert.deepEqual(await ask(app, 'locus:save-file', request), { result: null });
  app.answers.save = join(app.folder, 'no such folder/where.md');
  const { error } = await ask(app, 'locus:save-file', request);
  assert.match(error!.message, /Cannot write .*no such folder/);
});

test('requests are validated', async (t) => {
  const app = await launch(t);
  for (const [channel, request] of [
    ['locus:save-file', { name: 'x' }],
    ['locus:save-file', null],
    ['locus:open-in-editor', { root: '/', path: 'a', line: 0, editor: 'system' }],
    ['locus:use-theme', 'sepia'],
    ['locus:show-menu', [{ id: 1 }]],
    ['locus:opened', 'everything'],
    ['locus:install-update', '1.3.0\n'],
    ['locus:install-update', '../1.3.0'],
  ] as const) {
    const { error } = await ask(app, channel, request);
    assert.equal(error?.code, 'bad-input', channel);
    assert.ok(error?.message.startsWith(channel));
  }
});

test('an opened repository is in the title and the system’s recent folders', async (t) => {
  const app = await launch(t);
  await ask(app, 'locus:opened', { root: '/srv/shop', name: 'shop' });
  assert.equal(app.windows[0].title, 'shop — Locus');
  assert.ok(app.log.includes('recent /srv/shop'));
});

test('the theme also applies to the window frame', async (t) => {
  const app = await launch(t);
  await ask(app, 'locus:use-theme', 'light');
  assert.equal(app.nativeTheme.themeSource, 'light');
});

test('the app’s commands are in the menus, and choosing one runs it in the window', async (t) => {
  const app = await launch(t);
  await ask(app, 'locus:show-menu', [
    { id: 'open', title: 'Open a folder…', group: 'Repository', keys: '$mod+o', enabled: true },
    { id: 'search', title: 'Search & rank', group: 'Issue', keys: '$mod+Enter', enabled: false },
  ]);
  const item = (menu: string, label: string) =>
    app
      .menu()
      .find((entry) => entry.label === menu || entry.role === menu)
      ?.submenu?.find((entry) => entry.label === label);
  const open = item('File', 'Open a folder…')!;
  assert.equal(open.accelerator, 'CmdOrCtrl+O');
  assert.equal(open.registerAccelerator, false);
  assert.equal(item('Issue', 'Search && rank')?.enabled, false);
  (open.click as () => void)();
  assert.deepEqual(app.windows[0].webContents.sent.at(-1)?.message, {
    type: 'command',
    command: 'open',
  });
  (item('help', 'Open logs folder')!.click as () => void)();
  assert.ok(app.log.includes(`shown ${join(app.folder, 'data/logs')}`));
});

/** Makes a repository with one file, and an editor that records its arguments. */
function withEditor(app: Launched): { root: string; editor: string; started: () => string[] } {
  const root = join(app.folder, 'a "shop" $(touch pwned)');
  mkdirSync(root);
  writeFileSync(join(root, 'cart; rm -rf.py'), 'pass\n');
  const program = join(app.folder, 'editor');
  const record = join(app.folder, 'record');
  writeFileSync(
    program,
    `#!/bin/sh\nfor argument in "$@"; do printf '%s\\n' "$argument" >> '${record}.new'; done\nmv '${record}.new' '${record}'\n`,
  );
  chmodSync(program, 0o755);
  return {
    root,
    editor: `${program} --at {line} "{file}"`,
    started: () => (existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : []),
  };
}

test('a file opens in a custom editor, after one confirmation', {
  skip: process.platform === 'win32',
}, async (t) => {
  const app = await launch(t);
  const { root, editor, started } = withEditor(app);
  const open = () =>
    ask(app, 'locus:open-in-editor', { root, path: 'cart; rm -rf.py', line: 7, editor });
  app.answers.message = 1;
  assert.deepEqual(await open(), { result: null });
  assert.deepEqual(started(), []);
  assert.ok(app.log.some((entry) => entry.startsWith('asked') && entry.includes(editor)));

  app.answers.message = 0;
  assert.deepEqual(await open(), { result: 'editor' });
  while (started().length === 0) await settle();
  assert.deepEqual(started(), ['--at', '7', join(root, 'cart; rm -rf.py')]);
  assert.ok(!existsSync(join(root, 'pwned')));

  const asked = app.log.length;
  app.answers.message = 1;
  assert.deepEqual(await open(), { result: 'editor' });
  assert.equal(app.log.length, asked);
  const again = await launch(t, { folder: app.folder });
  again.answers.message = 1;
  assert.deepEqual(
    await ask(again, 'locus:open-in-editor', { root, path: 'cart; rm -rf.py', line: 7, editor }),
    { result: 'editor' },
  );
});

test('only files of the repository are opened', {
  skip: process.platform === 'win32',
}, async (t) => {
  const app = await launch(t);
  const { root, editor, started } = withEditor(app);
  writeFileSync(join(app.folder, 'outside.py'), '');
  symlinkSync(join(app.folder, 'outside.py'), join(root, 'link.py'));
  for (const path of ['../outside.py', 'link.py', join(app.folder, 'outside.py'), '.', 'gone.py']) {
    const { error } = await ask(app, 'locus:open-in-editor', { root, path, line: 1, editor });
    assert.match(error!.message, /is not a file in|no longer exists/, path);
  }
  assert.deepEqual(started(), []);
});

test('an editor that cannot be started is reported as an error', async (t) => {
  const app = await launch(t);
  const { root } = withEditor(app);
  const editor = 'no-such-editor-anywhere {file}';
  const request = { root, path: 'cart; rm -rf.py', line: 1, editor };
  const { error } = await ask(app, 'locus:open-in-editor', request);
  assert.equal(error?.code, 'not-found');
  assert.match(error!.message, /no-such-editor-anywhere/);
});
