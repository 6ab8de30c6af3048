"""Finds the parts that words share with others: stems, and the common words that rarer ones are composed of."""

import collections

import numpy as np

try:
    import snowballstemmer
except ImportError:
    raise SystemExit("snowballstemmer is missing. Install it: apt install python3-snowballstemmer") from None

MOST = 3
PREFIXES = ("de", "un", "re", "non", "pre", "sub", "multi", "in", "dis", "auto", "inter")
# Components are among the first COMMON words of the vocabulary, and at least twice as common as the composed word. So
# `format` is not composed of `for` and `mat`.
COMMON = 4000
SHORTEST, SHORTEST_PART, SHORTEST_REST = 7, 3, 4


def shared_parts(words, tokens):
    """Returns the parts that each word shares with another: int64 [tokens, MOST], numbers from 1, or 0 for no part.

    words: the vocabulary, most common first. Its lines are the first ids of tokens. All other tokens have no parts.
    """
    stem = snowballstemmer.stemmer("english").stemWords
    lines = {word: line for line, word in enumerate(words)}
    parts = [
        [] if len(word) < 2 or word.isdigit() else list(dict.fromkeys(stem([word, *components(word, lines)])))
        for word in words
    ]
    words_with = collections.Counter(part for of in parts for part in of)
    numbers, shared = {}, np.zeros((tokens, MOST), np.int64)
    for line, of in enumerate(parts):
        known = [numbers.setdefault(part, len(numbers) + 1) for part in of if words_with[part] > 1]
        shared[line, : len(known)] = known
    return shared


def components(word, lines):
    """Returns the more common words that a word is composed of: `data` and `frame` of `dataframe`, `load` of `preload`.

    lines: {word: line in the vocabulary}.
    """
    limit = min(COMMON, lines[word] / 2)
    if len(word) < SHORTEST or lines[word] < COMMON / 2:
        return []

    def common(part):
        return lines.get(part, len(lines)) < limit

    halves = [(word[:k], word[k:]) for k in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1)]
    best = min(halves, key=lambda pair: max(lines.get(half, len(lines)) for half in pair))
    if all(common(half) for half in best):
        return list(best)
    rests = [word[len(prefix) :] for prefix in PREFIXES if word.startswith(prefix)]
    return [rest for rest in rests if len(rest) >= SHORTEST_REST and common(rest)][:1]
