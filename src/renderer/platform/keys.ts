/** Keys: which command they run, and what is printed on their caps. */
import { createKeybindingsHandler } from 'tinykeys';
import { allCommands, type Command, command, isEnabled } from './commands.ts';
import { listen, type Stop } from './lifetime.ts';
import { isDialogOpen } from './overlays.ts';
import { focusedPane, type PaneName } from './panes.ts';

/** Listens for the key bindings of all commands that are registered by now. */
export function bindKeys(): Stop {
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  for (const [keys, bound] of commandsByKeys(allCommands())) {
    bindings[keys] = (event) => {
      const where = { pane: focusedPane(), typing: isTyping(event), dialog: isDialogOpen() };
      const found = commandFor(keys, bound, where);
      if (!found) return;
      event.preventDefault();
      event.stopPropagation();
      found.run();
    };
  }
  const handler = createKeybindingsHandler(bindings);
  // Before Monaco, which has bindings of its own.
  return listen('keydown', handler, { capture: true });
}

/** Several commands may share a key, each in a pane of its own. */
export function commandsByKeys(commands: readonly Command[]): Map<string, Command[]> {
  const byKeys = new Map<string, Command[]>();
  for (const command of commands) {
    for (const keys of [command.keys, command.otherKeys]) {
      if (keys) byKeys.set(keys, [...(byKeys.get(keys) ?? []), command]);
    }
  }
  return byKeys;
}

interface Where {
  pane: PaneName | null;
  typing: boolean;
  /** True while a dialog is open: keys belong to the topmost layer. */
  dialog: boolean;
}

/** Returns the command that a key runs. Those of the pane go before those that work anywhere. */
export function commandFor(
  keys: string,
  bound: readonly Command[],
  { pane, typing, dialog }: Where,
): Command | undefined {
  const always = /\$mod|Alt|Control|F\d/.test(keys);
  const ready = bound.filter((command) => {
    if (dialog && !command.overDialogs) return false;
    if (command.within && command.within !== pane) return false;
    if (typing && (!always || command.within)) return false;
    return isEnabled(command);
  });
  return ready.find(({ within }) => within) ?? ready[0];
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

/** Returns the labels of a command's keys: `['Ctrl', 'K']`. */
export const keysOf = (id: string): string[] => capsOf(command(id)?.keys);

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
