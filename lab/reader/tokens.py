"""Texts as words in order, as src/engine/read/tokens.ts makes them."""

from typing import NamedTuple

import numpy as np

from chunks import CALLEES
from issue_fields import CODE, TEXT, TITLE, TRACE
from words import CLASS, DIGIT, FNV_OFFSET, FNV_PRIME, JOINT, MAX_GAP, UPPER, find_words, hash_words

# The parts of a candidate, and of how many words each is; of a path the last ones, of the others the first. Of each
# callee CALLEE_WORDS.
PATH, NAME, SIGNATURE, DOCSTRING, BODY, CALLEE = range(6)
PARTS = 6
LIMITS = [12, 12, 40, 48, 120]
CALLEE_WORDS = 10
# The fields of an issue, and of how many words each is.
ISSUE_FIELDS = [TITLE, TEXT, CODE, TRACE]
ISSUE_LIMITS = [40, 250, 150, 150]

# What stands before a word: something else, nothing or underscores, dots or slashes or hyphens, a line's end.
APART, WITHIN, JOINED, LINE = range(4)
_UNDERSCORE = np.zeros(256, bool)
_UNDERSCORE[ord("_")] = True


class Words(NamedTuple):
    """Words in order, an array each.

    hash: uint32, fnv1a32 of the word in lower case. part: uint8, of a candidate, or the number of an issue's field.
    gap: uint8, what stands before it. capital, digit: bool, what it begins with.
    """

    hash: np.ndarray
    part: np.ndarray
    gap: np.ndarray
    capital: np.ndarray
    digit: np.ndarray

    def at(self, places):
        return Words(*(of[places] for of in self))


def cut(texts, lexicon):
    """Words of each of some texts: Words and int64 [words], the text of each. New words are spelled to the lexicon."""
    encoded = [text.encode("utf-8", "replace") for text in texts]
    data = np.frombuffer(b"\n".join(encoded) + b"\n", np.uint8)
    lengths = np.array([len(e) + 1 for e in encoded], np.int64)
    starts, ends = find_words(data)
    text = np.searchsorted(np.cumsum(lengths) - lengths, starts, side="right") - 1
    hashes = hash_words(data, starts, ends)
    lexicon.learn(data, starts, ends, hashes)
    kind = CLASS[data[starts]] if len(starts) else np.zeros(0, np.uint8)
    made = Words(hashes, np.zeros(len(starts), np.uint8), _gaps(data, starts, ends, text), kind == UPPER, kind == DIGIT)
    return made, text


def _gaps(data, starts, ends, text):
    made = np.full(len(starts), APART, np.uint8)
    if len(starts) == 0:
        return made
    gap = starts[1:] - ends[:-1]
    within, joined = gap <= MAX_GAP, gap <= MAX_GAP
    for k in range(MAX_GAP):
        byte = data[np.minimum(ends[:-1] + k, len(data) - 1)]
        within &= (gap <= k) | _UNDERSCORE[byte]
        joined &= (gap <= k) | JOINT[byte]
    lines = np.concatenate(([0], np.cumsum(data == ord("\n"))))
    broken = lines[starts[1:]] > lines[ends[:-1]]
    made[1:] = np.select([(text[1:] != text[:-1]) | broken, within, joined], [LINE, WITHIN, JOINED], APART)
    made[0] = LINE
    return made


def cut_parts(rows, parts, limits, lexicon):
    """Words of texts that belong together: Words and int64 [rows], how many each has.

    rows: lists of texts. parts, limits: of each text of a row, as many as the longest row has; the first words up to the
    limit count, of a PATH the last.
    """
    row = np.repeat(np.arange(len(rows)), [len(of) for of in rows])
    column = np.concatenate([np.arange(len(of)) for of in rows])
    made, text = cut([text for of in rows for text in of], lexicon)
    limit, part = np.asarray(limits)[column], np.asarray(parts, np.uint8)[column]
    sizes = np.bincount(text, minlength=len(row))
    place = np.arange(len(text)) - (np.cumsum(sizes) - sizes)[text]
    from_end = sizes[text] - 1 - place
    kept = np.where(part[text] == PATH, from_end, place) < limit[text]
    made, text = made._replace(part=part[text]).at(kept), text[kept]
    made.gap[np.diff(text, prepend=-1) > 0] = LINE  # Whatever stood before a path's last words.
    return made, np.bincount(row[text], minlength=len(rows))


COLUMNS = [PATH, NAME, SIGNATURE, DOCSTRING, BODY, *[CALLEE] * CALLEES]
COLUMN_LIMITS = [*LIMITS[:CALLEE], *[CALLEE_WORDS] * CALLEES]


def candidates(texts, lexicon):
    """Words of candidates: Words and how many each has. texts: of each its path, name, signature, docstring, body, and
    up to CALLEES callees.
    """
    return cut_parts(texts, COLUMNS, COLUMN_LIMITS, lexicon)


def issue(fields, lexicon):
    """Words of an issue, each with the number of its field, 0 to 3. fields: texts by field, any of which may be missing."""
    # No part of an issue is a path.
    texts = [fields.get(field, "") for field in ISSUE_FIELDS]
    made, _ = cut_parts([texts], [1, 2, 3, 4], ISSUE_LIMITS, lexicon)
    return made._replace(part=made.part - 1)


def identifiers(words):
    """Of each word, the hash of the identifier that it is a word of, uint32; 0 for one of a single word."""
    starts = np.flatnonzero(words.gap != WITHIN)
    sizes = np.diff(np.append(starts, len(words.hash)))
    made = np.full(len(starts), FNV_OFFSET, np.uint32)
    for k in range(sizes.max(initial=0)):
        longer = sizes > k
        made[longer] = (made[longer] ^ words.hash[starts[longer] + k]) * FNV_PRIME
    made[sizes < 2] = 0
    return np.repeat(made, sizes)
