"""Creates a run that continues from another run's checkpoint while the learning rate falls to zero, which makes a good model
of a run without an end. `train` with the new run takes the steps, and can be stopped and continued like any run.
"""

from rows import copy_tokenizer
from runs import load, save


def add_options(add):
    add("--run", required=True, help="run whose last checkpoint is used; it is not changed")
    add("--out", required=True, help="folder of the new run")
    add("--steps", type=int, default=600)


def run(options):
    state = load(options.run)
    if state["cooling"]:
        raise SystemExit(f"{options.run} is already cooled.")
    copy_tokenizer(options.run, options.out)
    save(options.out, {**state, "cooling": {"start": state["step"], "steps": options.steps}})
    print(f"continues from step {state['step']} for {options.steps} steps: train --run {options.out}")
