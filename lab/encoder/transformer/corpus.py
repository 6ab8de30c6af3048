"""Prepared tokens, as batches are made of them."""

import os
import pickle

import numpy as np

from corpus import Repository
from transformer.inputs import CALLEE, MAX_TOKENS
from transformer.tokenizer import PAD


class Texts:
    """Token lists in one array. ids: [tokens]. sizes: how many each has."""

    def __init__(self, ids, sizes):
        self.ids, self.sizes = ids, sizes
        self.starts = np.cumsum(sizes, dtype=np.int64) - sizes

    def of(self, number):
        return self.ids[self.starts[number] : self.starts[number] + self.sizes[number]]


def with_callees(ids, types, called, callees, limit):
    """Ids and types of a document, at most so many, of those of its own and of what it calls: numbers among callees, a Texts,
    -1 where there are no more.
    """
    ids = np.concatenate([ids, *(callees.of(callee) for callee in called if callee >= 0)])[:limit]
    context = np.full(max(0, len(ids) - len(types)), CALLEE, np.uint8)
    return ids, np.concatenate([types, context])[:limit]


class Tokens:
    """Tokens of documents and queries that prepare.save_tokens wrote.

    limit: of a document's tokens. callees, paths: whether documents have them. copies: what `copies` wrote; no callee is
    one of them, and copied, bool [documents], says which documents are.
    """

    def __init__(self, target, limit=MAX_TOKENS, callees=True, paths=True, copies=None):
        arrays = np.load(target + ".npz")
        self._limit, self._paths = limit, paths
        self._own = Texts(arrays["own_ids"], arrays["own_sizes"])
        self._own_types = Texts(arrays["own_types"], arrays["own_sizes"])
        self._callees = Texts(arrays["callee_ids"], arrays["callee_sizes"])
        self._called = arrays["called"] if callees else np.full_like(arrays["called"], -1)
        if copies is not None:
            self.copied = np.isin(arrays["digests"], copies)
            dropped = np.append(self.copied[arrays["callee_chunks"]], False)
            self._called = np.where(dropped[self._called], -1, self._called)
        self._queries = Texts(arrays["query_ids"], arrays["query_sizes"])
        self._query_types = Texts(arrays["query_types"], arrays["query_sizes"])
        called = np.append(self._callees.sizes, 0)[self._called].sum(1)
        self.sizes = np.minimum(self._own.sizes + called, limit)
        self.query_sizes = self._queries.sizes

    def document(self, number):
        """Ids and types, uint16 and uint8 [tokens], as inputs.document makes them."""
        ids, types = self._own.of(number), self._own_types.of(number)
        if not self._paths:
            kept = types > 0
            kept[0] = True  # The mark that opens the chunk.
            ids, types = ids[kept], types[kept]
        return with_callees(ids, types, self._called[number], self._callees, self._limit)

    def own(self, number):
        """Ids of a document without its callees."""
        return self._own.of(number)

    def own_types(self, number):
        """Their types."""
        return self._own_types.of(number)

    @property
    def called(self):
        """Numbers of callees of each document, int32 [documents, callees], -1 where there are no more."""
        return self._called

    def callee(self, number):
        """Ids of a callee."""
        return self._callees.of(number)

    def query(self, number):
        """Ids and types of a message as it is."""
        return self._queries.of(number), self._query_types.of(number)


class TokenRepository(Repository):
    """A repository whose chunks are tokens. options: of Tokens; chunks that are copies are in no step."""

    def __init__(self, prepared, name, **options):
        super().__init__(prepared, name)
        self.tokens = Tokens(os.path.join(prepared, name), **options)
        if options.get("copies") is not None:
            self.leave_out(self.tokens.copied)


def load_issues(prepared):
    """Of each repository: Tokens and issues, [{"instance", "candidates", "edited"}], one query each."""
    folder = os.path.join(prepared, "issues")
    for file in sorted(os.listdir(folder) if os.path.exists(folder) else []):
        if file.endswith(".pickle"):
            target = os.path.join(folder, file[: -len(".pickle")])
            with open(target + ".pickle", "rb") as stream:
                yield Tokens(target), pickle.load(stream)["issues"]


# Of a batch's tokens, the most that are padding; and batches of how many tokens need not keep to it.
PADDING, SMALL = 0.1, 1024


def batches(sizes, budget):
    """Groups of texts of like size, the longest first, each of at most so many tokens with padding.

    sizes: tokens of each text. Yields arrays of numbers of texts; a longer text has a batch of its own. A batch ends
    where padding would take more than PADDING of it, unless it is small.
    """
    sizes = np.asarray(sizes)
    order = np.argsort(-sizes, kind="stable")
    start = 0
    while start < len(order):
        longest, total, end = max(1, sizes[order[start]]), 0, start
        while end < len(order) and (end == start or (end - start + 1) * longest <= budget):
            total += sizes[order[end]]
            area = (end - start + 1) * longest
            if end > start and area > SMALL and total < (1 - PADDING) * area:
                break
            end += 1
        yield order[start:end]
        start = end


def pad(texts):
    """Texts, pairs of ids and types, as arrays: ids, types and mask, int64 [texts, length]."""
    length = max([1, *(len(ids) for ids, _ in texts)])
    ids = np.full((len(texts), length), PAD, np.int64)
    types, mask = np.zeros_like(ids), np.zeros_like(ids)
    for row, (of, kinds) in enumerate(texts):
        ids[row, : len(of)], types[row, : len(of)], mask[row, : len(of)] = of, kinds, 1
    return ids, types, mask
