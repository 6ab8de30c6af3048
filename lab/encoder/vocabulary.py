"""From words to token ids: a line of vocab.txt, or the bucket of a word or of a pair of words that has none."""

import collections
import os
import pickle

import numpy as np

from words import FNV_OFFSET, FNV_PRIME


def fnv1a32(word):
    value = int(FNV_OFFSET)
    for byte in word.encode():
        value = ((value ^ byte) * int(FNV_PRIME)) & 0xFFFFFFFF
    return value


LENGTHS = 16


class Vocabulary:
    """ids: words by line, buckets of other words, buckets of pairs, one for every issue, one for each length of code."""

    def __init__(self, words, word_buckets, pair_buckets):
        self.words, self.word_buckets, self.pair_buckets = words, word_buckets, pair_buckets
        self.issue = len(words) + word_buckets + pair_buckets
        self.size = self.issue + 1 + LENGTHS
        hashes = np.array([fnv1a32(word) for word in words], np.uint32)
        self._order = np.argsort(hashes, kind="stable")
        self._hashes = hashes[self._order]

    def ids(self, hashes, pair):
        """int32 token ids of features; -1 for a pair when there are no buckets for pairs."""
        at = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        known = self._hashes[at] == hashes
        unknown = len(self.words) + (hashes % np.uint32(self.word_buckets)).astype(np.int32)
        ids = np.where(known, self._order[at].astype(np.int32), unknown)
        if self.pair_buckets == 0:
            return np.where(pair, np.int32(-1), ids)
        first = len(self.words) + self.word_buckets
        return np.where(pair, first + (hashes % np.uint32(self.pair_buckets)).astype(np.int32), ids)


    def length_ids(self, words):
        """int32 token ids for code of this many words: one for each power of two."""
        return (self.issue + 1 + np.minimum(np.log2(1 + words), LENGTHS - 1)).astype(np.int32)


def choose_words(prepared, repositories, size):
    """The words that the most repositories use, the most frequent first among equals."""
    spread, total = collections.Counter(), collections.Counter()
    for name in repositories:
        with open(os.path.join(prepared, name + ".pickle"), "rb") as stream:
            words = pickle.load(stream)["words"]
        total.update(words)
        spread.update(words.keys())
    ranked = sorted(total, key=lambda word: (-min(spread[word], 12), -total[word], word))
    return ranked[:size]
