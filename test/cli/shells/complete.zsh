# Prints what zsh offers for each line given: zsh -f complete.zsh <script> <line>...
# Only its line editor completes, so an interactive zsh runs in a terminal of its own, and types.
zmodload zsh/zpty
export COMPLETIONS=$1 OFFERED=$(mktemp)
shift
# Its prompt says that the editor listens: what is typed before, the terminal itself would edit.
asks_after() {
  local seen
  zpty -r z seen "*$1*ASKS*" || exit 1
}
zpty z 'TERM=dumb zsh -f -i'
zpty -w z 'PROMPT=ASK''S; autoload -Uz compinit; compinit -u -D; source $COMPLETIONS; bindkey "^I" list-choices; LISTMAX=1000'
zpty -w z 'compadd() { local -a offered; builtin compadd -O offered "$@"; print -r -- $offered >>$OFFERED; builtin compadd "$@" }'
zpty -w z 'echo READ''Y'
asks_after READY
for line; do
  : >$OFFERED
  zpty -n -w z "$line"$'\t'
  # The line is taken away before it is run.
  zpty -w z $'\x15echo SEE''N'
  asks_after SEEN
  print -r -- ${(j: :)${(fou)"$(tr ' ' '\n' <$OFFERED)"}}
done
zpty -d z
rm -f $OFFERED
