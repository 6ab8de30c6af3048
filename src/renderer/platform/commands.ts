/**
 * Everything that a user can do, once: menus, the palette, shortcuts and the cheat sheet are made from this list.
 * A feature adds its own with `registerCommands` in its `commands.ts`, which `all-commands.ts` imports.
 */
import { createKeybindingsHandler } from 'tinykeys';
import { focusedPane, type PaneName } from './panes.ts';

/** In the order in which people meet them. */
export const COMMAND_GROUPS = [
  'Repository',
  'Issue',
  'Results',
  'Code',
  'Index',
  'View',
  'Help',
] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

export interface Command {
  /** `feature.verb`. */
  id: string;
  title: string;
  group: CommandGroup;
  /** As tinykeys reads it: `$mod+Enter`, `Shift+F6`, `g i`. Bindings without $mod, Alt or an F-key rest while typing. */
  keys?: string;
  /** Another binding that does the same. */
  otherKeys?: string;
  /** The pane that must have the focus for `keys` to work: single letters do not act elsewhere. */
  within?: PaneName;
  /** Whether it can be run now; always, when left out. */
  enabled?: () => boolean;
  run: () => void | Promise<void>;
}

const registered = new Map<string, Command>();

export function registerCommands(commands: readonly Command[]): void {
  for (const command of commands) registered.set(command.id, command);
}

export function allCommands(): Command[] {
  return [...registered.values()];
}

export function command(id: string): Command | undefined {
  return registered.get(id);
}

export const isEnabled = (command: Command): boolean => command.enabled?.() ?? true;

/** Runs a command if it is enabled; what goes wrong in it ends up with the unhandled rejections, not here. */
export function runCommand(id: string): void {
  const found = registered.get(id);
  if (found && isEnabled(found)) found.run();
}

/** Listens for the key bindings of all commands that are registered by now. */
export function bindKeys(): () => void {
  const all = [...registered.values()].flatMap(({ id, keys, otherKeys }) =>
    [keys, otherKeys].flatMap((binding) => (binding ? [{ id, keys: binding }] : [])),
  );
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  for (const [keys, bound] of Map.groupBy(all, (binding) => binding.keys)) {
    const always = /\$mod|Alt|Control|F\d/.test(keys);
    const applies = ({ id }: { id: string }, event: KeyboardEvent) => {
      const found = registered.get(id)!;
      const elsewhere = found.within && found.within !== focusedPane();
      if (elsewhere || ((!always || found.within) && isTyping(event))) return false;
      return isEnabled(found);
    };
    bindings[keys] = (event) => {
      // Several may share a key, each in a pane of its own; what belongs to the pane goes before what works anywhere.
      const ready = bound.filter((binding) => applies(binding, event));
      const first = ready.find(({ id }) => registered.get(id)?.within) ?? ready[0];
      if (!first) return;
      event.preventDefault();
      event.stopPropagation();
      registered.get(first.id)!.run();
    };
  }
  const handler = createKeybindingsHandler(bindings);
  // Before Monaco, which has bindings of its own.
  window.addEventListener('keydown', handler, { capture: true });
  return () => window.removeEventListener('keydown', handler, { capture: true });
}

const isMac = /Mac/.test(navigator.platform);
const ARROWS = {
  Enter: '↵',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};
const CAPS: Record<string, string> = isMac
  ? { $mod: '⌘', Alt: '⌥', Shift: '⇧', Control: '⌃', ...ARROWS }
  : { $mod: 'Ctrl', Control: 'Ctrl', ...ARROWS };

/** What to print on the key caps: `['Ctrl', 'K']`. */
export function keysOf(id: string): string[] {
  return capsOf(registered.get(id)?.keys);
}

/** The same for a binding. */
export function capsOf(keys: string | undefined): string[] {
  if (!keys) return [];
  // Some characters are told by the key cap as they are: nobody needs to know that a question mark takes Shift.
  const parts = keys.replace('Shift+?', '?').split(/[+ ]/);
  return parts.map((key) => CAPS[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.closest('input, textarea, select, .monaco-editor') !== null
  );
}
