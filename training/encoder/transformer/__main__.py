"""The transformer encoder, step by step: python3 training/encoder/transformer <command> --help."""

import argparse
import importlib
import os
import sys

# The encoders share modules, and this one's are a package among them.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

COMMANDS = ["prepare", "train", "evaluate", "export", "teach", "split", "join"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="|".join(COMMANDS))
    modules = {}
    for name in COMMANDS:
        modules[name] = importlib.import_module("transformer." + name)
        summary = modules[name].__doc__
        command = commands.add_parser(name, description=summary, formatter_class=argparse.RawDescriptionHelpFormatter)
        modules[name].add_options(command.add_argument)
    options = parser.parse_args()
    modules[options.command].run(options)


if __name__ == "__main__":
    main()
