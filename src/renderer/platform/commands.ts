/**
 * Everything that a user can do, once: menus, the palette, shortcuts and the cheat sheet are made from this list.
 * A feature registers its own in its `start.ts`.
 */
import type { Stop } from './lifetime.ts';
import { isDialogOpen } from './overlays.ts';
import type { PaneName } from './panes.ts';

/** In the order in which people meet them; of each, what the ids of its commands begin with. */
const GROUPS = {
  Repository: ['repository'],
  Issue: ['issue'],
  Results: ['results', 'compare', 'verify'],
  Code: ['code', 'neighbors', 'modelInput'],
  Index: ['index'],
  View: ['view'],
  Help: ['help'],
};
type CommandGroup = keyof typeof GROUPS;
export const COMMAND_GROUPS = Object.keys(GROUPS) as CommandGroup[];

export interface Command {
  /** `feature.verb`. */
  id: string;
  title: string;
  /** Synonyms, for the palette. */
  also?: string;
  /** Syntax of tinykeys: `$mod+Enter`, `Shift+F6`, `g i`. Bindings without $mod, Alt or an F-key rest while typing. */
  keys?: string;
  /** Another binding that does the same. */
  otherKeys?: string;
  /** The pane that must have the focus for `keys` to work: single letters do not act elsewhere. */
  within?: PaneName;
  /** About the window as a whole: its keys work over a dialog too, where all others are the dialog's. */
  overDialogs?: true;
  /** Returns true if it can be run now. Always, by default. */
  enabled?: () => boolean;
  run: () => void | Promise<void>;
}

const registered = new Map<string, Command>();

export function registerCommands(commands: readonly Command[]): Stop {
  for (const command of commands) registered.set(command.id, command);
  return () => {
    for (const { id } of commands) registered.delete(id);
  };
}

export const allCommands = (): Command[] => [...registered.values()];
export const command = (id: string): Command | undefined => registered.get(id);

export function getGroup({ id }: Command): CommandGroup {
  const [feature = ''] = id.split('.');
  return COMMAND_GROUPS.find((each) => GROUPS[each].includes(feature)) ?? 'Help';
}

export const isEnabled = (command: Command): boolean => command.enabled?.() ?? true;

/** Returns true if keys and menus reach the command now. Over a dialog, only commands about the window as a whole. */
export const isInReach = (command: Command): boolean =>
  (command.overDialogs || !isDialogOpen()) && isEnabled(command);

/** Runs a command if it is enabled; what goes wrong in it ends up with the unhandled rejections, not here. */
export function runCommand(id: string): void {
  const found = registered.get(id);
  if (found && isEnabled(found)) found.run();
}
