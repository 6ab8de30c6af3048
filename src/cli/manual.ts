/** Generates the manual page `locus.1` from the program: its commands, options and examples. */
import type { Argument, Command, Option } from 'commander';
import { VARIABLE_NAMES, VARIABLES } from '../base/environment.ts';
import { VERSION } from '../shared/version.ts';
import { EXIT_CODE_HELP } from './exit-codes.ts';
import { describeOption, makeProgram } from './program.ts';

/** Environment variables that many programs use. */
const COMMON_VARIABLES: [name: string, meaning: string][] = [
  ['NO_COLOR', 'Disables colors if not empty.'],
  ['FORCE_COLOR', '1 enables colors even in a pipe.'],
  ['CI', 'Prevents opening a window if not empty.'],
];

const FILES: [name: string, meaning: string][] = [
  [
    '~/.local/share/locus',
    'the data directory on Linux; ~/Library/Application Support/locus on macOS, %LOCALAPPDATA%\\locus\\Data on Windows',
  ],
];

/** Returns the page in roff, with the macros of man(7), in ASCII. */
export async function renderManualPage(): Promise<string> {
  let printed = '';
  const output = { write: (text: string) => (printed += text), columns: 80 };
  const program = await makeProgram({ stdout: output, stderr: output, env: {} }, async () => {});
  /** Returns the text that follows options and arguments in a command's help, such as examples. */
  const getHelpTail = (command: Command): string => {
    // `help` is commander's own command and does not print to `output`.
    if (!program.commands.includes(command) && command !== program) return '';
    printed = '';
    command.outputHelp();
    return printed.slice(command.helpInformation().length).trim();
  };
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  const lines = [
    `.TH LOCUS 1 "" "Locus ${VERSION}" "User Commands"`,
    '.SH NAME',
    'locus \\- find the functions to edit to fix an issue',
    '.SH SYNOPSIS',
    ...commands.flatMap((command) => [...synopsis(command), '.br']).slice(0, -1),
    '.br',
    `\\fBlocus\\fR [\\fIdir\\fR]`,
    '.SH DESCRIPTION',
    roff(program.description()),
    '.PP',
    'At a terminal, locus without a command opens the window; locus [dir] opens it on a folder.',
    '.SH OPTIONS',
    ...help.visibleOptions(program).flatMap(optionLines),
    '.SH COMMANDS',
    ...commands.flatMap((command) => [
      `.SS ${roff(command.name())}`,
      ...synopsis(command),
      '.PP',
      roff(command.description()),
      ...command.registeredArguments.flatMap(argumentLines),
      ...help
        .visibleOptions(command)
        .filter(({ long }) => long !== '--help')
        .flatMap(optionLines),
      '.PP',
      ...literal(getHelpTail(command)),
    ]),
    '.SH EXIT STATUS',
    ...exitStatus(),
    '.SH ENVIRONMENT',
    ...VARIABLE_NAMES.flatMap((name) =>
      tagged(`\\fB${roff(name)}\\fR`, VARIABLES[name].meaning.replaceAll('`', '')),
    ),
    ...COMMON_VARIABLES.flatMap(([name, meaning]) => tagged(`\\fB${roff(name)}\\fR`, meaning)),
    '.SH FILES',
    ...FILES.flatMap(([name, meaning]) => tagged(`\\fI${roff(name)}\\fR`, meaning)),
    '.SH EXAMPLES',
    ...literal(
      getHelpTail(program)
        .split('\n\n', 1)
        .join('')
        .replace(/^Examples:\n/, ''),
    ),
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

/** `locus search [options] <dir> [issue...]`. */
function synopsis(command: Command): string[] {
  return [`\\fBlocus ${roff(command.name())}\\fR ${roff(command.usage())}`.trimEnd()];
}

function optionLines(option: Option): string[] {
  return tagged(`\\fB${roff(option.flags)}\\fR`, describeOption(option));
}

function argumentLines(argument: Argument): string[] {
  return tagged(`\\fI${roff(argument.name())}\\fR`, argument.description);
}

function tagged(tag: string, text: string): string[] {
  return ['.TP', tag, roff(text)];
}

/** Returns the lines of `EXIT_CODE_HELP` as tagged paragraphs, one for each code. */
function exitStatus(): string[] {
  return EXIT_CODE_HELP.split('\n')
    .slice(1)
    .flatMap((line) => {
      const [code = '', ...words] = line.trim().split(/ +/);
      return tagged(`\\fB${code}\\fR`, words.join(' '));
    });
}

function literal(text: string): string[] {
  return text === '' ? [] : ['.nf', ...text.split('\n').map((line) => roff(line) || '\\&'), '.fi'];
}

/** Escapes text for roff, so that no line is a request and hyphens stay ASCII. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
    .replaceAll('…', '...')
    .replace(/[^\n -~]/gu, (sign) => {
      const code = sign.codePointAt(0) ?? 0;
      return `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
    });
}
