import type { CommandGrammar, Flag, Grammar, Operand, Value } from './grammar.ts';

/** Completion for zsh, to be sourced after `compinit`, or as `_locus` in a folder of `fpath`. */
export function zshCompletion({ flags, commands }: Grammar): string {
  return `#compdef locus
# zsh completion for locus, made by: locus completion zsh

_locus_commands() {
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`).join('\n')}
  )
  _describe -t commands command commands
}

# A folder opens the window.
_locus_first() {
  _alternative 'commands:command:_locus_commands' 'folders:folder:_files -/'
}

_locus() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C \\
${[...flags.map(flagSpec), "'1: :_locus_first'", "'*:: :->rest'"].map((spec) => `    ${spec}`).join(' \\\n')} && return
  [[ $state == rest ]] || return 1
  case $words[1] in
${commands.map(commandCase).join('\n')}
  esac
}

if [[ "\${funcstack[1]}" == _locus ]]; then
  _locus "$@"
else
  compdef _locus locus
fi
`;
}

function commandCase({ name, flags, operands }: CommandGrammar): string {
  const specs = [...flags.map(flagSpec), ...operands.map(operandSpec)];
  return `    ${name})\n      _arguments \\\n${specs.map((spec) => `        ${spec}`).join(' \\\n')}\n      ;;`;
}

/** As \`_arguments\` has it: \`'(-n --limit)'{-n+,--limit=}'[results at most]:count: '\`. */
function flagSpec({ short, long, description, value, placeholder, repeatable }: Flag): string {
  const rest = `[${escaped(description)}]${value === null ? '' : `:${escaped(placeholder)}:${action(value)}`}`;
  const [plus, equals] = value === null ? ['', ''] : ['+', '='];
  const before = repeatable ? '*' : '';
  if (!short) return quoted(`${before}${long}${equals}${rest}`);
  const others = repeatable ? '*' : `(${short} ${long})`;
  return `${quoted(others)}{${short}${plus},${long}${equals}}${quoted(rest)}`;
}

function operandSpec({ name, value, variadic }: Operand, place: number): string {
  return quoted(`${variadic ? '*' : place + 1}:${escaped(name)}:${action(value)}`);
}

function action(value: Value): string {
  if (value === 'file') return '_files';
  if (value === 'folder') return '_files -/';
  return value === 'any' ? ' ' : `(${value.map(escaped).join(' ')})`;
}

const escaped = (text: string) => text.replace(/[\\:[\]]/g, '\\$&');
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
