"""Writes what the reader knows of words: words.txt, the vocabulary of a bag encoder, and neighbours.bin, the words that
its vectors put near each other.

neighbours.bin: how many each word has, uint8 [words]; their lines in words.txt, uint16; their similarities, cosine times
255, uint8; the nearest first, one word after the other.
"""

import os

import numpy as np

from onnx_file import read_constants
from vocabulary import fnv1a32

# Neighbours of a word at most, and the least similarity of them.
MOST, LEAST = 24, 0.28
# Vectors that did not learn are like no other as much as this.
LEARNED = 0.35
BLOCK = 2000
SCALE = 255
# Rarer words, and those that the vocabulary lacks, count as this rare: 2 to its power.
RAREST = 15

# New words that are merged at once.
RECENT = 2000

WORDS, NEIGHBOURS = "words.txt", "neighbours.bin"

# The first that leaves enough of a word is taken off it, (suffix, letters that must be left).
SUFFIXES = [("ations", 3), ("ation", 3), ("ings", 4), ("ing", 4), ("ions", 4), ("ion", 4), ("ies", 3), ("ied", 3), ("ers", 4)]
SUFFIXES += [("es", 4), ("ed", 4), ("er", 4), ("or", 4), ("ly", 4), ("s", 3), ("e", 4), ("y", 4)]


def add_options(add):
    add("--model", required=True, help="folder of a bag encoder")
    add("--out", required=True)


def run(options):
    with open(os.path.join(options.model, "vocab.txt"), encoding="utf-8") as stream:
        words = stream.read().split()
    with open(os.path.join(options.model, "model.int8.onnx"), "rb") as stream:
        vectors = read_constants(stream.read())["vectors"][: len(words)].astype(np.float32)
    os.makedirs(options.out, exist_ok=True)
    counts, near, similar = neighbours(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    with open(os.path.join(options.out, WORDS), "w", encoding="utf-8") as stream:
        stream.write("\n".join(words) + "\n")
    with open(os.path.join(options.out, NEIGHBOURS), "wb") as stream:
        stream.write(counts.tobytes() + near.astype("<u2").tobytes() + similar.tobytes())
    print(f"{len(words)} words, {(counts > 0).sum()} of them with neighbours, {len(near)} in all")


def neighbours(vectors):
    """uint8 [words], uint16 [neighbours] and uint8 [neighbours], as the file has them, of unit vectors."""
    starts = range(0, len(vectors), BLOCK)
    nearest = np.concatenate([_likeness(vectors, vectors, start).max(1) for start in starts])
    learned = np.flatnonzero(nearest > LEARNED)
    counts, made = np.zeros(len(vectors), np.uint8), []
    for start in range(0, len(learned), BLOCK):
        like = _likeness(vectors[learned], vectors[learned], start)
        best = np.argpartition(-like, min(MOST, like.shape[1] - 1), axis=1)[:, :MOST]
        best = np.take_along_axis(best, np.argsort(-np.take_along_axis(like, best, 1), axis=1, kind="stable"), 1)
        values = np.take_along_axis(like, best, 1)
        counts[learned[start : start + BLOCK]] = (values >= LEAST).sum(1)
        made.append((learned[best][values >= LEAST], values[values >= LEAST]))
    near, values = (np.concatenate(of) for of in zip(*made))
    return counts, near.astype(np.uint16), (values * SCALE).astype(np.uint8)


def _likeness(vectors, others, start):
    """Cosines of a block of vectors to all others, 0 to themselves."""
    like = vectors[start : start + BLOCK] @ others.T
    rows = np.arange(len(like))
    like[rows, start + rows] = 0
    return like


def stem(word):
    """A word in lower case without the end that tells its forms apart."""
    for suffix, left in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= left and not (suffix == "s" and word.endswith("ss")):
            return word[: -len(suffix)]
    return word


class Lexicon:
    """What is known of words, by their hashes. folder: what `lexicon` wrote."""

    def __init__(self, folder):
        with open(os.path.join(folder, WORDS), encoding="utf-8") as stream:
            words = stream.read().split()
        self.size = len(words)
        with open(os.path.join(folder, NEIGHBOURS), "rb") as stream:
            data = np.frombuffer(stream.read(), np.uint8)
        self.counts, rest = data[: self.size].astype(np.int64), data[self.size :]
        total = self.counts.sum()
        self.near, self.similar = rest[: 2 * total].view("<u2").astype(np.int64), rest[2 * total :]
        self.first = np.cumsum(self.counts) - self.counts
        # Few new words are not worth merging the arrays.
        self._recent = {}
        self._hashes = np.zeros(0, np.uint32)
        self._lines = np.zeros(0, np.int32)
        self._stems = np.zeros(0, np.uint32)
        self._of_hash = {fnv1a32(word): line for line, word in enumerate(words)}
        self._spell([fnv1a32(word) for word in words], words)

    def learn(self, data, starts, ends, hashes):
        """Takes in the words of bytes."""
        made, first = np.unique(hashes, return_index=True)
        new = ~self._is_known(made)
        new[new] = [of not in self._recent for of in made[new].tolist()]
        spelled = [bytes(data[starts[i] : ends[i]]).decode().lower() for i in first[new]]
        if len(spelled) > RECENT:
            return self._spell(made[new].tolist(), spelled)
        for hashed, word in zip(made[new].tolist(), spelled):
            self._recent[hashed] = self._of_hash.get(hashed, -1), fnv1a32(stem(word))

    def _spell(self, hashes, words):
        lines = [self._of_hash.get(of, -1) for of in hashes]
        stems = [fnv1a32(stem(word)) for word in words]
        self.add(np.array(hashes, np.uint32), np.array(lines, np.int32), np.array(stems, np.uint32))

    def _is_known(self, hashes):
        at = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        return self._hashes[at] == hashes

    def add(self, hashes, lines, stems):
        """Takes in words that were learned before, as of() gives them."""
        made, first = np.unique(np.concatenate([self._hashes, hashes]), return_index=True)
        self._hashes = made
        self._lines = np.concatenate([self._lines, lines])[first]
        self._stems = np.concatenate([self._stems, stems])[first]

    def of(self, hashes):
        """Lines in words.txt, int32, -1 for others, and hashes of stems, uint32, of words that were taken in."""
        at = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        lines, stems = self._lines[at], self._stems[at]
        for place in np.flatnonzero(self._hashes[at] != hashes):
            lines[place], stems[place] = self._recent[int(hashes[place])]
        return lines, stems


def rarity(lines):
    """How rare words are by their lines: the bits that the line takes, at most RAREST; RAREST of words that have none."""
    bits = np.frexp(lines.astype(np.float64) + 1)[1] - 1
    return np.where(lines < 0, RAREST, np.minimum(bits, RAREST)).astype(np.int64)
