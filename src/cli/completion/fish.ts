import type { CommandGrammar, Flag, Grammar, Value } from './grammar.ts';

/** Completion for fish from 3.1 on. */
export function fishCompletion({ flags, commands }: Grammar): string {
  const valued = commands.flatMap(({ name, flags }) =>
    flags.flatMap(({ short, long, value }) =>
      value === null ? [] : [short, long].flatMap((flag) => (flag ? [`${name} ${flag}`] : [])),
    ),
  );
  return `# fish completion for locus, made by: locus completion fish

set -g __locus_valued ${valued.map(quoted).join(' ')}

# Prints the command, and how many operands stand before the word at hand.
function __locus_place
    set -l command
    set -l place 0
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if string match -qr -- '^-.' $word
            contains -- "$command $word" $__locus_valued; and set skip 1
        else if test -z "$command"
            set command $word
        else
            set place (math $place + 1)
        end
    end
    echo "$command $place"
end

function __locus_in
    string match -q -- "$argv[1] *" (__locus_place)
end

function __locus_at
    test (__locus_place) = "$argv[1] $argv[2]"
end

function __locus_folders
    __fish_complete_directories (commandline -ct) ''
end

complete -c locus -f
${flags.map((flag) => completion('-n \'__locus_at "" 0\'', flag)).join('\n')}
complete -c locus -n '__locus_at "" 0' -a '(__locus_folders)'
${commands.map(ofCommand).join('\n')}
`;
}

function ofCommand({ name, description, flags, operands }: CommandGrammar): string {
  const lines = [
    `complete -c locus -n '__locus_at "" 0' -a ${name} -d ${quoted(description)}`,
    ...flags.map((flag) => completion(`-n '__locus_in ${name}'`, flag)),
    ...operands.flatMap(({ value, variadic }, place) => {
      const condition = variadic ? `__locus_in ${name}` : `__locus_at ${name} ${place}`;
      return value === 'any'
        ? []
        : [`complete -c locus -n '${condition}'${value === 'file' ? ' -F' : offer(value)}`];
    }),
  ];
  return lines.join('\n');
}

function completion(condition: string, { short, long, description, value }: Flag): string {
  const names = `${short ? `-s ${short.slice(1)} ` : ''}-l ${long.slice(2)}`;
  const takes = value === null ? '' : value === 'file' ? ' -r -F' : ` -x${offer(value)}`;
  return `complete -c locus ${condition} ${names}${takes} -d ${quoted(description)}`;
}

function offer(value: Value): string {
  if (value === 'folder') return " -a '(__locus_folders)'";
  return typeof value === 'string' ? '' : ` -a ${quoted(value.join(' '))}`;
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
