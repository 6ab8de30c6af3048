"""Runs a step on a machine with a GPU: python3 encoder/gpu <command> --help. `pack.ts` makes the folder that it runs in."""

import argparse
import importlib
import os
import sys

# The encoders share modules in the parent folder, where this package is imported from.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

COMMANDS = ["providers", "train", "restore"]


def main():
    chooser = argparse.ArgumentParser(description=__doc__, add_help=len(sys.argv) < 3)
    chooser.add_argument("command", choices=COMMANDS)
    chosen, rest = chooser.parse_known_args()
    # Imported late, so that a report can say which package is missing.
    module = importlib.import_module(f"gpu.{chosen.command}")
    parser = argparse.ArgumentParser(
        prog=f"gpu {chosen.command}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_options(parser.add_argument)
    module.run(parser.parse_args(rest))


if __name__ == "__main__":
    main()
