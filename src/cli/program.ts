/** The command line as a whole: its commands, and how failures leave it. */
import { Command, CommanderError } from 'commander';
import { VARIABLE_NAMES, VARIABLES } from '../base/environment.ts';
import { logFailure } from '../base/log.ts';
import { explainMemory } from '../base/memory.ts';
import { badInput, cancelled, type Failure, LocusError, toWire } from '../shared/errors.ts';
import { present } from '../shared/present.ts';
import { quotedLines, safeJson, visible } from '../shared/quoted.ts';
import { VERSION } from '../shared/version.ts';
import { currentFolder, hasTerminal, namesFolder } from './called-as.ts';
import { COMMANDS, neededFor } from './commands.ts';
import { EXIT, EXIT_BY_ERROR, EXIT_CODE_HELP, type ExitCode } from './exit-codes.ts';
import { type Host, type Run, Session } from './session.ts';
import { colorsFor, widthOf } from './terminal.ts';

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
  locus ~/src/django            at a terminal: the window, on this folder

${EXIT_CODE_HELP}

Environment:
${VARIABLE_NAMES.map((name) => `  ${name.padEnd(24)}${VARIABLES[name].meaning.replaceAll('`', '')}`).join('\n')}`;

/**
 * Runs the command line.
 *
 * @param args what follows `locus`.
 * @returns the exit code; nothing is thrown, failures are printed.
 */
export async function runCli(args: readonly string[], host: Host): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  try {
    const meant = meantBy(args, host);
    const run: Run = async (action) => {
      if (currentFolder() === null) throw nowhere();
      exitCode = await action(new Session(host, program.opts().json === true));
    };
    const program = await makeProgram(host, run, neededFor(meant));
    const ended = program.parseAsync(meant, { from: 'user' });
    await (host.stuck ? Promise.race([ended, host.stuck]) : ended);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    return fail(error, host, args);
  }
}

/**
 * The program with its commands.
 *
 * @param host where it prints, which decides how its help looks.
 * @param run runs what a command does.
 * @param names of the commands that it has.
 */
export async function makeProgram(
  host: Pick<Host, 'stdout' | 'stderr' | 'env'>,
  run: Run,
  names: Iterable<string> = COMMANDS.keys(),
): Promise<Command> {
  const program = new Command('locus');
  const configured = (command: Command): Command => {
    const { bold, dim } = colorsFor(host.stdout, host.env);
    return command
      .exitOverride()
      .helpOption('-h, --help', 'show this help')
      .configureHelp({
        showGlobalOptions: true,
        styleTitle: bold,
        styleOptionText: String,
        styleDescriptionText: dim,
      })
      .configureOutput({
        writeOut: (text) => host.stdout.write(text),
        writeErr: (text) => host.stderr.write(text),
        outputError: () => {},
        getOutHelpWidth: () => Math.min(100, widthOf(host.stdout)),
        getOutHasColors: () => colorsFor(host.stdout, host.env).isColorSupported,
      });
  };
  const configuredAll = (command: Command): Command => {
    for (const below of command.commands) configuredAll(below);
    return configured(command);
  };
  configured(program)
    .description(
      'Given an issue, find where in a repository to edit. Everything stays on this machine, unless you ask for --verify or --fetch.',
    )
    .version(VERSION, '-V, --version', 'show the version')
    .option('--json', 'print JSON for programs instead of text')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', EXAMPLES);
  for (const name of names) {
    const command = await present(COMMANDS.get(name), 'a command')();
    program.addCommand(configuredAll(command(run)));
  }
  return program;
}

/** Where no command is named: the window, on the folder that is, or the help where nobody sees a window. */
function meantBy(args: readonly string[], host: Host): readonly string[] {
  const [first] = args;
  if (first === undefined) return hasTerminal(host) ? ['window'] : ['--help'];
  return !COMMANDS.has(first) && namesFolder(first) ? ['window', ...args] : args;
}

function fail(error: unknown, host: Host, args: readonly string[]): ExitCode {
  if (!(error instanceof CommanderError) && !host.signal.aborted) logFailure(error);
  const { code, message, remedy, exitCode } = describe(error, host.signal, args);
  // On one line: what a command prints may be a value on each.
  if (args.includes('--json'))
    host.stdout.write(`${safeJson({ error: { code, message, remedy } }, 0)}\n`);
  const colors = colorsFor(host.stderr, host.env);
  host.stderr.write(`${colors.red('locus:')} ${visible(message)}\n`);
  if (remedy) host.stderr.write(`  ${colors.dim('→')} ${visible(remedy)}\n`);
  if (exitCode === EXIT.unexpected && error instanceof Error) {
    host.stderr.write(`${colors.dim(quotedLines(error.stack ?? '').join('\n'))}\n`);
  }
  return exitCode;
}

/** Paths lead nowhere then, and neither threads nor other programs start. */
const nowhere = () => badInput('the folder that you are in is deleted', 'cd to one that is there');

interface FailureWithExit extends Failure {
  exitCode: ExitCode;
}

function describeUsage(
  error: CommanderError,
  args: readonly string[],
): Pick<Failure, 'message' | 'remedy'> {
  const [command = '', below = ''] = args.filter((arg) => arg !== '--json');
  const isBelow =
    command === 'fleet' && error.code !== 'commander.unknownCommand' && /^\w/.test(below);
  const known = COMMANDS.has(command) ? [command, ...(isBelow ? [below] : [])] : [];
  const named = ['locus', ...known].join(' ');
  const remedy = `see ${named} --help`;
  // Help was shown in place of what the words do not say.
  if (error.code === 'commander.help') {
    const message = command === 'help' ? `unknown command '${below}'` : `${named} needs a command`;
    return { message, remedy };
  }
  // `error: unknown option '--foo'\n(Did you mean --file?)`
  const message = error.message.replace(/^error: /, '').replace(/\n/g, ' ');
  const takesIssue =
    command === 'search' || command === 'export' || (command === 'fleet' && below === 'search');
  if (error.code !== 'commander.unknownOption' || !takesIssue) return { message, remedy };
  const dash = 'an issue that begins with a dash goes after --, into a file for --file';
  return { message, remedy: `${remedy}; ${dash}, or through standard input` };
}

function describe(error: unknown, signal: AbortSignal, args: readonly string[]): FailureWithExit {
  if (error instanceof CommanderError)
    return { code: 'bad-input', ...describeUsage(error, args), exitCode: EXIT.usage };
  if (signal.aborted) {
    const remedy = 'What was indexed is kept. Run it again to continue.';
    return { ...toWire(cancelled('The command', remedy)), exitCode: EXIT.interrupted };
  }
  const known = explainMemory(error, 'for this');
  const exitCode = known instanceof LocusError ? EXIT_BY_ERROR[known.code] : EXIT.unexpected;
  return { ...toWire(known), exitCode };
}
