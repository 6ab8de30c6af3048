import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../shared/desktop-requests.ts';

type Item = MenuItemConstructorOptions;

export interface MenuActions {
  run(command: string): void;
  newWindow(): void;
  openLogs(): void;
}

const SEPARATOR: Item = { type: 'separator' };

/** Groups of commands that are merged into a standard menu. */
const MERGED_GROUPS = ['Repository', 'View', 'Help'];

/**
 * Builds the native menus from the commands of the page and the standard items of every app. The page handles the keys
 * itself, so the menus show them but do not register them.
 */
export function buildMenu(
  commands: readonly MenuCommand[],
  platform: string,
  actions: MenuActions,
): Item[] {
  const mac = platform === 'darwin';
  const listItems = (group: string): Item[] =>
    commands
      .filter((command) => command.group === group)
      .map(({ id, title, keys, enabled }) => ({
        id,
        label: title.replaceAll('&', '&&'),
        enabled,
        accelerator: keys === undefined ? undefined : toAccelerator(keys),
        registerAccelerator: false,
        click: () => actions.run(id),
      }));
  const groups = new Set(commands.map(({ group }) => group));
  const otherGroups = [...groups].filter((group) => !MERGED_GROUPS.includes(group));
  return [
    ...(mac ? [{ role: 'appMenu' } as Item] : []),
    {
      label: 'File',
      submenu: separate(
        listItems('Repository'),
        mac ? [{ role: 'recentDocuments', submenu: [{ role: 'clearRecentDocuments' }] }] : [],
        [{ label: 'New window', accelerator: 'CmdOrCtrl+Shift+N', click: actions.newWindow }],
        [mac ? { role: 'close' } : { role: 'quit' }],
      ),
    },
    { role: 'editMenu' },
    ...otherGroups.map((group) => ({ label: group, submenu: listItems(group) })),
    {
      label: 'View',
      submenu: separate(listItems('View'), [
        { role: 'reload' },
        { role: 'toggleDevTools' },
        { role: 'togglefullscreen' },
      ]),
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: separate(
        listItems('Help'),
        [{ label: 'Open logs folder', click: actions.openLogs }],
        mac ? [] : [{ role: 'about' }],
      ),
    },
  ];
}

function separate(...sections: Item[][]): Item[] {
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, i) => (i === 0 ? section : [SEPARATOR, ...section]));
}

const KEY_NAMES: Record<string, string> = {
  $mod: 'CmdOrCtrl',
  Control: 'Ctrl',
  '=': 'Plus',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
};

/**
 * Returns Electron's name for a key binding of tinykeys. Undefined for sequences, and for bindings without $mod, Alt,
 * Control or a function key, because a menu would take those keys from text fields.
 */
export function toAccelerator(keys: string): string | undefined {
  const parts = keys.split('+').map((key) => key || 'Plus');
  if (/\s/.test(keys) || !/\$mod|Alt|Control|F\d/.test(keys)) return undefined;
  return parts
    .map((key) => KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key))
    .join('+');
}
