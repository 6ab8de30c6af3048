import type { CommandGrammar, Flag, Grammar, Value } from './grammar.ts';

/** Completion for bash from 3.2 on, which macOS has; nothing else need be installed. */
export function bashCompletion({ flags, commands }: Grammar): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# bash completion for locus, made by: locus completion bash

# What follows an option of a command: REPLY is empty for one that takes no value.
_locus_value() {
  case "$1 $2" in
${commands.flatMap(valueCases).join('\n')}
    *) REPLY= ;;
  esac
}

# What stands at a place after a command, counted from 0.
_locus_operand() {
  case "$1 $2" in
${commands.flatMap(operandCases).join('\n')}
    *) REPLY=any ;;
  esac
}

_locus_flags() {
  case "$1" in
${commands.map((command) => `    ${command.name}) REPLY=${quoted(namesOf(command.flags))} ;;`).join('\n')}
    *) REPLY=${quoted(namesOf(flags))} ;;
  esac
}

_locus_offer() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [[ -n $line ]] && COMPREPLY+=("$line")
  done < <(compgen "$@" -- "$cur")
}

_locus_offer_value() {
  case "$1" in
    file) compopt -o filenames 2>/dev/null; _locus_offer -f ;;
    folder) compopt -o filenames 2>/dev/null; _locus_offer -d ;;
    any) COMPREPLY=() ;;
    *) _locus_offer -W "$1" ;;
  esac
}

_locus() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command= expected= word REPLY
  local -i place=0 i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    # --kind=method comes as three words.
    if [[ $word == = ]]; then continue; fi
    if [[ -n $expected ]]; then expected=
    elif [[ $word == -?* ]]; then
      _locus_value "$command" "$word"
      expected=$REPLY
    elif [[ -z $command ]]; then command=$word
    else place+=1
    fi
  done
  [[ $cur == = ]] && cur=
  if [[ -n $expected ]]; then
    _locus_offer_value "$expected"
  elif [[ $cur == -* ]]; then
    _locus_flags "$command"
    _locus_offer -W "$REPLY"
  elif [[ -z $command ]]; then
    _locus_offer -W ${quoted(names)}
    # A folder opens the window.
    ((\${#COMPREPLY[@]})) || _locus_offer_value folder
  else
    _locus_operand "$command" "$place"
    _locus_offer_value "$REPLY"
  fi
}

complete -F _locus locus
`;
}

function valueCases({ name, flags }: CommandGrammar): string[] {
  return flags.flatMap(({ short, long, value }) => {
    if (value === null) return [];
    const words = [short, long].flatMap((flag) => (flag ? [quoted(`${name} ${flag}`)] : []));
    return [`    ${words.join(' | ')}) REPLY=${quoted(told(value))} ;;`];
  });
}

function operandCases({ name, operands }: CommandGrammar): string[] {
  return operands.map(({ value, variadic }, place) => {
    const pattern = variadic ? `${quoted(`${name} `)}*` : quoted(`${name} ${place}`);
    return `    ${pattern}) REPLY=${quoted(told(value))} ;;`;
  });
}

const told = (value: Value) => (typeof value === 'string' ? value : value.join(' '));
const namesOf = (flags: readonly Flag[]) =>
  flags.flatMap(({ short, long }) => (short ? [short, long] : [long])).join(' ');
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
