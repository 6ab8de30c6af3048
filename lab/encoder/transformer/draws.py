"""Draws the data of a training step: issues of one repository, edited chunks, and negatives."""

import math
import random
from typing import NamedTuple

import numpy as np

from rows import Step, draw_commits


class Mixed(NamedTuple):
    """Positives and allowed of a rows.Step, for several repositories."""

    positives: np.ndarray
    allowed: np.ndarray


def step_shares(repositories, issues):
    """Returns the probability of each repository for a step, proportional to the root of its commits. If a share `issues` is given,
    repositories of real issues have that share together, proportional to their number of issues.
    """
    roots = [math.sqrt(len(repository.commits)) for repository in repositories]
    if issues is None:
        return roots
    real = [len(of.commits) if of.real else 0 for of in repositories]
    mined = [0 if of.real else root for of, root in zip(repositories, roots)]
    shares = [issues / max(1, sum(real)), (1 - issues) / max(1e-9, sum(mined))]
    return [a * shares[0] + b * shares[1] for a, b in zip(real, mined)]


def add_draw_options(add, texts, hard, queries=24):
    """Adds the options of draw_step and with_gaps. texts, hard, queries: defaults of these options."""
    add("--texts", type=int, default=texts, help="texts of one repository in a step, queries and chunks together")
    add("--queries", type=int, default=queries)
    add("--positives", type=int, default=2, help="maximum number of edited chunks of a query")
    add("--hard", type=int, default=hard, help="number of chunks that BM25 finds for a query")
    add("--siblings", type=int, default=1, help="number of unedited chunks of the edited files")
    add("--random", type=int, default=0, help="random chunks of the repository, besides those that fill up --texts")
    add("--gaps", type=float, default=0.1, help="share of tokens to leave out")
    add("--plain", type=float, default=0.3, help="share of queries that stay commit messages")


class Draws:
    """repositories: rows.Repository each. The draws of a step depend only on the seed and the number of the step."""

    def __init__(self, repositories, options):
        self.repositories, self.options = repositories, options
        self.weights = step_shares(repositories, options.issues)

    def step(self, number):
        """Draws a step. Returns the texts of the queries and of the documents, each a pair of ids and types, and the rows.Step."""
        rng = random.Random(self.options.seed * 1_000_003 + number)
        gaps = np.random.default_rng([self.options.seed, number])
        if self.options.others:
            queries, documents, drawn = self.mixed(rng)
        else:
            repository = rng.choices(self.repositories, self.weights)[0]
            drawn = draw_step(repository, rng, self.options)
            queries = [repository.queries.of(number) for number in drawn.queries]
            documents = [repository.documents.of(number) for number in drawn.documents]
        share = self.options.gaps
        return [with_gaps(text, gaps, share) for text in queries], [with_gaps(text, gaps, share) for text in documents], drawn

    def mixed(self, rng):
        """Draws a step in which every query and its negatives are from different repositories, in contrast to CoRet."""
        queries, documents, own = [], [], []
        for place in rng.sample(range(len(self.repositories)), min(self.options.queries, len(self.repositories))):
            repository = self.repositories[place]
            commit = rng.choice(repository.commits)
            edited = rng.sample(commit["pos"], min(self.options.positives, len(commit["pos"])))
            own += [len(queries)] * len(edited)
            queries.append(repository.queries.of(repository.query(commit, rng, self.options.plain)))
            documents += [repository.documents.of(i) for i in edited]
        while len(queries) + len(documents) < self.options.texts:
            repository = rng.choices(self.repositories, self.weights)[0]
            own.append(-1)
            documents.append(repository.documents.of(rng.choice(repository.pools[0].tolist())))
        positives = np.arange(len(queries))[:, None] == np.array(own)
        return queries, documents, Mixed(positives, ~positives)


def draw_step(repository, rng, options):
    """Draws a rows.Step: commits of one snapshot, and for each some edited chunks, and unedited chunks that BM25 found or that are
    siblings. Adds commits up to the maximum number of texts.
    """
    snapshot, commits = draw_commits(repository, rng, options.queries)
    queries = [repository.query(commit, rng, options.plain) for commit in commits]
    documents = {}
    for key, count in (("pos", options.positives), ("neg", options.hard), ("sib", options.siblings)):
        for commit in commits:
            documents.update(dict.fromkeys(rng.sample(commit[key], min(count, len(commit[key])))))
    pool = repository.pools[snapshot]
    count = min(options.random + max(0, options.texts - len(commits) - len(documents)), len(pool))
    documents.update(dict.fromkeys(int(pool[i]) for i in rng.sample(range(len(pool)), count)))
    kept = list(documents)[: max(1, options.texts - len(commits))]
    return Step(repository, commits, queries, [commit["pos"] for commit in commits], np.array(kept))


def with_gaps(text, rng, share):
    """Drops a share of the tokens, except the first, so that the texts of two steps differ."""
    ids, types = text
    kept = rng.random(len(ids)) >= share
    kept[0] = True
    return ids[kept], types[kept]


def compute_weights(repositories, issues, capped, cap):
    """Returns the probability of drawing each repository: float64 [repositories]. It is proportional to the square root of the
    number of its commits or issues.

    issues: share of repositories with real issues together. capped: names of repositories that, of this share, have the share
    `cap` together, if others have real issues too.
    """
    weights = np.sqrt([len(repository.commits) for repository in repositories])
    real = np.array([repository.real for repository in repositories])
    is_capped = np.array([repository.real and repository.name in capped for repository in repositories])
    for mask, share in ((~real, 1 - issues), (real & ~is_capped, issues * (1 - cap)), (is_capped, issues * cap)):
        if mask.any():
            weights[mask] *= share / weights[mask].sum()
    return weights / weights.sum()


def draw_joint_step(repositories, weights, number, options):
    """Draws a step of several repositories. Returns its texts, pairs of ids and types, and a block for each repository.

    A block is (start, queries, documents, positives, allowed): the position of its first query in the texts, its numbers of
    queries and of documents, which follow the queries, and bool [queries, documents] twice, as in rows.Step. number: number of the
    step; the draws depend only on it and on the seed.
    """
    rng = random.Random(options.seed * 1_000_003 + number)
    gaps = np.random.default_rng([options.seed, number])
    texts, blocks = [], []
    for repository in rng.choices(repositories, weights, k=options.repositories_per_step):
        step, start = draw_step(repository, rng, options), len(texts)
        queries = [repository.queries.of(i) for i in step.queries]
        documents = [repository.documents.of(i) for i in step.documents]
        texts += [with_gaps(text, gaps, options.gaps) for text in queries + documents]
        blocks.append((start, len(step.queries), len(step.documents), step.positives, step.allowed))
    return texts, blocks
