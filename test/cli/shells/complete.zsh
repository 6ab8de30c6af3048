# Prints what zsh offers for each line given: zsh -f complete.zsh <script> <line>...
# Only its line editor completes, so an interactive zsh runs in a terminal of its own, and types.
zmodload zsh/zpty
export COMPLETIONS=$1 OFFERED=$(mktemp)
shift
# Waits until the interactive zsh has written a word to $OFFERED.
wait_for() {
  until [[ "$(<$OFFERED)" == *$1* ]]; do
    # What the terminal prints is read, or zsh would wait until it is.
    zpty -r z printed || sleep 0.02
  done
}
zpty -b z 'TERM=dumb zsh -f -i'
zpty -w z 'autoload -Uz compinit; compinit -u -D; source $COMPLETIONS; LISTMAX=1000'
zpty -w z 'compadd() { local -a offered; builtin compadd -O offered "$@"; print -r -- $offered >>$OFFERED; builtin compadd "$@" }'
# The next line is typed when the choices of the last one are listed: keys that zsh has not read yet could end the list early.
zpty -w z 'offer() { zle list-choices; print END-OF-CHOICES >>$OFFERED }; zle -N offer; bindkey "^I" offer; print READY >>$OFFERED'
wait_for READY
for line; do
  : >$OFFERED
  # Control-U takes the last line away.
  zpty -n -w z $'\x15'"$line"$'\t'
  wait_for END-OF-CHOICES
  print -r -- ${(j: :)${(fou)"$(grep -v END-OF-CHOICES $OFFERED | tr ' ' '\n')"}}
done
zpty -d z
rm -f $OFFERED
