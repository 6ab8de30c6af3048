/** Builds the command line from its commands, runs it, and prints failures. */
import { type Argument, Command, CommanderError, Help, type Option } from 'commander';
import { VARIABLE_NAMES, VARIABLES } from '../base/environment.ts';
import { logFailure } from '../base/log.ts';
import { explainMemoryError } from '../base/memory.ts';
import { badInput, cancelled, type Failure, LocusError, toFailure } from '../shared/errors.ts';
import { escapeHidden, quoteLines, stringifySafely } from '../shared/quote.ts';
import { VERSION } from '../shared/version.ts';
import { COMMANDS, type CommandEntry, selectCommands } from './commands.ts';
import { EXIT, EXIT_BY_ERROR, EXIT_CODE_HELP, type ExitCode } from './exit-codes.ts';
import { getCurrentFolder, hasTerminal, isFolderArgument } from './invocation.ts';
import { type CliHost, type RunAction, Session } from './session.ts';
import { getColors, getWidth } from './terminal.ts';

const EXAMPLES = `
Examples:
  locus search . "cookies with a quoted comma are cut short"
  locus search ~/src/django --file issue.md --limit 10
  gh issue view 123 --json title,body -q '.title + "\\n" + .body' | locus search . -
  locus search . --at v2.1 --file issue.md --json | jq -r '.results[].path' | sort -u
  locus show . src/http/cookies.py::parse_cookie
  locus neighbors . parse_cookie --depth 2 --callers
  locus similar . parse_cookie --source
  locus export . --file issue.md --output where.md
  locus ~/src/django            opens this folder in the window

${EXIT_CODE_HELP}

Environment:
${VARIABLE_NAMES.map((name) => `  ${name.padEnd(24)}${VARIABLES[name].meaning.replaceAll('`', '')}`).join('\n')}`;

const HELP_COMMAND = ['help [command]', 'Show the help of a command.'] as const;

/**
 * Runs the command line.
 *
 * @param args arguments after `locus`
 * @returns the exit code. It never throws: failures are printed.
 */
export async function runCli(args: readonly string[], host: CliHost): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  try {
    const fullArgs = addDefaultCommand(args, host);
    const run: RunAction = async (action) => {
      if (getCurrentFolder() === null) throw folderDeleted();
      exitCode = await action(new Session(host, program.opts().json === true));
    };
    const program = await makeProgram(host, run, selectCommands(fullArgs));
    const ended = program.parseAsync(fullArgs, { from: 'user' });
    await (host.deadlock ? Promise.race([ended, host.deadlock]) : ended);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    return fail(error, host, args);
  }
}

/**
 * Builds the program with its commands.
 *
 * @param host output streams and environment; they decide width and colors of the help.
 * @param run runs the action of a command.
 * @param names names of the commands to load. Of the others, only the names and summaries are known.
 */
export async function makeProgram(
  host: Pick<CliHost, 'stdout' | 'stderr' | 'env'>,
  run: RunAction,
  names: Iterable<string> = COMMANDS.keys(),
): Promise<Command> {
  const program = new Command('locus');
  const configure = (command: Command): Command => {
    const { bold, dim } = getColors(host.stdout, host.env);
    return command
      .exitOverride()
      .helpOption('-h, --help', 'show this help')
      .configureHelp({
        showGlobalOptions: true,
        optionDescription: describeOption,
        argumentDescription: describeArgument,
        styleTitle: bold,
        styleOptionText: String,
        styleDescriptionText: dim,
      })
      .configureOutput({
        writeOut: (text) => host.stdout.write(text),
        writeErr: (text) => host.stderr.write(text),
        outputError: () => {},
        getOutHelpWidth: () => Math.min(100, getWidth(host.stdout)),
        getOutHasColors: () => getColors(host.stdout, host.env).isColorSupported,
      });
  };
  const configureTree = (command: Command): Command => {
    for (const subcommand of command.commands) configureTree(subcommand);
    if (command.commands.length > 0) command.helpCommand(...HELP_COMMAND);
    return configure(command);
  };
  configure(program)
    .description(
      'Finds the functions to edit to fix an issue. Nothing leaves this machine unless you use --fetch, --check, the URL of a repository, export --post, publish, pull or fleet.',
    )
    .version(VERSION, '-V, --version', 'show the version')
    .option('--json', 'print JSON instead of text')
    .helpCommand(...HELP_COMMAND)
    .addHelpText('after', EXAMPLES);
  const loaded = new Set(names);
  for (const [name, entry] of COMMANDS) {
    const command = loaded.has(name) ? await loadCommand(entry, run) : new Command(name);
    program.addCommand(configureTree(command.description(entry.summary)));
  }
  return program.configureHelp({ ...program.configureHelp(), subcommandTerm: describeCommand });
}

async function loadCommand({ load }: CommandEntry, run: RunAction): Promise<Command> {
  // Before any module with schemas.
  await import('../shared/plain-schemas.ts');
  return (await load())(run);
}

/** Returns the line of a command in the help of the program. Its declaration may not be loaded. */
function describeCommand(command: Command): string {
  const usage = COMMANDS.get(command.name())?.usage;
  return usage === undefined ? new Help().subcommandTerm(command) : `${command.name()} ${usage}`;
}

/** Returns the description of an option with its default. */
export function describeOption({ description, defaultValue }: Option): string {
  return describeDefault(description, defaultValue);
}

function describeArgument({ description, defaultValue }: Argument): string {
  return describeDefault(description, defaultValue);
}

/** Appends a default value as `(default: 20)`. */
function describeDefault(description: string, value: unknown): string {
  const isShown = typeof value === 'string' || typeof value === 'number';
  return isShown ? `${description} (default: ${value})` : description;
}

/** Adds the command if none is named: `window` at a terminal or for a folder, else `--help`. */
function addDefaultCommand(args: readonly string[], host: CliHost): readonly string[] {
  const [first] = args;
  if (first === undefined) return hasTerminal(host) ? ['window'] : ['--help'];
  return !COMMANDS.has(first) && isFolderArgument(first) ? ['window', ...args] : args;
}

function fail(error: unknown, host: CliHost, args: readonly string[]): ExitCode {
  if (!(error instanceof CommanderError) && !host.signal.aborted) logFailure(error);
  const { code, message, remedy, exitCode } = describe(error, host.signal, args);
  // On one line, because some commands print one JSON value a line.
  if (args.includes('--json'))
    host.stdout.write(`${stringifySafely({ error: { code, message, remedy } }, 0)}\n`);
  const colors = getColors(host.stderr, host.env);
  host.stderr.write(`${colors.red('locus:')} ${escapeHidden(message)}\n`);
  if (remedy) host.stderr.write(`  ${colors.dim('→')} ${escapeHidden(remedy)}\n`);
  if (exitCode === EXIT.unexpected && error instanceof Error) {
    host.stderr.write(`${colors.dim(quoteLines(error.stack ?? '').join('\n'))}\n`);
  }
  return exitCode;
}

/** Returns the error for a deleted working directory: paths do not resolve there, and threads and programs do not start. */
const folderDeleted = () =>
  badInput('The current folder was deleted.', 'Change to an existing folder.');

interface FailureWithExit extends Failure {
  exitCode: ExitCode;
}

function describeUsage(
  error: CommanderError,
  args: readonly string[],
): Pick<Failure, 'message' | 'remedy'> {
  const [command = '', subcommand = ''] = args.filter((arg) => arg !== '--json');
  const hasSubcommand =
    command === 'fleet' && error.code !== 'commander.unknownCommand' && /^\w/.test(subcommand);
  const recognized = COMMANDS.has(command) ? [command, ...(hasSubcommand ? [subcommand] : [])] : [];
  const prefix = ['locus', ...recognized].join(' ');
  const remedy = `Run ${prefix} --help to see how it is used.`;
  // Commander shows the help if a command is missing, or if `help` is asked about an unknown one.
  if (error.code === 'commander.help') {
    const message =
      command === 'help' ? `Unknown command '${subcommand}'.` : `${prefix} needs a command.`;
    return { message, remedy };
  }
  const message = toSentence(error.message);
  const takesIssue =
    command === 'search' ||
    command === 'export' ||
    (command === 'fleet' && subcommand === 'search');
  if (error.code !== 'commander.unknownOption' || !takesIssue) return { message, remedy };
  const dash =
    'If the issue begins with a dash, write it after --, or pass it by --file or standard input.';
  return { message, remedy: `${remedy} ${dash}` };
}

/** Turns a message such as `error: unknown option '--foo'\n(Did you mean --file?)` into sentences. */
function toSentence(message: string): string {
  const text = message.replace(/^error: /, '').replace(/\n\((.*)\)$/, '. $1');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;
}

function describe(error: unknown, signal: AbortSignal, args: readonly string[]): FailureWithExit {
  if (error instanceof CommanderError)
    return { code: 'bad-input', ...describeUsage(error, args), exitCode: EXIT.usage };
  if (signal.aborted) {
    const remedy = 'Files that were indexed stay indexed. Run it again to continue.';
    return { ...toFailure(cancelled('The command', remedy)), exitCode: EXIT.interrupted };
  }
  const explained = explainMemoryError(error, 'for this');
  const exitCode =
    explained instanceof LocusError ? EXIT_BY_ERROR[explained.code] : EXIT.unexpected;
  return { ...toFailure(explained), exitCode };
}
