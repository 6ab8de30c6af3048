"""What is known of a step's documents before the transformer reads them: BM25, and a bag encoder's similarity.

`train --beside` adds it to the transformer's own in the loss, so that it learns what the two do not see, as search adds
its similarity to a list that has both (Gao et al., Complement Lexical Retrieval Model with Semantic Residual Embeddings,
ECIR 2021). A bag encoder is too sure of repositories that it has learned from: of these, BM25 stands alone.
"""

import os

import numpy as np
import torch

from evaluate import embed_texts
from rows import CALLEES, TRAIN, load_rows
from runs import load_exported
from transformer.bm25 import Index
from vectors import read_vectors, vectors_file, write_vectors

# BM25 is measured in what the best so many have more than the mean of all.
BEST = 50
# Queries that the two weights are fitted to, chunks drawn against each, and edited chunks at most.
FITTED, DRAWN, EDITED = 200, 1500, 6


def add_options(add):
    add("--rows", required=True, help="folder of training-rows --model <the bag encoder>, made of the same data")
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
    """folder: of `beside`. repositories: rows.Repository each; of those that the folder lacks, BM25 stands alone.

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
        """Cosine and BM25, float32 [documents, 2]."""
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
        """The likeliest weights, by the edited chunks of some queries against chunks of their snapshots."""
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
        """What is measured of edited and of other chunks, for a commit at random."""
        commit = repository.commits[rng.integers(len(repository.commits))]
        pool = repository.pools[commit["snap"]]
        pool = pool[~np.isin(repository.keys[pool], repository.keys[commit["pos"]])]
        drawn = rng.choice(pool, min(DRAWN, len(pool)), replace=False)
        edited = commit["pos"][:EDITED]
        others = np.unique(np.concatenate([drawn, commit["neg"]]).astype(np.int64))
        made = torch.from_numpy(self._measured(repository, commit, np.concatenate([edited, others])))
        return made[: len(edited)], made[len(edited) :]
