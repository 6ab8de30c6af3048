"""Runs the steps of the transformer encoder: python3 lab/encoder/transformer <command> --help."""

import argparse
import importlib
import os
import sys

# The encoders share modules in the parent folder, where this package is imported from.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

COMMANDS = ["beside", "train", "train_gpu", "cool", "evaluate", "score", "export", "teach", "split", "join"]


def main():
    chooser = argparse.ArgumentParser(description=__doc__, add_help=len(sys.argv) < 3)
    chooser.add_argument("command", choices=COMMANDS)
    chosen, rest = chooser.parse_known_args()
    # Imported late, since not every command needs PyTorch.
    module = importlib.import_module(f"transformer.{chosen.command}")
    parser = argparse.ArgumentParser(
        prog=f"transformer {chosen.command}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_options(parser.add_argument)
    module.run(parser.parse_args(rest))


if __name__ == "__main__":
    main()
