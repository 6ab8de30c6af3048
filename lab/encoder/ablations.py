"""Measures the effect of each part of the recipe with short trainings of equal length, each without one part.

    python3 lab/encoder/ablations.py --rows <folder> --out <folder> --steps 600

Prints a Markdown table of metrics on commits of held-out repositories and on real issues. Trainings that are already in the
folder are not repeated. To train without pairs of words, use rows of `training-rows --pair-buckets 0`.
"""

import argparse
import os
import subprocess
import sys

from evaluate import measure, summary
from runs import load_run

BASE = ["--dimensions", "256", "--paraphrase", "0.1", "--rate", "3e-3"]
BASE += ["--docstrings", "32", "--negatives", "1024"]
VARIANTS = {
    "all of it": [],
    "8 negatives of a query counted": ["--counted", "8"],
    "64 negatives": ["--counted", "64"],
    "256 negatives": ["--counted", "256"],
    "negatives of other repositories": ["--across"],
    "without paths": ["--without", "path"],
    "without callees": ["--without", "callees"],
    "without docstring pairs": ["--docstrings", "0"],
    "words share no parts": ["--share", "0"],
    "fields count by their length": ["--power", "0"],
    "commit messages as they are": ["--without", "issues"],
    "words of few repositories learn too": ["--spread", "1", "--bucket-share", "1"],
    "queries lose shared words": ["--paraphrase", "0.4"],
}
COLUMNS = ["perfect recall@5", "perfect recall@20", "MRR"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", required=True)
    options.add_argument("--out", required=True)
    options.add_argument("--steps", type=int, default=600)
    options = options.parse_args()
    print("| | " + " | ".join(f"{where}: {name}" for where in ("commits", "issues") for name in COLUMNS) + " |")
    print("|---|" + "---:|" * 2 * len(COLUMNS), flush=True)
    for name, arguments in VARIANTS.items():
        run = os.path.join(options.out, name.replace(" ", "-"))
        if not os.path.exists(os.path.join(run, "done")):
            train(run, options, arguments)
        without = arguments[1].split(",") if arguments[:1] == ["--without"] else []
        encoder, _ = load_run(run)
        measured = [summary(ranks) for ranks in measure(encoder, options.rows, without).values()]
        print(f"| {name} | " + " | ".join(f"{of[c]:.3f}" for of in measured for c in COLUMNS) + " |", flush=True)


def train(run, options, arguments):
    script = os.path.join(os.path.dirname(__file__), "train.py")
    command = [sys.executable, script, "--rows", options.rows, "--run", run, "--steps", str(options.steps)]
    os.makedirs(run, exist_ok=True)
    with open(os.path.join(run, "output.txt"), "w") as output:
        subprocess.run([*command, *BASE, *arguments], check=True, stdout=output)
    open(os.path.join(run, "done"), "w").close()


if __name__ == "__main__":
    main()
