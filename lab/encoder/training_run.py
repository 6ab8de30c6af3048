"""What a training run keeps: checkpoints, a log, the stages that followed each other, and a running mean of weights."""

import json
import os

import torch


def save(folder, name, state):
    """Writes a checkpoint in one step: a run that is killed meanwhile has the one from before."""
    file = os.path.join(folder, name)
    torch.save(state, file + ".tmp")
    os.replace(file + ".tmp", file)


def log(folder, values):
    line = json.dumps(values)
    print(line, flush=True)
    with open(os.path.join(folder, "log.jsonl"), "a") as stream:
        stream.write(line + "\n")


def note_stage(stages, step, options, unlike):
    """Adds the options to the stages, with the step that they begin at, where they are not those of the last; says
    whether they are not. unlike: names of options that make no stage.
    """
    stage = {name: value for name, value in vars(options).items() if name not in unlike}
    if stages and stages[-1]["options"] == stage:
        return False
    stages.append({"step": step, "options": stage})
    return True


@torch.no_grad()
def average(averaged, module, step, most):
    """Moves a mean of the module's weights, {name: tensor}, on by a step: over all steps while they are few, then over the
    last ones, of what a step leaves being `most`.
    """
    kept = min(most, 1 - 1 / (step + 1))
    state = module.state_dict()
    torch._foreach_lerp_([averaged[name] for name in state], list(state.values()), 1 - kept)
