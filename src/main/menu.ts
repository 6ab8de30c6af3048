import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../shared/desktop-requests.ts';

type Item = MenuItemConstructorOptions;

export interface MenuActions {
  run(command: string): void;
  newWindow(): void;
  openLogs(): void;
}

const SEPARATOR: Item = { type: 'separator' };

/** Groups of commands with a menu that the system knows under another name, or has items of its own for. */
const PLACED = ['Repository', 'View', 'Help'];

/**
 * The native menus: the app's commands, as the page lists them, among what every app has. The page listens for the
 * keys itself and sees them first, so they are shown here and not registered a second time.
 */
export function menuTemplate(
  commands: readonly MenuCommand[],
  platform: string,
  actions: MenuActions,
): Item[] {
  const mac = platform === 'darwin';
  const of = (group: string): Item[] =>
    commands
      .filter((command) => command.group === group)
      .map(({ id, title, keys, enabled }) => ({
        id,
        label: title.replaceAll('&', '&&'),
        enabled,
        accelerator: keys === undefined ? undefined : accelerator(keys),
        registerAccelerator: false,
        click: () => actions.run(id),
      }));
  const groups = new Set(commands.map(({ group }) => group));
  const own = [...groups].filter((group) => !PLACED.includes(group));
  return [
    ...(mac ? [{ role: 'appMenu' } as Item] : []),
    {
      label: 'File',
      submenu: separated(
        of('Repository'),
        mac ? [{ role: 'recentDocuments', submenu: [{ role: 'clearRecentDocuments' }] }] : [],
        [{ label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: actions.newWindow }],
        [mac ? { role: 'close' } : { role: 'quit' }],
      ),
    },
    { role: 'editMenu' },
    ...own.map((group) => ({ label: group, submenu: of(group) })),
    {
      label: 'View',
      submenu: separated(of('View'), [
        { role: 'reload' },
        { role: 'toggleDevTools' },
        { role: 'togglefullscreen' },
      ]),
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: separated(
        of('Help'),
        [{ label: 'Open Logs Folder', click: actions.openLogs }],
        mac ? [] : [{ role: 'about' }],
      ),
    },
  ];
}

function separated(...sections: Item[][]): Item[] {
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, i) => (i === 0 ? section : [SEPARATOR, ...section]));
}

const NAMES: Record<string, string> = {
  $mod: 'CmdOrCtrl',
  Control: 'Ctrl',
  '=': 'Plus',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
};

/**
 * Electron's name for a key binding of tinykeys. Undefined for sequences and for keys without $mod, Alt, Control or
 * an F-key: those would be taken from somebody who types.
 */
export function accelerator(keys: string): string | undefined {
  const parts = keys.split('+').map((key) => key || 'Plus');
  if (/\s/.test(keys) || !/\$mod|Alt|Control|F\d/.test(keys)) return undefined;
  return parts.map((key) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)).join('+');
}
