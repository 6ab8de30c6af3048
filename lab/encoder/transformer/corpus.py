"""Prepared tokens, as batches are made of them."""

import os
import pickle

import numpy as np

from corpus import Repository
from transformer.inputs import CONTEXT, MAX_TOKENS
from transformer.tokenizer import PAD


class Tokens:
    """Tokens of documents and queries that prepare.save_tokens wrote."""

    def __init__(self, target):
        arrays = np.load(target + ".npz")
        # A callee's type is its own; documents and callees are in one array, so that a text is a list of ranges of it.
        self._ids = np.concatenate([arrays["own"], arrays["callees"]])
        self._starts = np.concatenate([arrays["own_offsets"][:-1], arrays["callee_offsets"][:-1] + len(arrays["own"])])
        self._sizes = np.concatenate([np.diff(arrays["own_offsets"]), np.diff(arrays["callee_offsets"])])
        own = len(arrays["own_offsets"]) - 1
        self._called = np.where(arrays["called"] < 0, -1, arrays["called"] + own)
        self._queries, self._query_offsets = arrays["queries"], arrays["query_offsets"]
        called_sizes = np.where(self._called < 0, 0, self._sizes[self._called])
        self.sizes = np.minimum(self._sizes[:own] + called_sizes.sum(1), MAX_TOKENS)
        self.query_sizes = np.diff(self._query_offsets)

    def document(self, number):
        """Ids and types, uint16 and uint8 [tokens], as inputs.document makes them."""
        parts = [number, *(c for c in self._called[number] if c >= 0)]
        ids = np.concatenate([self._ids[self._starts[p] : self._starts[p] + self._sizes[p]] for p in parts])[:MAX_TOKENS]
        types = np.full(len(ids), CONTEXT, np.uint8)
        types[: self._sizes[number]] = 0
        return ids, types

    def query(self, number):
        """Ids and types of a message, or of a docstring after all messages."""
        ids = self._queries[self._query_offsets[number] : self._query_offsets[number + 1]]
        return ids, np.zeros(len(ids), np.uint8)


class TokenRepository(Repository):
    """A repository whose chunks are tokens."""

    def __init__(self, prepared, name):
        super().__init__(prepared, name)
        self.tokens = Tokens(os.path.join(prepared, name))


def load_issues(prepared):
    """Of each repository: Tokens and issues, [{"instance", "candidates", "edited"}], one query each."""
    folder = os.path.join(prepared, "issues")
    for file in sorted(os.listdir(folder) if os.path.exists(folder) else []):
        if file.endswith(".pickle"):
            target = os.path.join(folder, file[: -len(".pickle")])
            with open(target + ".pickle", "rb") as stream:
                yield Tokens(target), pickle.load(stream)["issues"]


# A batch's shortest text is at least so long as this share of its longest, but for texts of few tokens.
LIKE_SIZE, FEW = 0.75, 32


def batches(sizes, budget):
    """Groups of texts of like size, the longest first, each of at most so many tokens with padding.

    sizes: tokens of each text. Yields arrays of numbers of texts; a longer text has a batch of its own.
    """
    sizes = np.asarray(sizes)
    order = np.argsort(-sizes, kind="stable")
    falling = -sizes[order]
    start = 0
    while start < len(order):
        longest = max(1, -int(falling[start]))
        alike = np.searchsorted(falling, -LIKE_SIZE * longest if longest > FEW else 0, side="right")
        end = min(alike, start + max(1, budget // longest))
        yield order[start:end]
        start = end


def pad(texts, multiple=8):
    """Texts, pairs of ids and types, as arrays: ids, types and mask, int64 [texts, length].

    multiple: of which the length is one, as tensor cores like it.
    """
    length = max(1, *(len(ids) for ids, _ in texts))
    length = -(-length // multiple) * multiple
    ids = np.full((len(texts), length), PAD, np.int64)
    types, mask = np.zeros_like(ids), np.zeros_like(ids)
    for row, (of, kinds) in enumerate(texts):
        ids[row, : len(of)], types[row, : len(of)], mask[row, : len(of)] = of, kinds, 1
    return ids, types, mask
