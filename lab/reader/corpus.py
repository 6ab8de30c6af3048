"""Prepared commits and issues, as training and measuring draw from them."""

import functools
import os
import pickle
import zlib
from typing import NamedTuple

import numpy as np

import corpus
from queries import issue_of
from reader import tokens
from reader.features import Features, features, issue_words
from reader.prepare import Candidates
from split import TRAIN, TUNE, Split, refuse_breaches

# Families of issues are dealt out to so many folds.
FOLDS = 5


class List(NamedTuple):
    """An issue and its candidates, in the order of today's ranker. labels: bool [candidates], which the fix edits.
    edited: how many chunks it does, whether among them or not. scores: float32 [candidates], the ranker's.
    """

    instance: str
    family: str
    labels: np.ndarray
    edited: int
    scores: np.ndarray
    paths: list
    query: dict
    candidates: Candidates
    first: int

    def features(self, lexicon, most=None):
        """Features of all candidates, or of the first."""
        count = min(len(self.labels), most or len(self.labels))
        words, sizes = self.candidates.of(np.arange(self.first, self.first + count))
        return features(issue_words(tokens.issue(self.query, lexicon)), words, sizes, lexicon)


def read_lists(target, lexicon):
    """The lists of a prepared file."""
    with open(target + ".pickle", "rb") as stream:
        rows = pickle.load(stream)["issues"]
    candidates, split = Candidates(target, lexicon), Split.read()
    for row in rows:
        given = {name: row[name] for name in ("instance", "labels", "edited", "scores", "paths", "query", "first")}
        yield List(family=split.family(row["repo"]), candidates=candidates, **given)


def learned_lists(prepared, lexicon):
    """Those that may be learned from, whose fix edits a candidate and not all of them."""
    folder, made = os.path.join(prepared, "issues"), []
    for file in sorted(os.listdir(folder) if os.path.exists(folder) else []):
        if file.endswith(".pickle"):
            made += read_lists(os.path.join(folder, file.removesuffix(".pickle")), lexicon)
    refuse_breaches(sorted({of.family for of in made}), (TRAIN, TUNE))
    return [of for of in made if of.labels.any() and not of.labels.all()]


@functools.cache
def fold(family):
    """The fold of a family, 0 to FOLDS - 1; 0 for those to tune on."""
    return 0 if Split.read().part(family) == TUNE else zlib.crc32(family.encode()) % FOLDS


class Commits(corpus.Repository):
    """A repository whose chunks are candidates of issues made of its commits."""

    def __init__(self, prepared, name, lexicon):
        super().__init__(prepared, name)
        self.candidates = Candidates(os.path.join(prepared, name), lexicon)

    def features(self, commit, numbers, rng, plain, lexicon):
        """Features of candidates for an issue made of the commit. rng: of random. plain: as queries.issue_of has it."""
        words, sizes = self.candidates.of(np.array(numbers))
        query = tokens.issue(issue_of(commit, self, rng, plain), lexicon)
        return features(issue_words(query), words, sizes, lexicon)


def chosen(made, rows):
    """Features of some of the candidates, rarities as among all."""
    ends = np.cumsum(made.sizes)
    at = np.concatenate([np.arange(ends[i] - made.sizes[i], ends[i]) for i in rows])
    return Features(made.tokens[at], made.kinds[at], made.sizes[rows], made.issue[rows])
