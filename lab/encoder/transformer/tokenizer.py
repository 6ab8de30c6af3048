"""Byte-level byte pair encoding (Sennrich et al., ACL 2016; Radford et al., 2019), trained and applied.

A tokenizer is written as a Hugging Face tokenizer.json, and cuts every text as that library does.
"""

import collections
import heapq
import itertools
import json
import re

PAD, UNKNOWN, CHUNK, DOWN, QUERY, MASK = range(6)
# They are no added tokens of the tokenizer: "[C]" in a text is text. No merge makes them.
SPECIAL = ["[PAD]", "[UNK]", "[C]", "[DOWN]", "[Q]", "[MASK]"]

# A text is cut into these before it is encoded; every character is in one of them. Words take a space before them along
# and come apart at camelCase humps; a run of spaces and line ends leaves the last one to what follows. Only ASCII is
# told apart, by explicit ranges, so that no two Unicode tables can disagree, and lengths are bounded, which bounds the
# work on a text without spaces.
_SPACE = r"[\x00-\x20\x7F]"
PATTERN = "|".join(
    [
        r" ?[A-Z]?[a-z]{1,24}",
        r" ?[A-Z]{1,24}(?![a-z])",
        r" ?[0-9]{1,3}",
        r" ?[^\x00-\x7F]{1,24}",
        r" ?[!-/:-@\[-`{-~]{1,8}",
        rf"{_SPACE}{{1,32}}(?![^\x00-\x20\x7F])",
        _SPACE,
    ]
)
find_words = re.compile(PATTERN).findall


def _byte_characters():
    """The character that stands for each byte in a vocabulary: itself where it can be printed (Radford et al.)."""
    printed = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = itertools.count(256)
    return [chr(byte if byte in printed else next(others)) for byte in range(256)]


BYTES = _byte_characters()


def cut(text, units):
    """A text's first UTF-16 units, as the engine cuts; halves of characters become U+FFFD, as they do in UTF-8 there."""
    if len(text) <= units and text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "replace")


class Tokenizer:
    """merges: pairs of tokens, the first merged first. Ids: the special ones, the bytes, what each merge makes."""

    CACHED_WORDS = 500_000

    def __init__(self, merges):
        self.merges = [tuple(merge) for merge in merges]
        tokens = [*SPECIAL, *BYTES, *(a + b for a, b in self.merges)]
        self.ids = {token: i for i, token in enumerate(tokens)}
        self.size = len(tokens)
        self._ranks = {merge: rank for rank, merge in enumerate(self.merges)}
        self._cache = _Cache(self._encode_word)

    @staticmethod
    def read(file):
        with open(file, encoding="utf-8") as stream:
            return Tokenizer(json.load(stream)["model"]["merges"])

    def write(self, file):
        split = {"type": "Split", "pattern": {"Regex": PATTERN}, "behavior": "Isolated", "invert": False}
        byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
        made = {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": None,
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, byte_level]},
            "post_processor": None,
            "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
            "model": {
                "type": "BPE",
                "unk_token": SPECIAL[UNKNOWN],
                "vocab": self.ids,
                "merges": [list(merge) for merge in self.merges],
            },
        }
        with open(file, "w", encoding="utf-8") as stream:
            json.dump(made, stream, ensure_ascii=False)

    def encode(self, text):
        """The token ids of a text without halves of characters, see cut."""
        if len(self._cache) > self.CACHED_WORDS:
            self._cache.clear()
        return list(itertools.chain.from_iterable(map(self._cache.__getitem__, find_words(text))))

    def _encode_word(self, word):
        parts = [BYTES[byte] for byte in word.encode()]
        while len(parts) > 1:
            pairs = list(zip(parts, parts[1:]))
            best = min(pairs, key=lambda pair: self._ranks.get(pair, len(self._ranks)))
            if best not in self._ranks:
                break
            parts = _merged(parts, best)
        return [self.ids[part] for part in parts]


class _Cache(dict):
    def __init__(self, encode):
        self.encode = encode

    def __missing__(self, word):
        self[word] = made = self.encode(word)
        return made


def _merged(parts, pair):
    """The parts with each occurrence of the pair, from the left, made one."""
    made, i = [], 0
    while i < len(parts):
        if i + 1 < len(parts) and parts[i] == pair[0] and parts[i + 1] == pair[1]:
            made.append(parts[i] + parts[i + 1])
            i += 2
        else:
            made.append(parts[i])
            i += 1
    return made


def count_words(texts):
    """How often each word of the pattern occurs: Counter {word: count}."""
    counts = collections.Counter()
    for text in texts:
        counts.update(find_words(text))
    return counts


def train(counts, size):
    """A Tokenizer of at most so many tokens, from Counter {word: count}: the most frequent pair is merged, again and again.

    Of equally frequent pairs, the first in the order of code points. A pair that occurs once is not merged.
    """
    words = [[BYTES[byte] for byte in word.encode()] for word in counts]
    weights = list(counts.values())
    pairs, places = collections.Counter(), collections.defaultdict(set)
    for number, parts in enumerate(words):
        for pair in zip(parts, parts[1:]):
            pairs[pair] += weights[number]
            places[pair].add(number)
    heap = [(-count, pair) for pair, count in pairs.items()]
    heapq.heapify(heap)
    merges, known = [], {*SPECIAL, *BYTES}
    while heap and len(known) < size:
        count, pair = heapq.heappop(heap)
        if pairs[pair] != -count:  # Its count changed since, and it is in the heap with the new one.
            continue
        if count > -2:
            break
        if pair[0] + pair[1] in known:
            continue
        merges.append(pair)
        known.add(pair[0] + pair[1])
        changed = set()
        for number in places.pop(pair):
            parts = words[number]
            for old in zip(parts, parts[1:]):
                pairs[old] -= weights[number]
                changed.add(old)
            words[number] = parts = _merged(parts, pair)
            for new in zip(parts, parts[1:]):
                pairs[new] += weights[number]
                places[new].add(number)
                changed.add(new)
        for other in changed:
            if pairs[other] > 0:
                heapq.heappush(heap, (-pairs[other], other))
    return Tokenizer(merges)
