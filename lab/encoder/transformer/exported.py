"""Reads a model folder back, so that training goes on from a model as it ships."""

import json
import os

from onnx_file import read_constants
from transformer.graph import take_weights
from transformer.model import POSITIONS, Encoder
from transformer.tokenizer import Tokenizer


def is_exported(folder):
    return os.path.exists(os.path.join(folder, "model.json"))


def read_exported(folder, heads):
    """The Encoder of a folder that export.py wrote, by its file for GPUs, and so as precise as that is. heads: of attention,
    which the file does not tell."""
    with open(os.path.join(folder, "model.json"), encoding="utf-8") as stream:
        manifest = json.load(stream)
    file = manifest["files"]["gpu"]
    with open(os.path.join(folder, file), "rb") as stream:
        constants = read_constants(stream.read())
    dimensions = manifest["dimensions"]
    layers = sum(constant.shape == (dimensions, 4 * dimensions) for constant in constants.values())
    vocabulary = Tokenizer.read(os.path.join(folder, manifest["tokenizer"]["file"])).size
    shape = {"vocabulary": vocabulary, "dimensions": dimensions, "layers": layers, "heads": heads}
    encoder = Encoder({**shape, "positions": POSITIONS})
    take_weights(encoder, constants, file.split(".")[1])
    return encoder
