"""Begins a run that ends: it goes on from another's checkpoint while the rate falls to nothing, which is what makes a
good model of a run that may always go on. `train` with the new run takes its steps, and may be stopped like any other.
"""

from rows import copy_start
from runs import load, save


def add_options(add):
    add("--run", required=True, help="of which the last checkpoint is taken; it is not changed")
    add("--out", required=True, help="folder of the new run")
    add("--steps", type=int, default=600)


def run(options):
    state = load(options.run)
    if state["cooling"]:
        raise SystemExit(f"{options.run} has cooled already")
    copy_start(options.run, options.out)
    save(options.out, {**state, "cooling": {"start": state["step"], "steps": options.steps}})
    print(f"goes on from step {state['step']} for {options.steps} steps: train --run {options.out}")
