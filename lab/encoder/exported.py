"""Reads a model folder back, so that models that were exported are measured as they ship, next to runs."""

import json
import os

import numpy as np
import torch

from made_rows import made_rows
from model import FIELDS, Encoder
from onnx_file import read_constants
from vocabulary import Vocabulary


class Exported(Encoder):
    """An encoder whose weights of tokens are a table already: what export.py made of softplus, fields and lengths."""

    def __init__(self, weights, vectors, power):
        """weights: float [FIELDS, tokens]. vectors: float [tokens, d], all of one length. power: of balance."""
        super().__init__(torch.zeros(len(vectors), dtype=torch.int64), vectors, power)
        self._weights = weights

    def table(self):
        return self._weights

    def use(self, vectors):
        # Their lengths are part of the weights.
        self.vectors, self.norms = vectors, torch.ones(len(vectors))

    def weights(self, bag, table):
        return table[bag.fields, bag.ids] * bag.counts


def load_exported(folder):
    """The encoder of a model folder that export.py wrote, and its vocabulary."""
    with open(os.path.join(folder, "model.json"), encoding="utf-8") as stream:
        manifest = json.load(stream)
    with open(os.path.join(folder, manifest["files"]["cpu"]), "rb") as stream:
        constants = read_constants(stream.read())
    tokenizer, made = manifest["tokenizer"], manifest["made"]
    with open(os.path.join(folder, tokenizer["file"]), encoding="utf-8") as stream:
        vocabulary = Vocabulary(stream.read().split(), tokenizer["hashBuckets"], tokenizer["pairBuckets"])
    buckets = made_rows(made["rows"], manifest["dimensions"]) * np.float32(made["value"])
    vectors = np.concatenate([constants["vectors"], buckets, constants["marks"]]).astype(np.float32)
    weights = torch.from_numpy(constants["weights"].reshape(FIELDS, -1).copy())
    power = -2 * float(constants["power"].reshape(-1)[0])
    return Exported(weights, torch.from_numpy(vectors), power), vocabulary
