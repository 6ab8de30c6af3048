/**
 * Registry of all commands, from which menus, the palette, shortcuts and the list of shortcuts are built. Each feature
 * registers its commands in its `start.ts`.
 */
import type { Stop } from './lifetime.ts';
import { isDialogOpen } from './overlays.ts';
import type { PaneName } from './panes.ts';

/** Groups in the order of menus, each with the prefixes of its commands' ids. */
const GROUPS = {
  Repository: ['repository'],
  Issue: ['issue'],
  Results: ['results', 'compare', 'check'],
  Code: ['code', 'neighbors', 'modelInput'],
  Index: ['index'],
  View: ['view'],
  Help: ['help'],
};
type CommandGroup = keyof typeof GROUPS;
export const COMMAND_GROUPS = Object.keys(GROUPS) as CommandGroup[];

export interface Command {
  /** Id of the form `feature.verb`. */
  id: string;
  title: string;
  /** Synonyms, for the palette. */
  synonyms?: string;
  /** Keys in the syntax of tinykeys: `$mod+Enter`, `Shift+F6`, `g i`. Keys without $mod, Alt or an F-key are off while typing. */
  keys?: string;
  /** Alternative keys. */
  otherKeys?: string;
  /** Pane that must have the focus for `keys` to work, which single letters need. */
  within?: PaneName;
  /** True if the keys also work over a dialog, for commands about the whole window. */
  overDialogs?: true;
  /** Returns true if the command can be run now. By default, it always can. */
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

export const listCommands = (): Command[] => [...registered.values()];
export const getCommand = (id: string): Command | undefined => registered.get(id);

export function getGroup({ id }: Command): CommandGroup {
  const [feature = ''] = id.split('.');
  return COMMAND_GROUPS.find((each) => GROUPS[each].includes(feature)) ?? 'Help';
}

export const isEnabled = (command: Command): boolean => command.enabled?.() ?? true;

/** Returns true if keys and menus can run the command now. Over a dialog, only commands with `overDialogs` can run. */
export const isInReach = (command: Command): boolean =>
  (command.overDialogs || !isDialogOpen()) && isEnabled(command);

/** Runs a command if it is enabled. Its errors become unhandled rejections, which are shown as notes. */
export function runCommand(id: string): void {
  const found = registered.get(id);
  if (found && isEnabled(found)) found.run();
}
