import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MenuItemConstructorOptions } from 'electron';
import { buildMenu, toAccelerator } from '../../src/main/menu.ts';
import type { MenuCommand } from '../../src/shared/desktop-requests.ts';

const actions = { run: () => {}, newWindow: () => {}, openLogs: () => {} };
const command = (group: string, title: string): MenuCommand => ({
  id: title,
  title,
  group,
  enabled: true,
});
const names = (items: MenuItemConstructorOptions[]) =>
  items.map(({ label, role }) => label ?? role);

test('key bindings of the page become accelerators of Electron', () => {
  for (const [keys, expected] of [
    ['$mod+o', 'CmdOrCtrl+O'],
    ['$mod+Shift+p', 'CmdOrCtrl+Shift+P'],
    ['$mod+=', 'CmdOrCtrl+Plus'],
    ['$mod+Enter', 'CmdOrCtrl+Enter'],
    ['Alt+ArrowUp', 'Alt+Up'],
    ['Shift+F6', 'Shift+F6'],
  ]) {
    assert.equal(toAccelerator(keys), expected);
  }
});

test('plain keys and key sequences are left to the page', () => {
  for (const keys of ['j', 'Shift+e', '?', 'g i', '$mod+k $mod+s']) {
    assert.equal(toAccelerator(keys), undefined, keys);
  }
});

test('each group is a menu between the standard ones', () => {
  const commands = [
    command('Repository', 'Open'),
    command('Issue', 'New'),
    command('View', 'Zoom in'),
  ];
  assert.deepEqual(names(buildMenu(commands, 'linux', actions)), [
    'File',
    'editMenu',
    'Issue',
    'View',
    'windowMenu',
    'help',
  ]);
  assert.equal(buildMenu(commands, 'darwin', actions)[0].role, 'appMenu');
});

test('menus have no separators at their ends and none in a row', () => {
  for (const platform of ['linux', 'darwin', 'win32']) {
    for (const commands of [[], [command('Repository', 'Open'), command('Help', 'Shortcuts')]]) {
      for (const { submenu } of buildMenu(commands, platform, actions)) {
        const kinds = ((submenu ?? []) as MenuItemConstructorOptions[]).map(({ type }) => type);
        if (kinds.length === 0) continue;
        assert.notEqual(kinds[0], 'separator');
        assert.notEqual(kinds.at(-1), 'separator');
        assert.ok(!kinds.some((kind, i) => kind === 'separator' && kinds[i - 1] === kind));
      }
    }
  }
});
