"""What `pack` wrote, as steps of a training on a GPU draw from it."""

import os
import random

import numpy as np

from issue_fields import TITLE
from transformer.corpus import Texts, with_callees
from transformer.draws import draw_step, with_gaps
from transformer.inputs import CALLEE, TYPES

CHUNK_TYPES, QUERY_TYPES = np.arange(CALLEE, dtype=np.uint8), np.arange(TITLE, TYPES, dtype=np.uint8)


class PackedRepository:
    """One repository's file. limit: of a document's tokens."""

    def __init__(self, file, limit):
        self.name = os.path.basename(file)[: -len(".npz")].split("+", 1)[1]
        self.limit = limit
        arrays = dict(np.load(file))
        self.real, self.variants = bool(arrays["real"]), int(arrays["variants"])
        self.sizes, self.called, self.keys = arrays["sizes"], arrays["called"], arrays["keys"]
        self.own = Texts(arrays["ids"], self.sizes.sum(1, dtype=np.int64))
        self.callees = Texts(arrays["callees"], arrays["callees_sizes"])
        self.pools = [np.flatnonzero(arrays["snapshots"] & (1 << s)) for s in range(3)]
        self.by_snapshot = [np.flatnonzero(arrays["snap"] == s).tolist() for s in range(3)]
        lists = {key: Texts(arrays[key], arrays[f"{key}_sizes"]) for key in ("pos", "sib", "neg")}
        rows = range(len(arrays["snap"]))
        self.commits = [{"row": row, **{key: of.of(row).tolist() for key, of in lists.items()}} for row in rows]
        self.query_sizes = arrays["query_sizes"]
        self.queries = Texts(arrays["query_ids"], self.query_sizes.sum(1, dtype=np.int64))

    def documents_keys(self):
        """What other versions of a document share with it, int32 [documents]."""
        return self.keys

    def document(self, number):
        """Ids and types, as inputs.document makes them."""
        types = np.repeat(CHUNK_TYPES, self.sizes[number])
        return with_callees(self.own.of(number), types, self.called[number], self.callees, self.limit)

    def query(self, commit, variant):
        """Ids and types of an issue: a commit's message, or as it was made to look like one."""
        row = commit * self.variants + variant
        return self.queries.of(row), np.repeat(QUERY_TYPES, self.query_sizes[row])


def variant_of(repository, rng, options):
    if repository.variants == 1 or rng.random() < options.plain:
        return 0
    return rng.randrange(1, repository.variants)


def load(folder, limit):
    """All repositories of a folder of pack."""
    files = sorted(file for file in os.listdir(folder) if file.endswith(".npz"))
    return [PackedRepository(os.path.join(folder, file), limit) for file in files]


def shares(repositories, issues, capped, cap):
    """How likely a draw is of each repository: those with real issues have the share `issues` together, those of them that
    are `capped` at most the part `cap` of it; all go by the root of their numbers.
    """
    weights = np.sqrt([len(of.commits) for of in repositories])
    real = np.array([of.real for of in repositories])
    few = np.array([of.real and capped(of.name) for of in repositories])
    for mask, share in ((~real, 1 - issues), (real & ~few, issues * (1 - cap)), (few, issues * cap)):
        if mask.any():
            weights[mask] *= share / weights[mask].sum()
    return weights / weights.sum()


def step_of(repositories, weights, number, options):
    """Texts of a step, and of each repository drawn: which text is its first query, how many queries and, after them,
    documents it has, and positives and allowed of its steps.Step.
    """
    rng = random.Random(options.seed * 1_000_003 + number)
    gaps = np.random.default_rng([options.seed, number])
    texts, blocks = [], []
    for repository in rng.choices(repositories, weights, k=options.together):
        step, start = draw_step(repository, rng, options), len(texts)
        drawn = [repository.query(commit["row"], variant_of(repository, rng, options)) for commit in step.commits]
        drawn += [repository.document(i) for i in step.documents]
        texts += [with_gaps(text, gaps, options.gaps) for text in drawn]
        blocks.append((start, len(step.commits), len(step.documents), step.positives, step.allowed))
    return texts, blocks
