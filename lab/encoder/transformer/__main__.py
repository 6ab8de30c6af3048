"""The transformer encoder, step by step: python3 lab/encoder/transformer <command> --help."""

import os
import sys

# The encoders share modules, and this one's are a package among them.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

COMMANDS = ["copies", "prepare", "beside", "train", "pack", "train_packed", "cool", "evaluate", "pool", "score", "export"]
COMMANDS += ["teach", "split", "join"]

if __name__ == "__main__":
    from commands import run_command

    run_command(__doc__, "transformer", COMMANDS)
