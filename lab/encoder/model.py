"""The bag encoder: a text's embedding is the normalized, weighted sum of its words' vectors."""

import os

import numpy as np
import torch
import torch.nn.functional as F

from rows import FIELDS as QUERY_FIELD
from rows import TYPES as FIELDS
from rows import read_start


class Vocabulary:
    """Token ids of a run or a model: words by line, buckets of other words, buckets of pairs, then marks."""

    def __init__(self, folder):
        start = read_start(folder)
        with open(os.path.join(folder, start["tokenizer"]["file"]), encoding="utf-8") as stream:
            self.words = stream.read().split()
        self.word_buckets = start["tokenizer"]["hashBuckets"]
        self.issue = start["marks"]["issue"]  # The first mark
        self.buckets = slice(len(self.words), self.issue)
        self.size = start["marks"]["lengths"] + start["marks"]["lengthCount"]


class Bags(torch.autograd.Function):
    """Sums weighted rows: out[b] = sum of weights[t] * rows[ids[t]] over the tokens t of bag b.

    The backward pass of torch's embedding_bag scatters token by token, which is slow. With tokens sorted by row, the backward
    pass is an embedding_bag again.
    """

    @staticmethod
    def forward(context, rows, weights, ids, offsets, bag):
        context.save_for_backward(rows, weights, ids, offsets, bag)
        return F.embedding_bag(ids, rows, offsets, mode="sum", per_sample_weights=weights)

    @staticmethod
    def backward(context, gradient):
        rows, weights, ids, offsets, bag = context.saved_tensors
        gradient = gradient.contiguous()
        _, order = torch.sort(ids)
        starts = torch.bincount(ids, minlength=len(rows))
        starts = torch.cumsum(starts, 0) - starts
        of_rows = F.embedding_bag(bag[order], gradient, starts, mode="sum", per_sample_weights=weights[order])
        of_weights = torch.ops.aten._embedding_bag_per_sample_weights_backward(
            gradient, rows, ids, offsets, bag, 0, -1
        )
        return of_rows, of_weights, None, None, None


class Bag:
    """rows.Texts as tensors.

    bag: int64 [tokens], number of each token's text. field_of: int64 [tokens], its field among the fields of all texts.
    offsets: int64 [texts], start of each text's tokens.
    """

    def __init__(self, texts):
        self.ids = torch.from_numpy(texts.ids.astype(np.int64))
        self.fields = torch.from_numpy(texts.types.astype(np.int64))
        self.counts = torch.log1p(torch.from_numpy(texts.counts.astype(np.float32)))
        sizes = torch.from_numpy(texts.sizes)
        self.offsets = torch.cumsum(sizes, 0) - sizes
        self.bag = torch.repeat_interleave(torch.arange(len(sizes)), sizes)
        self.field_of = self.bag * QUERY_FIELD + self.fields % QUERY_FIELD


SHORTEST = 1e-8


def balance(weights, norms, bag, power):
    """Divides weights of tokens, float [tokens], by the length of their field to the power of power.

    The length of a field is that of its sum if all its words' vectors were orthogonal. norms: float [tokens], the lengths of
    these vectors. The division keeps a long body from outweighing path and signature.
    """
    squares = torch.zeros(len(bag.offsets) * QUERY_FIELD).index_add(0, bag.field_of, (weights * norms).square())
    return weights * (squares.clamp(min=SHORTEST) ** (-power / 2))[bag.field_of]


CLASSES = 16


def weight_table(token, change, shared, classes):
    """Returns the inputs of softplus for the weights of tokens: float [FIELDS, n].

    token: float [2, n], by side. change: float [FIELDS, n]. shared: float [FIELDS, CLASSES]. classes: int64 [n].
    """
    sides = torch.cat([token[:1].expand(QUERY_FIELD, -1), token[1:].expand(FIELDS - QUERY_FIELD, -1)])
    return sides + change + shared[:, classes]


def weigh(bag, table, field, ids):
    """Returns the weight of each token of a bag: float [tokens]. ids: columns of the tokens in the table."""
    own = table.reshape(-1)[bag.fields * table.shape[1] + ids]
    return F.softplus(own) * torch.exp(field[bag.fields]) * bag.counts


class Encoder:
    """Parameters of the bag encoder: a vector for each token, a temperature, and the parts of a token's weight. The parts are one
    number per side, its change by field, one for all tokens of a class by field, and one for the field.

    classes: int64 [tokens]; tokens of one class are about equally common. vectors: float [tokens, d]. power: as in balance().
    """

    def __init__(self, classes, vectors, power):
        tokens = len(classes)
        self.classes, self.power = classes, power
        self.use(vectors)
        # By side: words of code, words of issues
        self.token = torch.zeros(2, tokens)
        self.change = torch.zeros(FIELDS, tokens)
        self.shared = torch.zeros(FIELDS, CLASSES)
        self.field = torch.zeros(FIELDS)
        self.temperature = torch.tensor(np.log(0.07), dtype=torch.float32)

    def use(self, vectors):
        self.vectors, self.norms = vectors, vectors.norm(dim=1)

    @property
    def dimensions(self):
        return self.vectors.shape[1]

    def table(self):
        return weight_table(self.token, self.change, self.shared, self.classes)

    @torch.no_grad()
    def embed(self, bag, table=None):
        """Returns unit vectors [texts, dimensions]. table: that of the encoder; pass it to avoid computing it for each call."""
        weights = self.weights(bag, self.table() if table is None else table)
        weights = balance(weights, self.norms[bag.ids], bag, self.power)
        sums = F.embedding_bag(bag.ids, self.vectors, bag.offsets, mode="sum", per_sample_weights=weights)
        return F.normalize(sums, dim=1)

    def weights(self, bag, table):
        """Returns the weight of each token of a bag before its fields are balanced: float [tokens]."""
        return weigh(bag, table, self.field, bag.ids)

    def state(self):
        return {name: getattr(self, name) for name in ("classes", "token", "change", "shared", "field", "temperature")}

    def load(self, state):
        for name, value in state.items():
            setattr(self, name, value)
