"""Writes a reader that the engine runs: reader.onnx, reader.json, what it knows of words; and what the tests compare the
engine with.
"""

import json
import os
import shutil

import numpy as np

from export import digest
from onnx_file import FLOAT, INT64, model
from reader.evaluate import load
from reader.features import ISSUE_FEATURES, TOKEN_FEATURES
from reader.fixture import fixture
from reader.lexicon import NEIGHBOURS, WORDS, Lexicon
from reader.model import LOGITS

# Added to the logits of padding.
MASKED = -1e4
END = np.iinfo(np.int64).max
FILE = "reader.onnx"


def add_options(add):
    add("--run", required=True, help="folder of train")
    add("--weights", default="best.pt", help="file of it")
    add("--lexicon", required=True)
    add("--out", required=True)
    add("--id", required=True)
    add("--version", required=True)
    add("--trained-on", help="a sentence")
    add("--fixture", help="JSON file for the tests")


def run(options):
    reader = load(os.path.join(options.run, options.weights))
    os.makedirs(options.out, exist_ok=True)
    for name in (WORDS, NEIGHBOURS):
        shutil.copyfile(os.path.join(options.lexicon, name), os.path.join(options.out, name))
    with open(os.path.join(options.out, FILE), "wb") as stream:
        stream.write(graph(reader))
    made = {
        "kind": "reader",
        "id": options.id,
        "version": options.version,
        "files": {"model": FILE, "words": WORDS, "neighbours": NEIGHBOURS},
        "sha256": {name: digest(os.path.join(options.out, name)) for name in (FILE, WORDS, NEIGHBOURS)},
        "licence": "MIT",
        **({"trainedOn": options.trained_on} if options.trained_on else {}),
    }
    with open(os.path.join(options.out, "reader.json"), "w") as stream:
        stream.write(json.dumps(made, indent=2) + "\n")
    if options.fixture:
        with open(options.fixture, "w") as stream:
            stream.write(json.dumps(fixture(reader, Lexicon(options.lexicon))) + "\n")


def graph(reader):
    """The bytes of a model of candidates padded to the same length, of which mask, 1 or 0, says what are words."""
    build = _Graph()
    build.reader(reader)
    words, pairs = ["candidates", "words"], ["candidates", "issue_words"]
    return model(
        nodes=build.nodes,
        constants=build.constants,
        inputs={
            "tokens": (FLOAT, [*words, TOKEN_FEATURES]),
            "kinds": (INT64, words),
            "mask": (FLOAT, [*words, 1]),
            "issue": (FLOAT, [*pairs, ISSUE_FEATURES]),
        },
        output=("scores", ["candidates"]),
    )


class _Graph:
    def __init__(self):
        self.nodes, self.constants = [], {}

    def op(self, operator, inputs, output=None, **attributes):
        name = output or f"{operator}{len(self.nodes)}"
        self.nodes.append((operator, inputs, name, attributes))
        return name

    def constant(self, value, dtype=np.float32):
        name = f"constant{len(self.constants)}"
        self.constants[name] = np.asarray(value, dtype)
        return name

    def ints(self, *values):
        return self.constant(values, np.int64)

    def weight(self, parameter):
        return self.constant(parameter.detach().numpy())

    def linear(self, linear, x):
        product = self.op("MatMul", [x, self.constant(linear.weight.detach().numpy().T)])
        return self.op("Add", [product, self.weight(linear.bias)])

    def relu(self, linear, x):
        return self.op("Relu", [self.linear(linear, x)])

    def norm(self, norm, x):
        return self.op("LayerNormalization", [x, self.weight(norm.weight), self.weight(norm.bias)], axis=-1, epsilon=norm.eps)

    def reader(self, reader):
        kinds = self.op("Gather", [self.weight(reader.kinds.weight), "kinds"])
        x = self.op("Add", [self.linear(reader.first, "tokens"), kinds])
        for layer in reader.layers:
            x = self.layer(layer, x)
        read = self.pool(reader.pool, self.norm(reader.norm, x), "mask")
        y = self.relu(reader.issue_second, self.relu(reader.issue_first, "issue"))
        ones = self.op("Slice", ["issue", self.ints(0), self.ints(1), self.ints(2)])
        ones = self.op("Add", [self.op("Mul", [ones, self.constant(0)]), self.constant(1)])
        asked = self.pool(reader.issue_pool, y, ones)
        both = self.op("Concat", [read, asked], axis=1)
        self.op("Squeeze", [self.linear(reader.score, self.relu(reader.hidden, both)), self.ints(1)], "scores")

    def layer(self, layer, x):
        h = self.op("Mul", [self.norm(layer.norm, x), "mask"])
        padded = self.op("Pad", [h, self.ints(0, layer.dilation, 0, 0, layer.dilation, 0)])
        before = self.op("Slice", [padded, self.ints(0), self.ints(-2 * layer.dilation), self.ints(1)])
        after = self.op("Slice", [padded, self.ints(2 * layer.dilation), self.ints(END), self.ints(1)])
        near = self.op("Concat", [before, h, after], axis=2)
        return self.op("Add", [x, self.linear(layer.out, self.relu(layer.mix, near))])

    def pool(self, pool, x, mask):
        logits = self.op("Clip", [self.linear(pool.attention, x), self.constant(-LOGITS), self.constant(LOGITS)])
        away = self.op("Mul", [self.op("Sub", [self.constant(1), mask]), self.constant(MASKED)])
        weights = self.op("Softmax", [self.op("Add", [logits, away])], axis=1)
        weights = self.op("Mul", [weights, mask])  # A candidate without words has no weights at all.
        heads, size = pool.attention.out_features, pool.attention.in_features // pool.attention.out_features
        weights = self.op("Unsqueeze", [self.op("Transpose", [weights], perm=[0, 2, 1]), self.ints(2)])
        slices = self.op("Transpose", [self.op("Reshape", [x, self.ints(0, 0, heads, size)])], perm=[0, 2, 1, 3])
        weighed = self.op("Reshape", [self.op("MatMul", [weights, slices]), self.ints(0, heads * size)])
        total = self.op("ReduceSum", [self.op("Mul", [x, mask]), self.ints(1)], keepdims=0)
        count = self.op("Max", [self.op("ReduceSum", [mask, self.ints(1)], keepdims=0), self.constant(1)])
        return self.op("Concat", [weighed, self.op("Div", [total, count])], axis=1)
