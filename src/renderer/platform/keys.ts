/** Key bindings of commands, and the labels of keys. */
import { createKeybindingsHandler } from 'tinykeys';
import { type Command, getCommand, isEnabled, listCommands } from './commands.ts';
import { listen, type Stop } from './lifetime.ts';
import { isDialogOpen } from './overlays.ts';
import { getFocusedPane, type PaneName } from './panes.ts';

/** Binds the keys of all commands registered so far. */
export function bindKeys(): Stop {
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  for (const [keys, bound] of groupByKeys(listCommands())) {
    bindings[keys] = (event) => {
      const context = { pane: getFocusedPane(), typing: isTyping(event), dialog: isDialogOpen() };
      const found = findCommand(keys, bound, context);
      if (!found) return;
      event.preventDefault();
      event.stopPropagation();
      found.run();
    };
  }
  const handler = createKeybindingsHandler(bindings);
  // In the capture phase, before Monaco's own key bindings.
  return listen('keydown', handler, { capture: true });
}

/** Groups commands by keys. Commands of different panes may share keys. */
export function groupByKeys(commands: readonly Command[]): Map<string, Command[]> {
  const byKeys = new Map<string, Command[]>();
  for (const command of commands) {
    for (const keys of [command.keys, command.otherKeys]) {
      if (keys) byKeys.set(keys, [...(byKeys.get(keys) ?? []), command]);
    }
  }
  return byKeys;
}

interface FocusContext {
  pane: PaneName | null;
  typing: boolean;
  /** True while a dialog is open, which then receives all keys. */
  dialog: boolean;
}

/** Returns the command that keys run. Commands of the focused pane take precedence. */
export function findCommand(
  keys: string,
  bound: readonly Command[],
  { pane, typing, dialog }: FocusContext,
): Command | undefined {
  const worksWhileTyping = /\$mod|Alt|Control|F\d/.test(keys);
  const ready = bound.filter((command) => {
    if (dialog && !command.overDialogs) return false;
    if (command.within && command.within !== pane) return false;
    if (typing && (!worksWhileTyping || command.within)) return false;
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
export const getKeys = (id: string): string[] => getKeyLabels(getCommand(id)?.keys);

export function getKeyLabels(keys: string | undefined): string[] {
  if (!keys) return [];
  // Users need not be told that a question mark needs Shift.
  const parts = keys.replace('Shift+?', '?').split(/[+ ]/);
  return parts.map((key) => CAPS[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.closest('input, textarea, select, .monaco-editor') !== null
  );
}
