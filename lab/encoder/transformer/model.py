"""The transformer encoder: BERT's layers (Devlin et al., NAACL 2019) over tokens, their types and learned positions. The
embedding of a text is the mean over its tokens, normalized to length 1. Chunks and issues share all weights, as in CoRet (Fehr
et al., ACL 2025).
"""

import json
import math
import os

import torch
import torch.nn.functional as F
from torch import nn

from rows import TYPES, read_start, read_tensors

# Standard deviations of random initial weights. Token vectors are larger, positions and types close to zero, so that the mean
# over a text depends on its tokens from the first step, as with random vectors.
WEIGHTS, TOKENS, PLACES = 0.02, 0.1, 0.002
FIRST_TEMPERATURE = 0.05
LEAST_TEMPERATURE = 0.01
NORM_EPSILON = 1e-12
POSITIONS = 320  # Length of the longest text, an issue
# Added to the scores of padding. It is within the range of half precision.
MASKED = -1e4
# Rows of the pretrained vocabulary that initialize the marks [C], [DOWN] and [Q]: start of a text, or separator of two.
BEGINS_AS = {1: 101, 2: 102, 3: 101}


class Attention(nn.Module):
    def __init__(self, dimensions, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dimensions, 3 * dimensions)
        self.out = nn.Linear(dimensions, dimensions)

    def forward(self, x, bias):
        """x: [batch, length, dimensions]. bias: added to the scores, [batch, 1, 1, length], or None."""
        batch, length, dimensions = x.shape
        parts = self.qkv(x).view(batch, length, 3, self.heads, dimensions // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
        # On CPUs, the backward pass of this is much faster than that of PyTorch's fused attention.
        scores = q @ (k / math.sqrt(q.shape[-1])).transpose(2, 3)
        if bias is not None:
            scores = scores + bias.to(scores.dtype)
        mixed = torch.softmax(scores, dim=-1, dtype=torch.float32).to(v.dtype) @ v
        return self.out(mixed.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, dimensions, heads):
        super().__init__()
        self.attention = Attention(dimensions, heads)
        self.after_attention = nn.LayerNorm(dimensions, eps=NORM_EPSILON)
        self.up = nn.Linear(dimensions, 4 * dimensions)
        self.down = nn.Linear(4 * dimensions, dimensions)
        self.after_feed = nn.LayerNorm(dimensions, eps=NORM_EPSILON)

    def forward(self, x, bias):
        x = self.after_attention(x + self.attention(x, bias))
        return self.after_feed(x + self.down(F.gelu(self.up(x))))


class Encoder(nn.Module):
    """shape: {"vocabulary", "dimensions", "layers", "heads", "positions"}, numbers of each.

    There is no dropout, so that a text has one embedding. Tokens are left out of the training texts instead. Positions are
    learned, since in ONNX they are one slice and one addition, on every device.
    """

    def __init__(self, shape):
        super().__init__()
        self.shape = dict(shape)
        dimensions = shape["dimensions"]
        self.tokens = nn.Embedding(shape["vocabulary"], dimensions)
        self.types = nn.Embedding(TYPES, dimensions)
        self.positions = nn.Embedding(shape["positions"], dimensions)
        self.first = nn.LayerNorm(dimensions, eps=NORM_EPSILON)
        self.layers = nn.ModuleList(Layer(dimensions, shape["heads"]) for _ in range(shape["layers"]))
        self.log_temperature = nn.Parameter(torch.tensor(math.log(FIRST_TEMPERATURE)))
        self.initialise()

    def initialise(self):
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=WEIGHTS)
                nn.init.zeros_(module.bias)
        nn.init.normal_(self.tokens.weight, std=TOKENS)
        for embedding in (self.types, self.positions):
            nn.init.normal_(embedding.weight, std=PLACES)

    @property
    def dimensions(self):
        return self.shape["dimensions"]

    def temperature(self):
        return torch.exp(self.log_temperature).clamp(min=LEAST_TEMPERATURE)

    def forward(self, ids, types, mask, tokens=None):
        """Returns unit vectors, float32 [batch, dimensions]. ids, types, mask: int64 [batch, length]. tokens: token vectors, if available."""
        tokens = self.tokens(ids) if tokens is None else tokens
        x = self.first(tokens + self.types(types) + self.positions.weight[: ids.shape[1]])
        if torch.is_autocast_enabled(x.device.type):  # Intermediate values need not be more precise than the products.
            x = x.to(torch.get_autocast_dtype(x.device.type))
        bias = None if mask.all() else (1 - mask[:, None, None, :].to(x.dtype)) * MASKED
        for layer in self.layers:
            x = layer(x, bias)
        return pooled(x, mask)


def pooled(x, mask):
    """Returns the mean over each text's tokens, normalized to length 1: float32 [batch, dimensions]."""
    weights = mask[:, :, None].float()
    return F.normalize((x.float() * weights).sum(1) / weights.sum(1), dim=1)


def pretrained(folder):
    """Returns an Encoder with the weights of a BERT of the transformers library: config.json and model.safetensors.

    All types start with the vector of the first type of the BERT.
    """
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as stream:
        config = json.load(stream)
    _, arrays = read_tensors(os.path.join(folder, "model.safetensors"))
    weights = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
    vocabulary, dimensions = weights["embeddings.word_embeddings.weight"].shape
    shape = {"vocabulary": vocabulary, "dimensions": dimensions, "layers": config["num_hidden_layers"]}
    shape.update(heads=config["num_attention_heads"], positions=POSITIONS)
    encoder = Encoder(shape)
    encoder.load_state_dict({**_renamed(weights, shape), "log_temperature": encoder.log_temperature})
    return encoder


def _renamed(weights, shape):
    tokens = weights["embeddings.word_embeddings.weight"].clone()
    for mark, row in BEGINS_AS.items():
        tokens[mark] = tokens[row]
    named = {
        "tokens.weight": tokens,
        "types.weight": weights["embeddings.token_type_embeddings.weight"][:1].repeat(TYPES, 1),
        "positions.weight": weights["embeddings.position_embeddings.weight"][: shape["positions"]],
    }
    parts = {"after_attention": "attention.output.LayerNorm", "up": "intermediate.dense"}
    parts.update({"attention.out": "attention.output.dense", "down": "output.dense", "after_feed": "output.LayerNorm"})
    for kind in ("weight", "bias"):
        named[f"first.{kind}"] = weights[f"embeddings.LayerNorm.{kind}"]
        for i in range(shape["layers"]):
            of = f"encoder.layer.{i}."
            qkv = [weights[f"{of}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            named[f"layers.{i}.attention.qkv.{kind}"] = torch.cat(qkv)
            for mine, theirs in parts.items():
                named[f"layers.{i}.{mine}.{kind}"] = weights[f"{of}{theirs}.{kind}"]
    return named


def vocabulary_of(folder):
    """Returns the number of tokens of the tokenizer in a folder of rows, a run or a model."""
    with open(os.path.join(folder, read_start(folder)["tokenizer"]["file"]), encoding="utf-8") as stream:
        return len(json.load(stream)["model"]["vocab"])
