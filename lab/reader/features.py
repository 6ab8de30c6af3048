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
    matches = Matches(issue, words, np.asarray(sizes), lexicon)
    lines, _ = lexicon.of(words.hash)
    kinds = np.where((lines >= 0) & (lines < KNOWN), lines, KNOWN + rarity(lines)).astype(np.int64)
    return Features(_tokens(issue, words, matches), kinds, matches.sizes, _of_issue(issue, words, matches, lexicon))


class Matches:
    """How the distinct words of candidates, n, match those of an issue, m.

    candidate, places: int64 [words], of each of the candidates' words the candidate and its number among the distinct.
    frequency: int64 [n], how many candidates have it. exact: int64 [n], the issue's word that it is, or -1. stems: bool
    [n, m], whether the stem is the same. near: uint8 [n, m], how near it is to the issue's word. pairs: bool [words],
    whether the word and the one before are a pair of the issue.
    """

    def __init__(self, issue, words, sizes, lexicon):
        unique, self.places = np.unique(words.hash, return_inverse=True)
        self.sizes, self.starts = sizes, np.cumsum(sizes) - sizes
        self.candidate = np.repeat(np.arange(len(sizes)), sizes)
        of, self.first = np.unique(self.candidate * len(unique) + self.places, return_index=True)
        self.frequency = np.bincount(of % max(1, len(unique)), minlength=len(unique))
        self.exact = _exact(issue.hashes, unique)
        lines, stems = lexicon.of(unique)
        issue_lines, issue_stems = lexicon.of(issue.hashes)
        self.stems = stems[:, None] == issue_stems
        self.near = _near(lines, issue_lines, lexicon)
        follows = np.diff(self.candidate, prepend=-1) == 0
        self.pairs = follows & np.isin(hash_pairs(np.roll(words.hash, 1), words.hash), issue.pairs)


def _exact(hashes, unique):
    if len(hashes) == 0:
        return np.full(len(unique), -1)
    order = np.argsort(hashes)
    found = order[np.minimum(np.searchsorted(hashes, unique, sorter=order), len(order) - 1)]
    return np.where(hashes[found] == unique, found, -1)


def _near(lines, issue_lines, lexicon):
    made = np.zeros((len(lines), len(issue_lines)), np.uint8)
    row_of = np.full(lexicon.size, -1)
    row_of[lines[lines >= 0]] = np.flatnonzero(lines >= 0)
    known = np.flatnonzero(issue_lines >= 0)
    counts = lexicon.counts[issue_lines[known]]
    at = np.arange(counts.sum()) + np.repeat(lexicon.first[issue_lines[known]] - (np.cumsum(counts) - counts), counts)
    rows, columns = row_of[lexicon.near[at]], np.repeat(known, counts)
    made[rows[rows >= 0], columns[rows >= 0]] = lexicon.similar[at][rows >= 0]
    return made


def _tokens(issue, words, matches):
    has, frequency = issue.counts > 0, matches.frequency  # has: [FIELDS, m]
    hit = matches.exact >= 0
    exact, counts = np.zeros((len(hit), FIELDS)), np.zeros(len(hit))
    exact[hit] = has[:, matches.exact[hit]].T
    counts[hit] = _repetitions(issue)[matches.exact[hit]]
    stems = np.stack([(matches.stems & of).any(1) for of in has], 1)
    near = np.stack([(matches.near * of).max(1, initial=0) for of in has], 1) / SCALE
    rare = [1 / np.sqrt(frequency), frequency / max(1, len(matches.sizes)), counts, frequency == 1]
    by_word = np.column_stack([exact, stems, near, *rare])
    named = [np.isin(of := identifiers(words), known) & (of > 0) for known in issue.identifiers]
    first = np.zeros(len(words.hash), bool)
    first[matches.first] = True
    gaps = np.arange(APART + 1, APART + 4) == words.gap[:, None]
    parts = np.arange(PARTS) == words.part[:, None]
    beside = [matches.pairs, np.append(matches.pairs[1:], False)]
    looks = [gaps, words.capital, words.digit, parts, _position(words, matches)]
    return np.column_stack([by_word[matches.places], *beside, *named, first, *looks]).astype(np.float32)


def _repetitions(issue):
    return np.minimum(issue.counts.sum(0), MOST_IN_ISSUE) / MOST_IN_ISSUE


def _position(words, matches):
    """How far each word stands behind the first of its part, of as many as a part has at most."""
    begins = (np.diff(matches.candidate, prepend=-1) > 0) | (np.diff(words.part, prepend=0) != 0)
    at = np.arange(len(begins))
    return (at - np.maximum.accumulate(np.where(begins, at, 0))) / POSITIONS


def _of_issue(issue, words, matches, lexicon):
    n, m = len(matches.sizes), len(issue.hashes)
    hit = np.flatnonzero(matches.exact >= 0)
    frequency = np.zeros(m)
    frequency[matches.exact[hit]] = matches.frequency[hit]
    rare = np.where(frequency > 0, 1 / np.sqrt(np.maximum(frequency, 1)), 0)
    lines, _ = lexicon.of(issue.hashes)
    same = [(issue.counts > 0).T, _repetitions(issue), rare, frequency / max(1, n), rarity(lines) / RAREST]
    made = np.zeros((n, m, ISSUE_FEATURES), np.float32)
    made[:, :, : FIELDS + 4] = np.column_stack(same)
    exact = matches.exact[matches.places]
    found = exact >= 0
    times = np.zeros((n, PARTS, m), np.int64)
    np.add.at(times, (matches.candidate[found], words.part[found], exact[found]), 1)
    made[:, :, FIELDS + 4 : -4] = (times > 0).transpose(0, 2, 1)
    for k, (start, size) in enumerate(zip(matches.starts, matches.sizes)):
        own = matches.places[start : start + size]
        made[k, :, -4] = matches.stems[own].any(0)
        made[k, :, -3] = matches.near[own].max(0, initial=0) / SCALE
    made[:, :, -2] = np.minimum(times.sum(1), MOST_IN_CANDIDATE) / MOST_IN_CANDIDATE
    paired = found & (matches.pairs | np.append(matches.pairs[1:], False))
    made[matches.candidate[paired], exact[paired], -1] = 1
    return made
