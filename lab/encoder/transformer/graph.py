"""The encoder as an ONNX graph: int8 weights for CPUs, floats of either size for GPUs."""

import math
import os

import numpy as np
import torch

from onnx_file import FLOAT, FLOAT16, INT32, INT64, UINT8, model, read_constants
from rows import read_start
from transformer.model import MASKED, NORM_EPSILON, POSITIONS, Encoder, vocabulary_of

LARGEST_BYTE = 127
# Largest weight of "int8-dynamic". Processors without VNNI add products of an unsigned and a signed byte in pairs as 16-bit
# numbers, which overflow with 8-bit weights, but not with 7-bit weights.
LARGEST_DYNAMIC = 63
# Block sizes of weights and activations that share a scale, largest first. Smaller blocks are slower.
BLOCKS = (128, 64, 32, 16)
INT8_COMPUTE = 4  # onnxruntime's accuracy_level in which activations are rounded to int8.
TYPES = {"float32": FLOAT, "float16": FLOAT16, "int8": FLOAT, "int8-dynamic": FLOAT}


def graph(encoder, precision):
    """Returns the bytes of a model. precision: one of TYPES.

    "int8" rounds weights and, at run time, activations to int8, with a scale for each block of a row. A text's embedding does not
    depend on the other texts of its batch. "int8-dynamic" is faster: it has one scale for all activations of a product, so that
    embeddings depend slightly on the batch. Both use onnxruntime's own operators. The other two use standard operators, which all
    devices support.
    """
    build = _Graph(precision)
    build.encoder(encoder)
    text = ["batch", "sequence"]
    return model(
        nodes=build.nodes,
        constants=build.constants,
        inputs={name: (INT64, text) for name in ("input_ids", "attention_mask", "token_type_ids")},
        output=("embedding", ["batch", encoder.dimensions]),
    )


def read_exported(folder, heads, device="gpu"):
    """Returns the Encoder of a model folder, read from its file for GPUs or CPUs, with that file's precision. heads: number of
    attention heads, which the file does not contain.
    """
    manifest = read_start(folder)
    file, dimensions = manifest["files"][device], manifest["dimensions"]
    with open(os.path.join(folder, file), "rb") as stream:
        constants = read_constants(stream.read())
    layers = sum(is_up(constant.shape, dimensions) for constant in constants.values())
    shape = {"vocabulary": vocabulary_of(folder), "dimensions": dimensions, "layers": layers, "heads": heads}
    encoder = Encoder({**shape, "positions": POSITIONS})
    take_weights(encoder, constants, file.split(".")[1])
    return encoder


def is_up(shape, dimensions):
    """Returns true for the weights of a layer that widens: a matrix, or blocks of its rows rounded to int8."""
    return shape == (dimensions, 4 * dimensions) or (len(shape) == 3 and shape[0] == 4 * dimensions)


@torch.no_grad()
def take_weights(encoder, constants, precision):
    """Copies the weights of a model that graph() wrote into an encoder of the same shape. precision: "float16", "float32" or
    "int8".
    """
    build = _Graph(precision)
    if build.dynamic:
        raise SystemExit(f"Training cannot start from weights in {precision}. Use a float16, float32 or int8 model.")
    build.encoder(encoder)
    for blocks, scales, parameter in build.rounded:
        whole = constants[blocks].astype(np.float32) - (128 if constants[blocks].dtype == np.uint8 else 0)
        value = whole * constants[scales].reshape(*whole.shape[:-1], 1)
        parameter.copy_(torch.from_numpy(value.reshape(parameter.shape)))
    for name, parameter, transposed in build.written:
        value = torch.from_numpy(constants[name].astype(np.float32))
        parameter.copy_(value.T if transposed else value)


def product(precision, inner=2048, columns=512):
    """Returns the bytes of a model with one matrix product of random weights, to measure the maximum speed of a machine.

    precision: "float32", or "int8" for unsigned bytes times signed ones.
    """
    rng = np.random.default_rng(0)
    rows = ["rows", columns]
    if precision == "int8":
        weights = rng.integers(-LARGEST_DYNAMIC, LARGEST_DYNAMIC, (inner, columns)).astype(np.int8)
        nodes = [("MatMulInteger", ["values", "weights"], "sums"), ("Cast", ["sums"], "output", {"to": FLOAT})]
        return model(nodes, {"weights": weights}, {"values": (UINT8, ["rows", inner])}, ("output", rows))
    weights = rng.standard_normal((inner, columns)).astype(np.float32)
    nodes = [("MatMul", ["values", "weights"], "output")]
    return model(nodes, {"weights": weights}, {"values": (FLOAT, ["rows", inner])}, ("output", rows))


def quantise(rows, largest):
    """Rounds rows to int8 [n, d]. Returns them with their scales, float32 [n]."""
    scales = np.abs(rows).max(1) / largest
    scales[scales == 0] = 1
    return np.round(rows / scales[:, None]).astype(np.int8), scales.astype(np.float32)


class _Graph:
    def __init__(self, precision):
        self.quantised = precision.startswith("int8")
        self.dynamic = precision == "int8-dynamic"
        self.type = TYPES[precision]
        self.float = np.float16 if precision == "float16" else np.float32
        self.nodes, self.constants = [], {}
        # Floats of the encoder that were written: name of the constant, parameter, and whether it is transposed
        self.written = []
        # Names of int8 weights and of their scales, and the parameter
        self.rounded = []

    def op(self, operator, inputs, outputs=1, **attributes):
        names = [f"{operator.rpartition('.')[2]}{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append((operator, inputs, names, attributes))
        return names[0] if outputs == 1 else names

    def constant(self, value, dtype=None):
        name = f"constant{len(self.constants)}"
        self.constants[name] = np.asarray(value, dtype or self.float)
        return name

    def ints(self, *values):
        return self.constant(values, np.int64)

    def weight(self, parameter, transposed=False):
        value = parameter.detach().numpy()
        name = self.constant(value.T if transposed else value)
        self.written.append((name, parameter, transposed))
        return name

    def encoder(self, encoder):
        x = self.op("Add", [self.tokens(encoder), self.op("Gather", [self.weight(encoder.types.weight), "token_type_ids"])])
        length = self.op("Slice", [self.op("Shape", ["input_ids"]), self.ints(1), self.ints(2)])
        positions = self.op("Slice", [self.weight(encoder.positions.weight), self.ints(0), length, self.ints(0)])
        x = self.norm(encoder.first, self.op("Add", [x, positions]))
        mask = self.mask()
        for layer in encoder.layers:
            x = self.norm(layer.after_attention, self.op("Add", [x, self.attention(layer, x, mask)]))
            x = self.norm(layer.after_feed, self.op("Add", [x, self.feed(layer, x)]))
        self.pool(x)

    def mask(self):
        """Returns the padding mask in the form that attention needs."""
        if self.quantised:
            return self.op("Cast", ["attention_mask"], to=INT32)
        mask = self.op("Cast", ["attention_mask"], to=self.type)
        bias = self.op("Mul", [self.op("Sub", [self.constant(1), mask]), self.constant(MASKED)])
        return self.op("Unsqueeze", [bias, self.ints(1, 2)])

    def tokens(self, encoder):
        table = encoder.tokens.weight.detach().numpy()
        if not self.quantised:
            return self.op("Gather", [self.weight(encoder.tokens.weight), "input_ids"])
        rows, scales = quantise(table, LARGEST_BYTE)
        rows, scales = self.constant(rows, np.int8), self.constant(scales[:, None])
        self.rounded.append((rows, scales, encoder.tokens.weight))
        small, scale = self.op("Gather", [rows, "input_ids"]), self.op("Gather", [scales, "input_ids"])
        return self.op("Mul", [self.op("Cast", [small], to=FLOAT), scale])

    def norm(self, norm, x):
        return self.op("LayerNormalization", [x, self.weight(norm.weight), self.weight(norm.bias)], axis=-1, epsilon=NORM_EPSILON)

    def linear(self, linear, x):
        bias = self.weight(linear.bias)
        weight = linear.weight.detach().numpy()
        if not self.quantised:
            return self.op("Add", [self.op("MatMul", [x, self.weight(linear.weight, transposed=True)]), bias])
        if self.dynamic:
            columns, scales = quantise(weight, LARGEST_DYNAMIC)
            inputs = [x, self.constant(columns.T, np.int8), self.constant(scales), "", bias]
            return self.op("com.microsoft.DynamicQuantizeMatMul", inputs)
        n, k = weight.shape
        size = next(size for size in BLOCKS if k % size == 0)
        blocks, scales = quantise(weight.reshape(-1, size), LARGEST_BYTE)
        blocks = (blocks.astype(np.int16) + 128).reshape(n, k // size, size)
        blocks, scales = self.constant(blocks, np.uint8), self.constant(scales.reshape(n, -1))
        self.rounded.append((blocks, scales, linear.weight))
        inputs = [x, blocks, scales, "", "", bias]
        made = dict(N=n, K=k, bits=8, block_size=size, accuracy_level=INT8_COMPUTE)
        return self.op("com.microsoft.MatMulNBits", inputs, **made)

    def attention(self, layer, x, mask):
        qkv = self.linear(layer.attention.qkv, x)
        q, k, v = self.op("Split", [qkv], 3, axis=-1)
        heads = layer.attention.heads
        if self.quantised:
            mixed = self.op("com.microsoft.MultiHeadAttention", [q, k, v, "", mask], num_heads=heads)
            return self.linear(layer.attention.out, mixed)
        size = layer.attention.out.in_features // heads
        shape = self.ints(0, 0, heads, size)
        q, k, v = (self.op("Reshape", [part, shape]) for part in (q, k, v))
        q = self.op("Mul", [self.op("Transpose", [q], perm=[0, 2, 1, 3]), self.constant(1 / math.sqrt(size))])
        scores = self.op("MatMul", [q, self.op("Transpose", [k], perm=[0, 2, 3, 1])])
        weights = self.op("Softmax", [self.op("Add", [scores, mask])], axis=-1)
        mixed = self.op("MatMul", [weights, self.op("Transpose", [v], perm=[0, 2, 1, 3])])
        mixed = self.op("Reshape", [self.op("Transpose", [mixed], perm=[0, 2, 1, 3]), self.ints(0, 0, heads * size)])
        return self.linear(layer.attention.out, mixed)

    def feed(self, layer, x):
        up = self.linear(layer.up, x)
        if self.quantised:
            return self.linear(layer.down, self.op("com.microsoft.Gelu", [up]))
        erf = self.op("Erf", [self.op("Div", [up, self.constant(math.sqrt(2))])])
        twice = self.op("Mul", [up, self.op("Add", [erf, self.constant(1)])])
        return self.linear(layer.down, self.op("Mul", [twice, self.constant(0.5)]))

    def pool(self, x):
        """Returns the mean over the tokens, normalized to length 1, always in float32."""
        mask = self.op("Cast", ["attention_mask"], to=FLOAT)
        share = self.op("Div", [mask, self.op("ReduceSum", [mask, self.ints(1)], keepdims=1)])
        row = self.op("Unsqueeze", [share, self.ints(1)])
        sums = self.op("MatMul", [row, self.op("Cast", [x], to=FLOAT)])
        mean = self.op("Squeeze", [sums, self.ints(1)])
        self.nodes.append(("LpNormalization", [mean], "embedding", {"axis": 1, "p": 2}))
