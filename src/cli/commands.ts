/** Lists the commands. The modules of a command are imported when it runs, so that `search` loads only its own. */
import type { Command } from 'commander';
import type { RunAction } from './session.ts';

type Load = () => Promise<(run: RunAction) => Command>;

const LOADS: Record<string, Load> = {
  search: async () => (await import('./commands/search.ts')).searchCommand,
  show: async () => (await import('./commands/show.ts')).showCommand,
  neighbors: async () => (await import('./commands/neighbors.ts')).neighborsCommand,
  tests: async () => (await import('./commands/tests.ts')).testsCommand,
  similar: async () => (await import('./commands/similar.ts')).similarCommand,
  index: async () => (await import('./commands/index.ts')).indexCommand,
  watch: async () => (await import('./commands/watch.ts')).watchCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  window: async () => (await import('./commands/window.ts')).windowCommand,
  fleet: async () => (await import('./commands/fleet.ts')).fleetCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  open: async () => (await import('./commands/open.ts')).openCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  eval: async () => (await import('./commands/eval.ts')).evalCommand,
  models: async () => (await import('./commands/models.ts')).modelsCommand,
  publish: async () => (await import('./commands/publish.ts')).publishCommand,
  pull: async () => (await import('./commands/pull.ts')).pullCommand,
  shared: async () => (await import('./commands/shared.ts')).sharedCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
};

/** Commands by name, in the order of the help. */
export const COMMANDS: ReadonlyMap<string, Load> = new Map(Object.entries(LOADS));

/** Command that needs all others: it prints their options. */
const NEEDS_ALL = 'completion';

/** Returns the word at the position of the command. */
export const findCommand = (args: readonly string[]): string | undefined =>
  args.find((arg) => arg !== '--json');

/** Returns the commands to load: the named one; or all, to list them in the help or suggest one for a misspelled name. */
export function selectCommands(args: readonly string[]): Iterable<string> {
  const named = findCommand(args);
  return named !== undefined && named !== NEEDS_ALL && COMMANDS.has(named)
    ? [named]
    : COMMANDS.keys();
}
