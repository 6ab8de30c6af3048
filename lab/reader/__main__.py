"""The match-aware reader, step by step: python3 lab/reader <command> --help."""

import argparse
import importlib
import os
import sys

# What it shares with the encoders lies beside it.
LAB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:1] = [os.path.join(LAB, "encoder"), LAB]

COMMANDS = ["lexicon", "prepare", "train", "evaluate", "pooled", "export"]


def main():
    chooser = argparse.ArgumentParser(description=__doc__, add_help=len(sys.argv) < 3)
    chooser.add_argument("command", choices=COMMANDS)
    chosen, rest = chooser.parse_known_args()
    # Only now, as not every command needs PyTorch.
    module = importlib.import_module("reader." + chosen.command)
    parser = argparse.ArgumentParser(
        prog=f"reader {chosen.command}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_options(parser.add_argument)
    module.run(parser.parse_args(rest))


if __name__ == "__main__":
    main()
