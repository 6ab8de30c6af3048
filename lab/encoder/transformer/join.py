"""Puts back what `split` cut, and checks every digest."""

from transformer.pieces import join


def add_options(add):
    add("pieces", help="folder of split")
    add("--out", required=True, help="folder for what was split")


def run(options):
    join(options.pieces, options.out)
