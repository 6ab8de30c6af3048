# A shell.
{ pkgs ? import <nixpkgs> { }, lib }:
let
  # Adds one.
  add = x: y: x + y;
  helper = { a, b ? 1, ... }@args: add a b;
  value = 1;
in
rec {
  total = xs: lib.foldl' add 0 xs;
  inner.deep = x: x;
  shell = pkgs.mkShell { buildInputs = [ pkgs.hello ]; };
}
