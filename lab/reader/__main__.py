"""The match-aware reader, step by step: python3 lab/reader <command> --help."""

import os
import sys

# What it shares with the encoders lies beside it.
LAB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:1] = [os.path.join(LAB, "encoder"), LAB]

COMMANDS = ["lexicon", "prepare", "train", "evaluate", "pooled", "export"]

if __name__ == "__main__":
    from commands import run_command

    run_command(__doc__, "reader", COMMANDS)
