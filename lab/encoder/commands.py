"""A package's commands as one command line."""

import argparse
import importlib
import sys


def run_command(description, package, commands):
    """Runs the module of the package that the first argument names, one of commands, with the options that it adds."""
    chooser = argparse.ArgumentParser(description=description, add_help=len(sys.argv) < 3)
    chooser.add_argument("command", choices=commands)
    chosen, rest = chooser.parse_known_args()
    # Only now, as not every command needs PyTorch.
    module = importlib.import_module(f"{package}.{chosen.command}")
    parser = argparse.ArgumentParser(
        prog=f"{package} {chosen.command}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_options(parser.add_argument)
    module.run(parser.parse_args(rest))
