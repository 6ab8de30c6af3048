"""Checkpoints in half precision, without the words' vectors, which do not learn, in files of limited size."""

import io
import os

import torch

MEGABYTES = 15
ENDING = ".half"


class HalfCheckpoints:
    """For a Trainer: saves the mean of the weights to options.out, as options.name, every options.checkpoint_seconds and at the end."""

    saved = 0.0

    def after_step(self, seconds):
        if seconds - self.saved > self.options.checkpoint_seconds:
            self.saved = seconds
            self.save()

    def save(self):
        fixed = {name for name, p in self.module.named_parameters() if not p.requires_grad}
        state = {name: value.half().cpu() for name, value in self.averaged.items() if name not in fixed}
        write_pieces(self.options.out, self.options.name, {"shape": self.encoder.shape, "step": self.steps_taken, "weights": state})


def write_pieces(folder, name, state):
    """Writes <name>.0.half, <name>.1.half, ... Each is replaced in one step."""
    content = io.BytesIO()
    torch.save(state, content)
    size = int(MEGABYTES * 1e6)
    for number, start in enumerate(range(0, content.tell(), size)):
        file = os.path.join(folder, f"{name}.{number}{ENDING}")
        with open(file + ".partial", "wb") as stream:
            stream.write(content.getvalue()[start : start + size])
        os.replace(file + ".partial", file)


def read_pieces(folder, name):
    """Returns the state that write_pieces wrote. Raises FileNotFoundError without one."""
    parts = sorted(file for file in os.listdir(folder) if file.startswith(f"{name}.") and file.endswith(ENDING))
    if not parts:
        raise FileNotFoundError(f"{folder} has no checkpoint {name}.")
    content = b""
    for part in parts:
        with open(os.path.join(folder, part), "rb") as stream:
            content += stream.read()
    return torch.load(io.BytesIO(content))
