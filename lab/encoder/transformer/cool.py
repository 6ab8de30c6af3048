"""Begins a run that ends: it goes on from another's checkpoint while the rate falls to nothing, which is what makes a
good model of a run that may always go on. `train` with the new run takes its steps, and may be stopped like any other.
"""

import os
import shutil

import torch

from training_run import save


def add_options(add):
    add("--run", required=True, help="of which the last checkpoint is taken; it is not changed")
    add("--out", required=True, help="folder of the new run")
    add("--steps", type=int, default=600)


def run(options):
    state = torch.load(os.path.join(options.run, "checkpoint.pt"), map_location="cpu")
    if state["cooling"]:
        raise SystemExit(f"{options.run} has cooled already")
    os.makedirs(options.out)
    shutil.copy(os.path.join(options.run, "tokenizer.json"), options.out)
    save(options.out, "checkpoint.pt", {**state, "cooling": {"start": state["step"], "steps": options.steps}})
    print(f"goes on from step {state['step']} for {options.steps} steps: train --run {options.out}")
