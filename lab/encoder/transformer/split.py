"""Cuts data, checkpoints and models in pieces that `join` puts back."""

from transformer.pieces import split


def add_options(add):
    add("paths", nargs="+", help="files and folders")
    add("--out", required=True, help="folder for the pieces")
    add("--megabytes", type=float, default=59, help="size of a piece")


def run(options):
    split(options.paths, options.out, int(options.megabytes * 1e6))
