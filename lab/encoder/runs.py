"""Checkpoints of training runs, and the encoders of runs and of model folders."""

import json
import math
import os

import numpy as np
import torch

from model import FIELDS, Encoder, Vocabulary
from onnx_file import read_constants
from rows import OPTIONAL_FIELDS, read_start
from word_vectors import WordVectors


def save(folder, state):
    """Writes a checkpoint atomically. If the run is killed meanwhile, the previous checkpoint remains."""
    file = os.path.join(folder, "checkpoint.pt")
    torch.save(state, file + ".tmp")
    os.replace(file + ".tmp", file)


def load(folder, device="cpu"):
    """Returns the checkpoint of a run; None if it has none yet."""
    file = os.path.join(folder, "checkpoint.pt")
    return torch.load(file, map_location=device) if os.path.exists(file) else None


def log(folder, values):
    line = json.dumps(values)
    print(line, flush=True)
    with open(os.path.join(folder, "log.jsonl"), "a") as stream:
        stream.write(line + "\n")


def load_runs(runs, identity=0, callees=1):
    """Returns the average of bag encoders that started from the same vectors, and their vocabulary.

    Averaged weights do better than the best run alone (Wortsman et al., Model soups, ICML 2022). runs: folders.
    """
    encoders, vocabularies = zip(*(load_run(run, identity, callees) for run in runs))
    kinds = [(e.dimensions, e.power, v.words) for e, v in zip(encoders, vocabularies)]
    if any(kind != kinds[0] for kind in kinds):
        raise SystemExit(f"{', '.join(runs)} cannot be averaged. They differ in vocabulary, dimensions or power.")

    def average(name):
        return sum(getattr(e, name) for e in encoders) / len(encoders)

    averaged = Encoder(encoders[0].classes, average("vectors"), encoders[0].power)
    averaged.load({name: average(name) for name in averaged.state() if name != "classes"})
    return averaged, vocabularies[0]


def load_run(run, identity=0, callees=1):
    """Returns the bag encoder and the vocabulary of a run.

    identity: multiple of the initial vector to add to every vector. Training moves the vectors of words with similar meanings
    together; this gives occurrences of the word itself more weight again.
    callees: factor of the weight of callees. They matter less for issues than for commit messages.
    """
    state = load(run)
    options = state["options"]
    vectors = WordVectors(state["parts"], options["dimensions"], options["share"], options["seed"])
    first = vectors.joined()
    vectors.load(state["vectors"])
    encoder = Encoder(state["encoder"]["classes"], vectors.joined() + identity * first, options["power"])
    encoder.load(state["encoder"])
    encoder.field[OPTIONAL_FIELDS["callees"]] += math.log(callees)
    return encoder, Vocabulary(run)


class Exported(Encoder):
    """Encoder with a fixed table of token weights, which export.py computed from softplus, fields and lengths."""

    def __init__(self, weights, vectors, power):
        """weights: float [FIELDS, tokens]. vectors: float [tokens, d], all of the same length. power: as in balance()."""
        super().__init__(torch.zeros(len(vectors), dtype=torch.int64), vectors, power)
        self._weights = weights

    def table(self):
        return self._weights

    def use(self, vectors):
        # The lengths of vectors are part of the weights.
        self.vectors, self.norms = vectors, torch.ones(len(vectors))

    def weights(self, bag, table):
        return table[bag.fields, bag.ids] * bag.counts


def load_exported(folder):
    """Returns the bag encoder of a model folder that export.py wrote, and its vocabulary."""
    manifest = read_start(folder)
    with open(os.path.join(folder, manifest["files"]["cpu"]), "rb") as stream:
        constants = read_constants(stream.read())
    buckets = made_rows(manifest["made"]["rows"], manifest["dimensions"]) * np.float32(manifest["made"]["value"])
    vectors = np.concatenate([constants["vectors"], buckets, constants["marks"]]).astype(np.float32)
    weights = torch.from_numpy(constants["weights"].reshape(FIELDS, -1).copy())
    power = -2 * float(constants["power"].reshape(-1)[0])
    return Exported(weights, torch.from_numpy(vectors), power), Vocabulary(folder)


# Numbers of a made row that come from one hash
BITS = 32


def made_rows(count, dimensions):
    """Returns the vectors of buckets: int8 [count, dimensions], each number 1 or -1. They are random and not trained, so that
    model files need not contain them. The engine makes the same ones (made-rows.ts).

    They are the bits, lowest first, of a hash of the position: lowbias32 (Wellons, Prospecting for Hash Functions, 2018).
    dimensions: a multiple of 32.
    """
    x = np.arange(1, count * dimensions // BITS + 1, dtype=np.uint32)
    x = (x ^ x >> 16) * np.uint32(0x7FEB352D)
    x = (x ^ x >> 15) * np.uint32(0x846CA68B)
    x ^= x >> 16
    bits = np.unpackbits(x.astype("<u4").view(np.uint8), bitorder="little")
    return (bits.astype(np.int8) * 2 - 1).reshape(count, dimensions)
