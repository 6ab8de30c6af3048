"""What is known of a step's documents before the transformer reads them: BM25, and a bag encoder's similarity.

`train --beside` adds it to the transformer's own in the loss, so that it learns what the two do not see, as search adds
its similarity to a list that has both (Gao et al., Complement Lexical Retrieval Model with Semantic Residual Embeddings,
ECIR 2021). A bag encoder is too sure of repositories that it has learned from: of these, BM25 stands alone.
"""

import json
import os

import numpy as np
import torch

from corpus import BagRepository, training_names
from evaluate import embed_tokens
from exported import load_exported
from model import Bag
from queries import as_it_is, query_tokens
from split import Split
from transformer.bm25 import Index
from vectors_file import read_vectors, vectors_file, write_vectors

# Repositories that each model learned from.
TRAINED_ON = os.path.join(os.path.dirname(__file__), "..", "..", "split", "trained-on")
# BM25 is measured in what the best so many have more than the mean of all.
BEST = 50
# Queries that the two weights are fitted to, chunks drawn against each, and edited chunks at most.
FITTED, DRAWN, EDITED = 200, 1500, 6


def add_options(add):
    add("--bags", required=True, help="folder of lab/encoder/prepare.py, made of the same data")
    add("--model", required=True, help="folder of a bag encoder")
    add("--out", required=True)


def run(options):
    os.makedirs(options.out, exist_ok=True)
    encoder, vocabulary = load_exported(options.model)
    family, learned = Split.read().family, trained_on(os.path.basename(os.path.normpath(options.model)))
    for name in training_names(options.bags):
        file = vectors_file(options.out, name)
        if family(name) in learned or os.path.exists(file):
            continue
        of = BagRepository(options.bags, name, vocabulary)
        documents = embed_tokens(encoder, of.ids, of.fields, of.counts, of.offsets)[: of.chunks]
        queries = torch.zeros(of.messages, encoder.dimensions)
        if of.commits:
            tokens = query_tokens(vocabulary, [as_it_is(commit) for commit in of.commits])
            queries[[commit["row"] for commit in of.commits]] = encoder.embed(Bag(*tokens))
        write_vectors(file, documents, queries)
        print(name, len(documents), "documents", len(of.commits), "queries", flush=True)


def trained_on(model):
    """The families of the repositories that a model has learned from; none where nothing is written down of it."""
    file = os.path.join(TRAINED_ON, model + ".json")
    if not os.path.exists(file):
        return set()
    with open(file, encoding="utf-8") as stream:
        return set(map(Split.read().family, json.load(stream)["repositories"]))


class Beside:
    """folder: of `beside`. repositories: TokenRepository each; of those that the folder lacks, BM25 stands alone.

    weights: float [2], of the bag's cosine and of BM25, the same for all repositories.
    """

    def __init__(self, folder, repositories, seed):
        self._folder, self._of = folder, {}
        self.weights = self._fit(repositories, np.random.default_rng(seed))

    def scores(self, repository, commits, documents):
        """What to add to the scores of documents, numbers of chunks, for each commit: float32 [commits, documents]."""
        return torch.stack([torch.from_numpy(self._measured(repository, of, documents)) @ self.weights for of in commits])

    def _measured(self, repository, commit, documents):
        """Cosine and BM25, float32 [documents, 2]."""
        index, vectors = self._loaded(repository)
        scores = index.scores(repository.tokens.query(commit["row"])[0])
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
            index = Index([repository.tokens.own(i) for i in range(repository.chunks)])
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
