"""Scores a step's documents without the transformer: by BM25 and by a bag encoder's similarity.

`train --beside` adds these scores to the transformer's own in the loss, so that the transformer learns what the two miss. Search
adds its similarity to a list that has both (Gao et al., Complement Lexical Retrieval Model with Semantic Residual Embeddings,
ECIR 2021). A bag encoder is overconfident in its training repositories, so for these only BM25 is used.
"""

import os

import numpy as np
import torch

from evaluate import embed_texts
from rows import CALLEES, TRAIN, load_rows
from runs import load_exported
from transformer.bm25 import Index
from vectors import read_vectors, vectors_file, write_vectors

# BM25 scores are scaled by the difference between the mean of this many best documents and the mean of all.
BEST = 50
# Number of queries to fit the two weights, of random chunks for each query, and maximum number of edited chunks
FITTED, DRAWN, EDITED = 200, 1500, 6


def add_options(add):
    add("--rows", required=True, help="folder of training-rows --model <the bag encoder>, made from the same data")
    add("--model", required=True, help="folder of the bag encoder")
    add("--out", required=True)


def run(options):
    os.makedirs(options.out, exist_ok=True)
    encoder, _ = load_exported(options.model)
    for of in load_rows([options.rows], TRAIN):
        file = vectors_file(options.out, of.name)
        if of.learned or os.path.exists(file):
            continue
        documents = embed_texts(encoder, of.documents, np.arange(of.chunks))
        queries = embed_texts(encoder, of.queries, of.messages())
        write_vectors(file, documents, queries)
        print(of.name, len(documents), "documents", len(queries), "queries", flush=True)


class Beside:
    """folder: output of `beside`. repositories: rows.Repository each. For those that are not in the folder, only BM25 is used.

    weights: float [2], of the bag's cosine and of BM25, the same for all repositories.
    """

    def __init__(self, folder, repositories, seed):
        self._folder, self._of = folder, {}
        self.weights = self._fit(repositories, np.random.default_rng(seed))

    def scores(self, step):
        """Returns what to add to the scores of a rows.Step: float32 [queries, documents]."""
        measured = [self._measured(step.repository, commit, step.documents) for commit in step.commits]
        return torch.stack([torch.from_numpy(of) @ self.weights for of in measured])

    def _measured(self, repository, commit, documents):
        """Returns cosine and BM25: float32 [documents, 2]."""
        index, vectors = self._loaded(repository)
        scores = index.scores(repository.queries.of(repository.messages()[commit["row"]])[0])
        pool = scores[repository.pools[commit["snap"]]]
        pool = pool if len(pool) else scores
        spread = max(1.0, np.sort(pool)[-BEST:].mean() - pool.mean())
        cosines = np.zeros(len(documents))
        if vectors:
            cosines = vectors["documents"][documents].astype(np.float32) @ vectors["queries"][commit["row"]].astype(np.float32)
        return np.stack([cosines, (scores[documents] - pool.mean()) / spread], 1).astype(np.float32)

    def _loaded(self, repository):
        if repository.name not in self._of:
            vectors = read_vectors(self._folder, repository) if self._has(repository) else None
            texts = repository.documents.kept(repository.documents.types < CALLEES)
            index = Index([texts.of(i)[0] for i in range(repository.chunks)])
            self._of[repository.name] = index, vectors
        return self._of[repository.name]

    def _has(self, repository):
        return os.path.exists(vectors_file(self._folder, repository.name))

    def _fit(self, repositories, rng):
        """Fits the weights by maximum likelihood of the edited chunks of some queries among chunks of their snapshots."""
        known = [of for of in repositories if self._has(of)]
        samples = [self._sample(known[rng.integers(len(known))], rng) for _ in range(FITTED if known else 0)]
        weights = torch.tensor([10.0, 1.0], requires_grad=True)
        optimizer = torch.optim.LBFGS([weights], max_iter=40, line_search_fn="strong_wolfe")

        def loss():
            optimizer.zero_grad()
            losses = [torch.nn.functional.softplus(torch.logsumexp(n @ weights, 0) - p @ weights).mean() for p, n in samples]
            made = torch.stack(losses).mean() + 1e-3 * weights.square().mean()
            made.backward()
            return made

        if samples:
            optimizer.step(loss)
        return weights.detach()

    def _sample(self, repository, rng):
        """Returns the scores of edited and of other chunks for a random commit."""
        commit = repository.commits[rng.integers(len(repository.commits))]
        pool = repository.pools[commit["snap"]]
        pool = pool[~np.isin(repository.keys[pool], repository.keys[commit["pos"]])]
        drawn = rng.choice(pool, min(DRAWN, len(pool)), replace=False)
        edited = commit["pos"][:EDITED]
        others = np.unique(np.concatenate([drawn, commit["neg"]]).astype(np.int64))
        made = torch.from_numpy(self._measured(repository, commit, np.concatenate([edited, others])))
        return made[: len(edited)], made[len(edited) :]
