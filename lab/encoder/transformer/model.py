"""The transformer encoder: pre-norm layers over tokens, their types and learned positions; the mean over a text's tokens,
of length 1, is its embedding. Chunks and issues share all weights, as in CoRet (Fehr et al., ACL 2025).
"""

import math

import torch
import torch.nn.functional as F
from torch import nn

from transformer.tokenizer import MASK

# Prefixes of an embedding that stand alone (Kusupati et al., Matryoshka, NeurIPS 2022), as shares of its dimensions.
PREFIXES = (1, 1 / 2, 1 / 4)
# Standard deviations of first weights. Tokens are the larger, positions and types next to nothing: then the mean over a
# text tells it from others by its tokens, as random vectors do, from the first step. With all at 0.02, texts begin with a
# mean similarity of 0.9, and the second stage makes them all equal before it learns.
WEIGHTS, TOKENS, PLACES = 0.02, 0.1, 0.002
FIRST_TEMPERATURE = 0.05
LEAST_TEMPERATURE = 0.01
# Added to the scores of padding; within the range of half precision.
MASKED = -1e4


class Attention(nn.Module):
    def __init__(self, dimensions, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dimensions, 3 * dimensions)
        self.out = nn.Linear(dimensions, dimensions)

    def forward(self, x, bias):
        """x: [batch, length, dimensions]. bias: what is added to scores, [batch, 1, 1, length]."""
        batch, length, dimensions = x.shape
        split = self.qkv(x).view(batch, length, 3, self.heads, dimensions // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = split.unbind(0)
        if hasattr(F, "scaled_dot_product_attention"):
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        else:
            scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1]) + bias
            mixed = torch.softmax(scores, dim=-1).to(v.dtype) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, length, dimensions))


class Layer(nn.Module):
    def __init__(self, dimensions, heads):
        super().__init__()
        self.before_attention = nn.LayerNorm(dimensions)
        self.attention = Attention(dimensions, heads)
        self.before_feed = nn.LayerNorm(dimensions)
        self.up = nn.Linear(dimensions, 4 * dimensions)
        self.down = nn.Linear(4 * dimensions, dimensions)

    def forward(self, x, bias):
        x = x + self.attention(self.before_attention(x), bias)
        return x + self.down(F.gelu(self.up(self.before_feed(x))))


class Encoder(nn.Module):
    """shape: {"vocabulary", "dimensions", "layers", "heads", "positions"}, numbers of each.

    There is no dropout: a text has one embedding, whichever pass makes it, and data is drawn with gaps instead.
    Positions are learned: in ONNX they are one slice and one addition, on every device.
    """

    def __init__(self, shape):
        super().__init__()
        self.shape = dict(shape)
        dimensions = shape["dimensions"]
        self.tokens = nn.Embedding(shape["vocabulary"], dimensions)
        self.types = nn.Embedding(2, dimensions)
        self.positions = nn.Embedding(shape["positions"], dimensions)
        self.layers = nn.ModuleList(Layer(dimensions, shape["heads"]) for _ in range(shape["layers"]))
        self.last = nn.LayerNorm(dimensions)
        # What guesses masked tokens; not part of the encoder that is exported.
        self.guess = nn.Sequential(nn.Linear(dimensions, dimensions), nn.GELU(), nn.LayerNorm(dimensions))
        self.guess_bias = nn.Parameter(torch.zeros(shape["vocabulary"]))
        self.log_temperature = nn.Parameter(torch.tensor(math.log(FIRST_TEMPERATURE)))
        self.initialise()

    def initialise(self):
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=WEIGHTS)
                nn.init.zeros_(module.bias)
        for layer in self.layers:  # The sum of all layers' outputs stays as large as that of one (Radford et al., 2019).
            for linear in (layer.attention.out, layer.down):
                nn.init.normal_(linear.weight, std=WEIGHTS / math.sqrt(2 * len(self.layers)))
        nn.init.normal_(self.tokens.weight, std=TOKENS)
        for embedding in (self.types, self.positions):
            nn.init.normal_(embedding.weight, std=PLACES)

    @property
    def dimensions(self):
        return self.shape["dimensions"]

    def temperature(self):
        return torch.exp(self.log_temperature).clamp(min=LEAST_TEMPERATURE)

    def hidden(self, ids, types, mask):
        """float [batch, length, dimensions] of int64 [batch, length] each."""
        x = self.tokens(ids) + self.types(types) + self.positions.weight[: ids.shape[1]]
        bias = (1 - mask[:, None, None, :].to(x.dtype)) * MASKED
        for layer in self.layers:
            x = layer(x, bias)
        return self.last(x)

    def forward(self, ids, types, mask):
        """Unit vectors, float32 [batch, dimensions]."""
        x = self.hidden(ids, types, mask).float()
        weights = mask[:, :, None].float()
        return F.normalize((x * weights).sum(1) / weights.sum(1), dim=1)

    def masked_loss(self, ids, types, mask, share, generator=None):
        """Cross-entropy of a share of the tokens, each seen as [MASK], from the others (Devlin et al., NAACL 2019).

        All are masked, none is kept or exchanged for another: with three in ten masked that does as well (Wettig et
        al., EACL 2023).
        """
        drawn = torch.rand(ids.shape, device=ids.device, generator=generator) < share
        # The first token says what kind of text it is.
        drawn[:, 0] = False
        hidden_ids = drawn & (mask > 0)
        states = self.hidden(ids.masked_fill(hidden_ids, MASK), types, mask)[hidden_ids]
        if len(states) == 0:
            return states.sum()
        scores = self.guess(states) @ self.tokens.weight.to(states.dtype).T + self.guess_bias
        return F.cross_entropy(scores.float(), ids[hidden_ids])


def matryoshka(loss, queries, documents):
    """The mean of loss(similarities) over the prefixes: float [q, d] and [n, d], unit vectors; similarities [q, n]."""
    losses = []
    for share in PREFIXES:
        size = int(queries.shape[1] * share)
        losses.append(loss(F.normalize(queries[:, :size], dim=1) @ F.normalize(documents[:, :size], dim=1).T))
    return sum(losses) / len(losses)
