/** Derives the grammar of the command line from the program, for shell completion. */
import type { Argument, Command, Option } from 'commander';

/** Kind of a value: one of several words, a path, or anything. */
export type CompletionValue = readonly string[] | 'file' | 'folder' | 'any';

export interface FlagGrammar {
  /** Short name such as `-n`; null without one. */
  short: string | null;
  long: string;
  description: string;
  /** Null for a flag without a value. */
  value: CompletionValue | null;
  placeholder: string;
  repeatable: boolean;
}

export interface OperandGrammar {
  name: string;
  value: CompletionValue;
  /** True if it takes all remaining words. */
  variadic: boolean;
}

export interface CommandGrammar {
  name: string;
  description: string;
  flags: FlagGrammar[];
  operands: OperandGrammar[];
}

export interface CommandLineGrammar {
  /** Flags that are valid before a command. */
  flags: FlagGrammar[];
  commands: CommandGrammar[];
}

export function describeGrammar(program: Command): CommandLineGrammar {
  const help = program.createHelp();
  const names = program.commands.map((command) => command.name());
  const flags = help.visibleOptions(program).map(toFlag);
  // The program's own flags are also valid after a command.
  const everywhere = flags.filter(({ long }) => !['--help', '--version'].includes(long));
  const commands = help.visibleCommands(program).map((command): CommandGrammar => {
    return {
      name: command.name(),
      description: firstSentence(command.description()),
      flags: [
        ...withSubcommands(command)
          .flatMap((one) => help.visibleOptions(one))
          .map(toFlag),
        ...everywhere,
      ].filter(({ long }, at, all) => all.findIndex((flag) => flag.long === long) === at),
      operands: listOperands(command, names),
    };
  });
  return { flags, commands };
}

const withSubcommands = (command: Command): Command[] => [command, ...command.commands];

/** Returns the operands of a command. For one with subcommands: a subcommand, then anything. */
function listOperands(command: Command, names: readonly string[]): OperandGrammar[] {
  if (command.name() === 'help') return [{ name: 'command', value: names, variadic: false }];
  const subcommands = command.commands.map((one) => one.name());
  if (subcommands.length === 0) return command.registeredArguments.map(toOperand);
  return [
    { name: 'what', value: subcommands, variadic: false },
    { name: 'argument', value: 'any', variadic: true },
  ];
}

function toFlag(option: Option): FlagGrammar {
  const [, placeholder = ''] = /[<[]([^<>[\]]+)[>\]]/.exec(option.flags) ?? [];
  return {
    short: option.short ?? null,
    long: option.long ?? option.flags,
    description: option.description,
    value: placeholder === '' ? null : classifyValue(option, placeholder),
    placeholder: placeholder.replace(/\.\.\.$/, ''),
    repeatable: option.variadic || option.description.includes('can be repeated'),
  };
}

function toOperand(argument: Argument): OperandGrammar {
  const { variadic } = argument;
  return { name: argument.name(), value: classifyValue(argument, argument.name()), variadic };
}

/** Returns the kind of a value: its choices if they are declared, else a guess from the placeholder. */
function classifyValue(
  { argChoices, parseArg }: Option | Argument,
  placeholder: string,
): CompletionValue {
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
