"""What the reader sees, number by number as src/engine/read/features.ts makes it: of each word of a candidate how it
matches the issue, of each word of the issue how the candidate has it.

All numbers are quotients and roots of small integers, which come out the same to the bit wherever they are made.
"""

from typing import NamedTuple

import numpy as np

from reader.lexicon import RAREST, SCALE, rarity
from reader.tokens import APART, ISSUE_FIELDS, LIMITS, PARTS, identifiers
from words import hash_pairs

FIELDS = len(ISSUE_FIELDS)
# Of an issue's distinct words, how many are read.
ISSUE_WORDS = 160
# Repetitions count up to here.
MOST_IN_ISSUE, MOST_IN_CANDIDATE = 4, 8
# The commonest words are told apart; all others by how rare they are alone.
KNOWN = 1024
KINDS = KNOWN + RAREST + 1
POSITIONS = max(LIMITS)

TOKEN_FEATURES = 3 * FIELDS + 4 + 4 + 1 + 3 + 2 + PARTS + 1
ISSUE_FEATURES = FIELDS + 4 + PARTS + 4


class Features(NamedTuple):
    """Of an issue with its candidates.

    tokens: float32 [words, TOKEN_FEATURES], the candidates' words, one after the other. kinds: int64 [words], each
    word's among KINDS. sizes: int64 [candidates], words of each. issue: float32 [candidates, issue words,
    ISSUE_FEATURES].
    """

    tokens: np.ndarray
    kinds: np.ndarray
    sizes: np.ndarray
    issue: np.ndarray


class IssueWords(NamedTuple):
    """Distinct words of an issue in the order of their first occurrence, and what stands together in it.

    hashes: uint32 [n]. counts: int64 [FIELDS, n], how often each field has them. pairs: uint32, hashes of pairs of words
    that follow each other. identifiers: of prose, and of code and tracebacks, uint32 each.
    """

    hashes: np.ndarray
    counts: np.ndarray
    pairs: np.ndarray
    identifiers: tuple


def issue_words(words):
    """IssueWords of the Words of an issue."""
    made, first, inverse = np.unique(words.hash, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")[:ISSUE_WORDS]
    counts = np.zeros((FIELDS, len(made)), np.int64)
    np.add.at(counts, (words.part, inverse), 1)
    together = words.part[1:] == words.part[:-1]
    pairs = np.unique(hash_pairs(words.hash[:-1][together], words.hash[1:][together]))
    named = identifiers(words)
    spoken = words.part < 2
    kinds = tuple(np.unique(named[kind & (named > 0)]) for kind in (spoken, ~spoken))
    return IssueWords(made[order], counts[:, order], pairs, kinds)


def features(issue, words, sizes, lexicon):
    """Features of an issue's IssueWords and the Words of its candidates, of each of which sizes says how many it has."""
    unique, places = np.unique(words.hash, return_inverse=True)
    candidate = np.repeat(np.arange(len(sizes)), sizes)
    matches = Matches(issue, unique, lexicon)
    frequency = np.bincount(np.unique(candidate * len(unique) + places) % max(1, len(unique)), minlength=len(unique))
    tokens = _tokens(issue, words, sizes, candidate, matches, frequency, places, len(sizes))
    lines, _ = lexicon.of(words.hash)
    kinds = np.where((lines >= 0) & (lines < KNOWN), lines, KNOWN + rarity(lines))
    of_issue = _of_issue(issue, words, sizes, candidate, matches, frequency, places, lexicon)
    return Features(tokens, kinds.astype(np.int64), np.asarray(sizes), of_issue)


class Matches:
    """How distinct words of candidates, n, match those of an issue, m.

    exact: int64 [n], the issue's word that it is, or -1. stems: bool [n, m], whether the stem is the same. near: uint8
    [n, m], how near it is to the issue's word.
    """

    def __init__(self, issue, unique, lexicon):
        order = np.argsort(issue.hashes)
        found = np.searchsorted(issue.hashes, unique, sorter=order)
        found = order[np.minimum(found, len(order) - 1)] if len(order) else np.zeros(len(unique), np.int64)
        equal = issue.hashes[found] == unique if len(order) else np.zeros(len(unique), bool)
        self.exact = np.where(equal, found, -1)
        lines, stems = lexicon.of(unique)
        issue_lines, issue_stems = lexicon.of(issue.hashes)
        self.stems = stems[:, None] == issue_stems
        self.near = np.zeros((len(unique), len(issue.hashes)), np.uint8)
        row_of = np.full(lexicon.size, -1)
        row_of[lines[lines >= 0]] = np.flatnonzero(lines >= 0)
        known = np.flatnonzero(issue_lines >= 0)
        counts = lexicon.counts[issue_lines[known]]
        at = np.arange(counts.sum()) + np.repeat(lexicon.first[issue_lines[known]] - (np.cumsum(counts) - counts), counts)
        rows, columns = row_of[lexicon.near[at]], np.repeat(known, counts)
        self.near[rows[rows >= 0], columns[rows >= 0]] = lexicon.similar[at][rows >= 0]


def _tokens(issue, words, sizes, candidate, matches, frequency, places, candidates):
    has = issue.counts > 0  # [FIELDS, m]
    exact = np.zeros((len(frequency), FIELDS), np.float32)
    hit = matches.exact >= 0
    exact[hit] = has[:, matches.exact[hit]].T
    stems = np.stack([(matches.stems & of).any(1) for of in has], 1)
    near = np.stack([(matches.near * of).max(1, initial=0) for of in has], 1) / SCALE
    counts = np.zeros(len(frequency))
    counts[hit] = np.minimum(issue.counts.sum(0), MOST_IN_ISSUE)[matches.exact[hit]] / MOST_IN_ISSUE
    by_word = np.column_stack([exact, stems, near, 1 / np.sqrt(frequency), frequency / max(1, candidates), counts])
    starts = np.cumsum(sizes) - sizes
    opens = np.zeros(len(places), bool)
    opens[starts[np.asarray(sizes) > 0]] = True
    before = np.isin(hash_pairs(np.roll(words.hash, 1), words.hash), issue.pairs) & ~opens
    after = np.append(before[1:], False)
    named = [np.isin(of := identifiers(words), known) & (of > 0) for known in issue.identifiers]
    first = np.zeros(len(places), bool)
    first[np.unique(candidate * len(frequency) + places, return_index=True)[1]] = True
    gaps = np.arange(APART + 1, APART + 4) == words.gap[:, None]
    parts = np.arange(PARTS) == words.part[:, None]
    made = [by_word[places], before, after, *named, first, gaps, words.capital, words.digit, parts, _position(words, opens)]
    made.insert(1, np.asarray(frequency)[places] == 1)
    return np.column_stack(made).astype(np.float32)


def _position(words, opens):
    """How far each word stands behind the first of its part, of as many as a part has at most."""
    begins = opens.copy()
    begins[1:] |= words.part[1:] != words.part[:-1]
    at = np.arange(len(begins))
    return (at - np.maximum.accumulate(np.where(begins, at, 0))) / POSITIONS


def _of_issue(issue, words, sizes, candidate, matches, frequency, places, lexicon):
    n, m = len(sizes), len(issue.hashes)
    lines, _ = lexicon.of(issue.hashes)
    widespread = np.zeros(m)
    hit = np.flatnonzero(matches.exact >= 0)
    widespread[matches.exact[hit]] = frequency[hit]
    same = np.column_stack(
        [
            (issue.counts > 0).T,
            np.minimum(issue.counts.sum(0), MOST_IN_ISSUE) / MOST_IN_ISSUE,
            np.where(widespread > 0, 1 / np.sqrt(np.maximum(widespread, 1)), 0),
            widespread / max(1, n),
            rarity(lines) / RAREST,
        ]
    )
    made = np.zeros((n, m, ISSUE_FEATURES), np.float32)
    made[:, :, : FIELDS + 4] = same
    exact = matches.exact[places]
    found = exact >= 0
    in_part = np.zeros((n, PARTS, m), np.int64)
    np.add.at(in_part, (candidate[found], words.part[found], exact[found]), 1)
    made[:, :, FIELDS + 4 : -4] = (in_part > 0).transpose(0, 2, 1)
    for k, (start, size) in enumerate(zip(np.cumsum(sizes) - sizes, sizes)):
        own = places[start : start + size]
        made[k, :, -4] = matches.stems[own].any(0)
        made[k, :, -3] = matches.near[own].max(0, initial=0) / SCALE
    made[:, :, -2] = np.minimum(in_part.sum(1), MOST_IN_CANDIDATE) / MOST_IN_CANDIDATE
    paired = np.isin(hash_pairs(words.hash[:-1], words.hash[1:]), issue.pairs) & (candidate[1:] == candidate[:-1])
    for side in (np.append(paired, False), np.append(False, paired)):
        both = side & found
        made[candidate[both], exact[both], -1] = 1
    return made
