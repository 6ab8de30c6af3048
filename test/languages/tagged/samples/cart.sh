#!/usr/bin/env bash

# Adds one.
# To a cart.
add() {
  local x="$1"
  helper "$x" | sort
  out=$(compute "$x")
}
function total {
  add 1
}
function with_parens() ( cd /; add 2 )
x=1
add "$@"
if foo; then
  inner() { :; }
fi
