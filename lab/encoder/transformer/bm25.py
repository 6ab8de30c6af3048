"""BM25 (Robertson and Zaragoza, 2009) over token ids, to find hard negatives."""

import numpy as np

K1, B = 1.2, 0.75


class Index:
    """documents: int arrays, the token ids of each. A posting takes 8 bytes, since training holds the indexes of all its
    repositories in memory.
    """

    def __init__(self, documents):
        sizes = np.array([len(of) for of in documents])
        rows = np.repeat(np.arange(len(documents)), sizes)
        width = len(documents)
        pairs, counts = np.unique(np.concatenate(documents).astype(np.int64) * width + rows, return_counts=True)
        tokens, rows = pairs // width, pairs % width
        self._tokens, starts, held = np.unique(tokens, return_index=True, return_counts=True)
        self._ends = starts + held
        self._starts = starts
        length = K1 * (1 - B + B * sizes[rows] / sizes.mean())
        rarity = np.log1p((width - held + 0.5) / (held + 0.5))
        weights = counts * (K1 + 1) / (counts + length) * np.repeat(rarity, held)
        self._rows, self._weights = rows.astype(np.int32), weights.astype(np.float32)
        self._width = width

    def scores(self, query):
        """Returns the score of each document: float64 [documents]. query: token ids; each counts once."""
        wanted = np.unique(query)
        at = np.searchsorted(self._tokens, wanted)
        at = at[(at < len(self._tokens)) & (self._tokens[np.minimum(at, len(self._tokens) - 1)] == wanted)]
        postings = np.concatenate([np.arange(self._starts[i], self._ends[i]) for i in at]) if len(at) else np.zeros(0, int)
        return np.bincount(self._rows[postings], self._weights[postings], self._width)
