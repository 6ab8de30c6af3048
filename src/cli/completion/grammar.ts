/** What may stand on a command line, as completions need it: told by the program itself. */
import type { Argument, Command, Option } from 'commander';

/** What a value may be: one of a few, a path, or anything. */
export type Value = readonly string[] | 'file' | 'folder' | 'any';

export interface Flag {
  /** `-n`; null where there is but a long name. */
  short: string | null;
  long: string;
  description: string;
  /** Null for what takes none. */
  value: Value | null;
  placeholder: string;
  repeatable: boolean;
}

export interface Operand {
  name: string;
  value: Value;
  /** It takes all that follows. */
  variadic: boolean;
}

export interface CommandGrammar {
  name: string;
  description: string;
  flags: Flag[];
  operands: Operand[];
}

export interface Grammar {
  /** Understood before a command. */
  flags: Flag[];
  commands: CommandGrammar[];
}

export function grammarOf(program: Command): Grammar {
  const help = program.createHelp();
  const names = program.commands.map((command) => command.name());
  const flags = help.visibleOptions(program).map(flagOf);
  // The program's own are understood after a command too.
  const everywhere = flags.filter(({ long }) => !['--help', '--version'].includes(long));
  const commands = help.visibleCommands(program).map((command): CommandGrammar => {
    return {
      name: command.name(),
      description: firstSentence(command.description()),
      flags: [
        ...withParts(command)
          .flatMap((one) => help.visibleOptions(one))
          .map(flagOf),
        ...everywhere,
      ].filter(({ long }, at, all) => all.findIndex((flag) => flag.long === long) === at),
      operands: operandsOf(command, names),
    };
  });
  return { flags, commands };
}

const withParts = (command: Command): Command[] => [command, ...command.commands];

/** After a command with others below it comes one of these, and what any of them takes. */
function operandsOf(command: Command, names: readonly string[]): Operand[] {
  if (command.name() === 'help') return [{ name: 'command', value: names, variadic: false }];
  const below = command.commands.map((one) => one.name());
  if (below.length === 0) return command.registeredArguments.map(operandOf);
  return [
    { name: 'what', value: below, variadic: false },
    { name: 'argument', value: 'any', variadic: true },
  ];
}

function flagOf(option: Option): Flag {
  const [, placeholder = ''] = /[<[]([^<>[\]]+)[>\]]/.exec(option.flags) ?? [];
  return {
    short: option.short ?? null,
    long: option.long ?? option.flags,
    description: option.description,
    value: placeholder === '' ? null : valuesOf(option, placeholder),
    placeholder: placeholder.replace(/\.\.\.$/, ''),
    repeatable: option.variadic || option.description.includes('may be given again'),
  };
}

function operandOf(argument: Argument): Operand {
  const { variadic } = argument;
  return { name: argument.name(), value: valuesOf(argument, argument.name()), variadic };
}

/** Options and arguments whose values are checked know them; of others the placeholder tells what they are. */
function valuesOf({ argChoices, parseArg }: Option | Argument, placeholder: string): Value {
  if (argChoices) return argChoices;
  if (parseArg && 'choices' in parseArg && Array.isArray(parseArg.choices))
    return parseArg.choices.map(String);
  if (/\b(?:dir|folder)\b/.test(placeholder)) return 'folder';
  return /\b(?:file|list|reports)\b/.test(placeholder) ? 'file' : 'any';
}

function firstSentence(text: string): string {
  const end = text.indexOf('. ');
  return (end < 0 ? text : text.slice(0, end)).replace(/\.$/, '');
}
