"""Cuts texts into words and counts them, exactly as src/engine/encode/kinds/bag.ts does.

Works on whole corpora at once: every step is a numpy operation over all bytes or all words of many texts.
"""

import numpy as np

FNV_OFFSET = np.uint32(0x811C9DC5)
FNV_PRIME = np.uint32(0x01000193)

OTHER, LOWER, UPPER, DIGIT = 0, 1, 2, 3
CLASS = np.zeros(256, np.uint8)
CLASS[ord("0") : ord("9") + 1] = DIGIT
CLASS[ord("A") : ord("Z") + 1] = UPPER
CLASS[ord("a") : ord("z") + 1] = LOWER

# Two words are a pair when nothing stands between them but one or two of these.
JOINT = np.zeros(256, bool)
JOINT[[ord(c) for c in "_./-"]] = True
MAX_GAP = 2


class Features:
    """Words and pairs of words of many texts, in the order of the texts.

    text: int64 [n], index of the text; hash: uint32 [n]; pair: bool [n]; count: int64 [n], how often it occurs.
    words: int64 [texts], words read of each text.
    """

    def __init__(self, text, hash, pair, count, words):
        self.text, self.hash, self.pair, self.count, self.words = text, hash, pair, count, words


def find_words(data):
    """Starts and ends of the words in bytes, by the pattern [A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+."""
    kind = CLASS[data]
    before = np.concatenate(([OTHER], kind[:-1]))
    after = np.concatenate((kind[1:], [OTHER]))
    changes = kind != before
    start = (kind != OTHER) & changes & ~((kind == LOWER) & (before == UPPER))
    start |= (kind == UPPER) & (before == UPPER) & (after == LOWER)
    starts = np.flatnonzero(start)
    # A word ends where the next begins, or where something other than words begins.
    stops = np.flatnonzero(start | ((kind == OTHER) & changes))
    stops = np.append(stops, len(data))
    ends = stops[np.searchsorted(stops, starts, side="right")]
    return starts, ends


def hash_words(data, starts, ends):
    """fnv1a32 of each word, lower-cased: uint32 [words]."""
    hashes = np.full(len(starts), FNV_OFFSET, np.uint32)
    order = np.argsort(starts - ends, kind="stable")  # longest first
    starts, lengths = starts[order], (ends - starts)[order]
    made = hashes[order]
    # How many words are longer than k.
    longer = np.searchsorted(-lengths, -np.arange(lengths[0] if len(lengths) else 0))
    for k, many in enumerate(longer):
        made[:many] = (made[:many] ^ (data[starts[:many] + k] | 0x20)) * FNV_PRIME
    hashes[order] = made
    return hashes


def hash_pairs(first, second):
    """The hash of two words that stand together, of their hashes."""
    return (first * FNV_PRIME ^ second) * FNV_PRIME


def read_features(texts, limits, pairs=True):
    """Distinct words and pairs of each text.

    texts: list of str. limits: int or int array [texts], words that are read of each.
    """
    encoded = [text.encode("utf-8", "replace") for text in texts]
    data = np.frombuffer(b"\n".join(encoded) + b"\n", np.uint8)
    lengths = np.array([len(e) + 1 for e in encoded], np.int64)
    text_starts = np.cumsum(lengths) - lengths
    starts, ends = find_words(data)
    text = np.searchsorted(text_starts, starts, side="right") - 1
    place = np.arange(len(starts)) - np.searchsorted(text, np.arange(len(texts)))[text]
    read = place < (limits if np.isscalar(limits) else limits[text])
    starts, ends, text = starts[read], ends[read], text[read]
    hashes = hash_words(data, starts, ends)
    words = np.bincount(text, minlength=len(texts))
    keys = [(text.astype(np.uint64) << np.uint64(33)) | hashes]
    if pairs and len(starts) > 1:
        gap = starts[1:] - ends[:-1]
        joined = (text[1:] == text[:-1]) & (gap <= MAX_GAP)
        for k in range(MAX_GAP):
            joined &= (gap <= k) | JOINT[data[np.minimum(ends[:-1] + k, len(data) - 1)]]
        second = np.flatnonzero(joined) + 1
        made = hash_pairs(hashes[second - 1], hashes[second])
        keys.append((text[second].astype(np.uint64) << np.uint64(33)) | np.uint64(1 << 32) | made)
    unique, count = np.unique(np.concatenate(keys), return_counts=True)
    return Features(
        (unique >> np.uint64(33)).astype(np.int64),
        (unique & np.uint64(0xFFFFFFFF)).astype(np.uint32),
        (unique >> np.uint64(32) & np.uint64(1)).astype(bool),
        count,
        words,
    )
