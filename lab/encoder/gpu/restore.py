"""Makes a run of a distilled encoder that came back, for `transformer export`: words' vectors are those of the model in full."""

import os

from gpu.checkpoints import read_pieces
from gpu.cross import HEADS
from rows import copy_tokenizer
from runs import save
from transformer.graph import read_exported


def add_options(add):
    add("--checkpoints", required=True, help="folder with the files that `gpu train` wrote")
    add("--model", required=True, help="folder of the model that training started from")
    add("--run", required=True, help="folder to write")
    add("--heads", type=int, default=HEADS, help="number of attention heads of the model")


def run(options):
    made = read_pieces(options.checkpoints, "distilled")
    encoder = read_exported(options.model, options.heads)
    encoder.load_state_dict({**encoder.state_dict(), **{name: value.float() for name, value in made["weights"].items()}})
    os.makedirs(options.run, exist_ok=True)
    copy_tokenizer(options.model, options.run)
    state = encoder.state_dict()
    stages = [{"step": 0, "options": {"distilled": True, "steps": made["step"]}}]
    save(options.run, {"shape": encoder.shape, "encoder": state, "averaged": state, "stages": stages, "step": made["step"]})
