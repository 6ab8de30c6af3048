# Prints what zsh offers for each line given: zsh -f complete.zsh <script> <line>...
# Only its line editor completes, so an interactive zsh runs in a terminal of its own, and types.
zmodload zsh/zpty
export COMPLETIONS=$1 OFFERED=$(mktemp)
shift
until_seen() {
  local line
  while zpty -r z line; do [[ $line == *$1* && $line != *echo* ]] && return; done
  exit 1
}
zpty z 'TERM=dumb zsh -f -i'
zpty -w z 'PROMPT=; autoload -Uz compinit; compinit -u -D; source $COMPLETIONS; bindkey "^I" list-choices; LISTMAX=1000'
zpty -w z 'compadd() { local -a offered; builtin compadd -O offered "$@"; print -r -- $offered >>$OFFERED; builtin compadd "$@" }'
zpty -w z 'echo READ''Y'
until_seen READY
for line; do
  : >$OFFERED
  zpty -n -w z "$line"$'\t'
  # The line is taken away before it is run.
  zpty -w z $'\x15echo SEE''N'
  until_seen SEEN
  print -r -- ${(j: :)${(fou)"$(tr ' ' '\n' <$OFFERED)"}}
done
zpty -d z
rm -f $OFFERED
