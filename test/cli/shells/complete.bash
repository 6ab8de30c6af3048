# Prints what bash offers for each line given: bash complete.bash <script> <line>...
source "$1"
shift
for line; do
  # As readline splits a line: at blanks, and at the signs of COMP_WORDBREAKS, which stay words.
  read -ra COMP_WORDS <<<"${line//=/ = }"
  [[ $line == *' ' || $line == *= ]] && COMP_WORDS+=('')
  [[ $line == *= ]] && unset "COMP_WORDS[${#COMP_WORDS[@]}-1]"
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _locus
  echo "${COMPREPLY[*]}"
done
