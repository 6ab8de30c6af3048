"""Measures an encoder cheaply on repositories to tune on: the edited chunks among similar ones."""

import random

import numpy as np

from transformer.embed import embed

# Number of commits of a repository
COMMITS = 30


def first_places(encoder, repositories, budget, device):
    """Returns {"first place", "MRR", "queries"} for the best edited chunk among siblings and chunks that BM25 found."""
    ranks = []
    for of in repositories:
        commits = random.Random(of.name).sample(of.commits, min(COMMITS, len(of.commits)))
        candidates = [list(dict.fromkeys([*commit["pos"], *commit["neg"], *commit["sib"]])) for commit in commits]
        numbers = sorted({i for found in candidates for i in found})
        places = {number: place for place, number in enumerate(numbers)}
        codes = embed(encoder, of.documents, numbers, budget, device)
        queries = embed(encoder, of.queries, of.messages()[[commit["row"] for commit in commits]], budget, device)
        for commit, found, query in zip(commits, candidates, queries):
            scores = (codes[[places[i] for i in found]] @ query).numpy()
            edited = len(commit["pos"])
            ranks.append(1 + int((scores[edited:] >= scores[:edited].max()).sum()))
    ranks = np.array(ranks)
    return {"first place": round(float((ranks == 1).mean()), 3), "MRR": round(float((1 / ranks).mean()), 3), "queries": len(ranks)}
