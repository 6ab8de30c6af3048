/** Lists the commands. The modules of a command are imported when it runs, so that `search` loads only its own, and the help none. */
import type { Command } from 'commander';
import type { RunAction } from './session.ts';

/** Entry of a command in the help, and the function that imports it. */
export interface CommandEntry {
  /** Options and arguments, as the help shows them. */
  usage: string;
  summary: string;
  load(): Promise<(run: RunAction) => Command>;
}

const ENTRIES: Record<string, CommandEntry> = {
  search: {
    usage: '[options] [dir] [issue...]',
    summary: 'Rank the functions, methods and classes to edit to fix an issue.',
    load: async () => (await import('./commands/search.ts')).searchCommand,
  },
  investigate: {
    usage: '[options] [dir] [issue...]',
    summary: 'Let an agent of yours read the repository and say which functions to edit.',
    load: async () => (await import('./commands/investigate.ts')).investigateCommand,
  },
  demo: {
    usage: '[options]',
    summary: 'Search a small sample repository for an issue whose fix is known.',
    load: async () => (await import('./commands/demo.ts')).demoCommand,
  },
  show: {
    usage: '[options] <dir> <function>',
    summary:
      'Show a function: its code, callers, callees, the input of the model, and the evidence from an issue.',
    load: async () => (await import('./commands/show.ts')).showCommand,
  },
  neighbors: {
    usage: '[options] <dir> <function>',
    summary: 'Show the callers of a function and the functions it calls.',
    load: async () => (await import('./commands/neighbors.ts')).neighborsCommand,
  },
  tests: {
    usage: '[options] <dir> <function>',
    summary: 'Show the tests that reach a function through the call graph, nearest first.',
    load: async () => (await import('./commands/tests.ts')).testsCommand,
  },
  similar: {
    usage: '[options] <dir> <function>',
    summary: 'Show the functions that are most similar in meaning to a function.',
    load: async () => (await import('./commands/similar.ts')).similarCommand,
  },
  grep: {
    usage: '[options] <dir> <pattern>',
    summary: 'Find exact text or a regular expression in the indexed files, grouped by function.',
    load: async () => (await import('./commands/grep.ts')).grepCommand,
  },
  impact: {
    usage: '[options] [dir] [diff]',
    summary: 'Show what a diff edits, what else may have to change, and which tests to run.',
    load: async () => (await import('./commands/impact.ts')).impactCommand,
  },
  index: {
    usage: '[options] [dir...]',
    summary: 'Index a repository, or update its index.',
    load: async () => (await import('./commands/index.ts')).indexCommand,
  },
  watch: {
    usage: '[options] <dir>',
    summary: 'Update the index whenever files change, until interrupted.',
    load: async () => (await import('./commands/watch.ts')).watchCommand,
  },
  daemon: {
    usage: '[options] [dir...]',
    summary: 'Keep repositories open, so that other commands answer at once.',
    load: async () => (await import('./commands/daemon.ts')).daemonCommand,
  },
  status: {
    usage: '[options] [dir...]',
    summary: 'Show the state of the index of a repository.',
    load: async () => (await import('./commands/status.ts')).statusCommand,
  },
  export: {
    usage: '[options] [dir] [issue...]',
    summary: 'Search, and write the results as Markdown, JSON, CSV, SARIF or a prompt.',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  import: {
    usage: '[options] <dir> <list>',
    summary:
      'Compare an exported list with this checkout: show which functions moved, changed or are gone.',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  serve: {
    usage: '[options] [dir]',
    summary: 'Open the app in a browser. Only this machine can reach it.',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  window: {
    usage: '[options] [dir]',
    summary:
      'Open the window: in the desktop app if Electron is installed, else in the browser. The same as locus [dir].',
    load: async () => (await import('./commands/window.ts')).windowCommand,
  },
  fleet: {
    usage: '',
    summary: 'Index and search all repositories of an organization, in Milvus.',
    load: async () => (await import('./commands/fleet.ts')).fleetCommand,
  },
  mcp: {
    usage: '[options]',
    summary: 'Serve coding agents on standard input and output (Model Context Protocol).',
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  setup: {
    usage: '[options] [agent...]',
    summary: 'Connect your coding agents to Locus, or undo that.',
    load: async () => (await import('./commands/setup.ts')).setupCommand,
  },
  open: {
    usage: '[options] <link>',
    summary: 'Open a locus:// deep link in the app, in a browser. A running server is reused.',
    load: async () => (await import('./commands/open.ts')).openCommand,
  },
  doctor: {
    usage: '[options] [dir]',
    summary: 'Check this installation and, if a repository is given, its index.',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  eval: {
    usage: '[options]',
    summary: 'Measure the ranking on issues whose fixes are known.',
    load: async () => (await import('./commands/eval.ts')).evalCommand,
  },
  bench: {
    usage: '[options] [dir]',
    summary: "Measure the ranking on this repository's own past fixes.",
    load: async () => (await import('./commands/bench.ts')).benchCommand,
  },
  models: {
    usage: '[options] [action] [model]',
    summary: 'List, check and switch encoders; add and remove language models.',
    load: async () => (await import('./commands/models.ts')).modelsCommand,
  },
  languages: {
    usage: '[options] [action] [language]',
    summary: 'List the languages that are read, and check one of your own.',
    load: async () => (await import('./commands/languages.ts')).languagesCommand,
  },
  publish: {
    usage: '[options] <dir>',
    summary: 'Publish the index of a commit, for other machines to download.',
    load: async () => (await import('./commands/publish.ts')).publishCommand,
  },
  pull: {
    usage: '[options] <dir>',
    summary: 'Download the published index nearest to the current commit, and update it.',
    load: async () => (await import('./commands/pull.ts')).pullCommand,
  },
  shared: {
    usage: '[options] [storage]',
    summary: 'Set from where published indexes are downloaded, and which publishers are trusted.',
    load: async () => (await import('./commands/shared.ts')).sharedCommand,
  },
  update: {
    usage: '[options]',
    summary: 'Ask whether there is a newer version, after you agree.',
    load: async () => (await import('./commands/update.ts')).updateCommand,
  },
  completion: {
    usage: '<shell>',
    summary: 'Print a script that completes commands, options and values in a shell.',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
};

/** Commands by name, in the order of the help. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map(Object.entries(ENTRIES));

/** Command that needs all others: it prints their options. */
const NEEDS_ALL = 'completion';

/** Words that may come before the command. */
const BEFORE_COMMAND = new Set(['--json', '--']);

/** Returns the word at the position of the command. */
export const findCommand = (args: readonly string[]): string | undefined =>
  args.find((arg) => !BEFORE_COMMAND.has(arg));

/** Returns the names of the commands to load: the named one, also after `help`. The help and suggestions need none. */
export function selectCommands(args: readonly string[]): Iterable<string> {
  const [first = '', second = ''] = args.filter((arg) => !BEFORE_COMMAND.has(arg));
  const named = first === 'help' ? second : first;
  if (named === NEEDS_ALL && first !== 'help') return COMMANDS.keys();
  return COMMANDS.has(named) ? [named] : [];
}
