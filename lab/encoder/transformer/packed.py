"""What `pack` wrote, as steps of a training on a GPU draw from it."""

import os
import random

import numpy as np

from issue_fields import TITLE
from transformer.inputs import CALLEE, TYPES

CHUNK_TYPES, QUERY_TYPES = np.arange(CALLEE, dtype=np.uint8), np.arange(TITLE, TYPES, dtype=np.uint8)


class Ragged:
    """Lists in one array."""

    def __init__(self, values, sizes):
        self.values, self.ends = values, np.cumsum(sizes, dtype=np.int64)
        self.starts = self.ends - sizes

    def of(self, number):
        return self.values[self.starts[number] : self.ends[number]]


class PackedRepository:
    """One repository's file. limit: of a document's tokens."""

    def __init__(self, file, limit):
        self.name = os.path.basename(file)[: -len(".npz")].split("+", 1)[1]
        self.limit = limit
        arrays = dict(np.load(file))
        self.real, self.variants = bool(arrays["real"]), int(arrays["variants"])
        self.sizes, self.called, self.keys = arrays["sizes"], arrays["called"], arrays["keys"]
        self.own = Ragged(arrays["ids"], self.sizes.sum(1, dtype=np.int64))
        self.callees = Ragged(arrays["callees"], arrays["callees_sizes"])
        self.pools = [np.flatnonzero(arrays["snapshots"] & (1 << s)) for s in range(3)]
        self.by_snapshot = [np.flatnonzero(arrays["snap"] == s) for s in range(3)]
        self.snap = arrays["snap"]
        self.pos, self.sib, self.neg = (Ragged(arrays[key], arrays[f"{key}_sizes"]) for key in ("pos", "sib", "neg"))
        self.query_sizes = arrays["query_sizes"]
        self.queries = Ragged(arrays["query_ids"], self.query_sizes.sum(1, dtype=np.int64))

    def document(self, number):
        """Ids and types, as inputs.document makes them."""
        own = self.own.of(number)
        called = [self.callees.of(callee) for callee in self.called[number] if callee >= 0]
        ids = np.concatenate([own, *called])[: self.limit]
        types = np.repeat(CHUNK_TYPES, self.sizes[number])
        return ids, np.concatenate([types, np.full(max(0, len(ids) - len(types)), CALLEE, np.uint8)])[: self.limit]

    def query(self, commit, variant):
        """Ids and types of an issue: a commit's message, or as it was made to look like one."""
        row = commit * self.variants + variant
        return self.queries.of(row), np.repeat(QUERY_TYPES, self.query_sizes[row])


def draw(repository, rng, options):
    """Queries of one snapshot and documents, pairs of ids and types, and bool [queries, documents] each: which were edited,
    and which count against them. As draws.Draws.drawn has it, of packed arrays.
    """
    snapshot = rng.choices(range(3), [len(of) for of in repository.by_snapshot])[0]
    of = repository.by_snapshot[snapshot]
    commits = rng.sample(of.tolist(), min(options.queries, len(of)))
    numbers = {}
    for lists, count in ((repository.pos, options.positives), (repository.neg, options.hard), (repository.sib, options.siblings)):
        for commit in commits:
            found = lists.of(commit).tolist()
            numbers.update(dict.fromkeys(rng.sample(found, min(count, len(found)))))
    pool = repository.pools[snapshot]
    missing = max(0, options.texts - len(commits) - len(numbers))
    numbers.update(dict.fromkeys(pool[rng.sample(range(len(pool)), min(missing, len(pool)))].tolist()))
    kept = np.array(list(numbers)[: max(1, options.texts - len(commits))])
    answers = [repository.pos.of(commit) for commit in commits]
    positives = np.stack([np.isin(kept, answer) for answer in answers])
    allowed = np.stack([~np.isin(repository.keys[kept], repository.keys[answer]) for answer in answers])
    queries = [repository.query(commit, variant_of(repository, rng, options)) for commit in commits]
    return queries, [repository.document(i) for i in kept], positives, allowed


def variant_of(repository, rng, options):
    if repository.variants == 1 or rng.random() < options.plain:
        return 0
    return rng.randrange(1, repository.variants)


def with_gaps(text, rng, share):
    """The text less some of its tokens, but the first."""
    ids, types = text
    kept = rng.random(len(ids)) >= share
    kept[0] = True
    return ids[kept], types[kept]


def load(folder, limit):
    """All repositories of a folder of pack."""
    files = sorted(file for file in os.listdir(folder) if file.endswith(".npz"))
    return [PackedRepository(os.path.join(folder, file), limit) for file in files]


def shares(repositories, issues, capped, cap):
    """How likely a draw is of each repository: those with real issues have the share `issues` together, those of them that
    are `capped` at most the part `cap` of it; all go by the root of their numbers.
    """
    weights = np.sqrt([len(of.snap) for of in repositories])
    real = np.array([of.real for of in repositories])
    few = np.array([of.real and capped(of.name) for of in repositories])
    for mask, share in ((~real, 1 - issues), (real & ~few, issues * (1 - cap)), (few, issues * cap)):
        if mask.any():
            weights[mask] *= share / weights[mask].sum()
    return weights / weights.sum()


def step_of(repositories, weights, number, options):
    """Texts of a step, and of each repository drawn: which text is its first query, how many queries and, after them,
    documents it has, and the two masks of draw.
    """
    rng = random.Random(options.seed * 1_000_003 + number)
    gaps = np.random.default_rng([options.seed, number])
    texts, blocks = [], []
    for repository in rng.choices(repositories, weights, k=options.together):
        queries, documents, positives, allowed = draw(repository, rng, options)
        start = len(texts)
        texts += [with_gaps(text, gaps, options.gaps) for text in [*queries, *documents]]
        blocks.append((start, len(queries), len(documents), positives, allowed))
    return texts, blocks
