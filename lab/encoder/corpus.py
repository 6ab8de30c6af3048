"""Prepared repositories, as a training step draws from them."""

import os
import pickle
import re

import numpy as np

from prepare import PAIR
from split import TRAIN, TUNE, of_part

SIGNATURE, BODY = 1, 2
# Fields that a training may leave out, by name.
OPTIONAL_FIELDS = {"path": 0, "callees": 3}


def repository_names(prepared):
    return sorted(f[: -len(".pickle")] for f in os.listdir(prepared) if f.endswith(".pickle"))


def training_names(prepared):
    return of_part(repository_names(prepared), TRAIN)


def tuning_names(prepared):
    return of_part(repository_names(prepared), TUNE)


class Repository:
    """One repository's commits, and what chunks there are."""

    def __init__(self, prepared, name):
        with open(os.path.join(prepared, name + ".pickle"), "rb") as stream:
            data = pickle.load(stream)
        self.name = name
        self.chunks = data["chunks"]
        self.keys = data["keys"]
        self.docstrings = data["docstrings"]
        self.pairs = list(range(len(self.docstrings)))  # Those to learn from.
        self.frames = data["traces"]["frames"]
        self.callers = data["traces"]["callers"]
        self.messages = len(data["commits"])
        for row, commit in enumerate(data["commits"]):
            commit["row"] = row  # Its place among all messages.
        self.commits = [c for c in data["commits"] if usable(c)]
        self.by_snapshot = self._by_snapshot()
        self.pools = [np.flatnonzero(data["snapshots"] & (1 << s)) for s in range(3)]

    def _by_snapshot(self):
        return [[i for i, c in enumerate(self.commits) if c["snap"] == s] for s in range(3)]

    def leave_out(self, copied):
        """Takes chunks out of all steps. copied: bool [chunks], those with the text of what is evaluated on."""
        for commit in self.commits:
            for key in ("pos", "sib", "neg"):
                if key in commit:
                    commit[key] = [number for number in commit[key] if not copied[number]]
        self.commits = [commit for commit in self.commits if commit["pos"]]
        self.by_snapshot = self._by_snapshot()
        self.pools = [pool[~copied[pool]] for pool in self.pools]
        self.pairs = [i for i in self.pairs if not copied[self.docstrings[i][1]]]

    def documents_keys(self):
        """Keys of all documents, int64: of the chunks, then of the chunks that the docstring pairs are made of."""
        return np.concatenate([self.keys, [self.keys[of] for _, of in self.docstrings]]).astype(np.int64)


class BagRepository(Repository):
    """A repository whose chunks are bags of token ids. copies: what `transformer copies` wrote, or None."""

    def __init__(self, prepared, name, vocabulary, copies=None):
        super().__init__(prepared, name)
        arrays = np.load(os.path.join(prepared, name + ".npz"))
        if copies is not None:
            self.leave_out(np.isin(arrays["digests"], copies))
        self.ids, self.fields, self.counts, self.offsets = document_tokens(vocabulary, arrays)

    def bags(self, documents):
        """Tokens of documents, one after the other: ids, fields, counts, and how many each has."""
        starts, ends = self.offsets[documents], self.offsets[np.asarray(documents) + 1]
        sizes = ends - starts
        at = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
        return self.ids[at], self.fields[at], self.counts[at], sizes


def document_tokens(vocabulary, arrays):
    """Tokens of prepared documents, one document after the other: ids, fields, counts, and where each begins.

    The last token of a document says how long its code is.
    """
    field, words = arrays["field"], arrays["words"].astype(np.int64)
    ids = vocabulary.ids(arrays["hash"], (field & PAIR) > 0)
    keep = ids >= 0
    offsets = np.concatenate(([0], np.cumsum(keep)))[arrays["offsets"]]
    lengths = vocabulary.length_ids(words[:, SIGNATURE] + words[:, BODY])
    at = offsets[1:]
    return (
        np.insert(ids[keep], at, lengths).astype(np.int32),
        np.insert(field[keep] & np.uint8(7), at, np.uint8(BODY)),
        np.insert(arrays["count"][keep], at, 1),
        offsets + np.arange(len(offsets)),
    )


def without_fields(ids, fields, counts, sizes, left_out):
    """Tokens of documents, less those of some fields."""
    return kept(ids, fields, counts, sizes, ~np.isin(fields, left_out))


def kept(ids, fields, counts, sizes, keep):
    """Tokens of documents, less those that keep, bool [tokens], leaves out."""
    bag = np.repeat(np.arange(len(sizes)), sizes)[keep]
    return ids[keep], fields[keep], counts[keep], np.bincount(bag, minlength=len(sizes))


# Commits whose messages say nothing of what was edited.
_IDLE = re.compile(
    r"^(merge|bump|release|revert|version|wip|fix lint|lint|black|isort|pep ?8|flake8|typo|cleanup|formatting)\b",
    re.I,
)


def usable(commit):
    message = commit["m"].strip()
    return len(message) >= 12 and 1 <= len(commit["pos"]) <= 12 and not _IDLE.match(message)
