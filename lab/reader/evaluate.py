"""Measures a reader on issues, as docs/evaluation.md defines the measures: alone, and added to the ranker's scores with a
weight that is fitted on the other folds, beside the ranker's own order of the same candidates.
"""

import json
import random

import numpy as np
import torch

from reader.corpus import FOLDS, fold, learned_lists, read_lists
from reader.lexicon import Lexicon
from reader.model import Reader, batch

BOOTSTRAPS = 10_000
# Weights that are tried, of a reader's standardised scores.
WEIGHTS = [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.3, 1.6, 2, 2.5, 3, 4]


def add_options(add):
    add("--run", required=True, help="folder of train")
    add("--weights", default="best.pt", help="file of it")
    add("--prepared", required=True)
    add("--lexicon", required=True)
    add("--folds", type=int, nargs="*", help="of the learned issues; all without")
    add("--pool", help="instead of them, the name of a prepared pool")
    add("--most", type=int, default=100, help="candidates that are read; the others keep their places behind")
    add("--out", help="JSON file for the scores, by issue")


def run(options):
    torch.set_num_threads(1)
    lexicon = Lexicon(options.lexicon)
    if options.pool:
        lists = list(read_lists(f"{options.prepared}/pools/{options.pool}", lexicon))
    else:
        lists = learned_lists(options.prepared, lexicon)
        lists = [of for of in lists if options.folds is None or fold(of.family) in options.folds]
    scores = scores_of(load(f"{options.run}/{options.weights}"), lists, lexicon, options.most)
    for name, found in compared(lists, scores).items():
        print(f"{name:32}", json.dumps(found))
    if options.out:
        write_scores(options.out, lists, scores)


def write_scores(file, lists, scores):
    """JSON, {instance: [score of each candidate]}, in the order of the list."""
    with open(file, "w") as stream:
        json.dump({of.instance: [round(float(s), 4) for s in score] for of, score in zip(lists, scores)}, stream)


def compared(lists, scores):
    """{order: summary} of the ranker's order, the reader's, and of both added. scores: float32 [read], of each list."""
    added = added_scores(lists, scores)
    weights = sorted({weight for weight, _ in added["weights"].values()})
    own = [of.scores[: len(s)] for of, s in zip(lists, scores)]
    return {
        "ranker": summary(lists, own),
        "reader": summary(lists, scores),
        f"added, out of fold {weights}": {**summary(lists, added["scores"]), "MRR over the ranker's": gain(lists, own, added["scores"])},
    }


def gain(lists, before, after):
    """How much higher the MRR is, and the ends of the interval in which 95% of paired bootstraps have it."""
    means = [np.array([1 / r[0] if len(r) else 0 for r in map(ranks_of, lists, of)]) for of in (before, after)]
    gains, rng = means[1] - means[0], np.random.default_rng(0)
    drawn = [gains[rng.integers(0, len(gains), len(gains))].mean() for _ in range(BOOTSTRAPS)]
    return [round(float(value), 4) for value in (gains.mean(), *np.quantile(drawn, [0.025, 0.975]))]


def load(file):
    state = torch.load(file)
    reader = Reader(state["shape"])
    reader.load_state_dict(state["reader"])
    return reader.eval()


@torch.no_grad()
def scores_of(reader, lists, lexicon, most=None):
    """The reader's scores of each list's candidates, or the first of them: float32 [read] each."""
    return [reader(batch([of.features(lexicon, most)], reader.gap)).numpy() for of in lists]


def ranks_of(of, scores):
    """Ranks, from 1, of what the fix edits among a list's candidates. Equal scores are put in order at random; those
    that were not read stay behind.
    """
    order = np.lexsort((np.random.default_rng(0).random(len(scores)), -np.asarray(scores)))
    order = np.concatenate([order, np.arange(len(scores), len(of.labels))])
    return 1 + np.flatnonzero(of.labels[order])


def summary(lists, scores):
    """Means over issues."""
    ranks = [ranks_of(of, score) for of, score in zip(lists, scores)]

    def perfect(limit):
        return np.mean([len(r) >= of.edited and r[-1] <= limit for of, r in zip(lists, ranks)])

    reciprocal = np.mean([1 / r[0] if len(r) else 0 for r in ranks])
    made = {"perfect recall@5": perfect(5), "perfect recall@20": perfect(20), "MRR": reciprocal}
    return {"issues": len(lists), **{name: round(float(value), 4) for name, value in made.items()}}


def added_scores(lists, scores):
    """The ranker's scores plus the reader's, standardised, times a weight that makes the edits of the other folds
    likeliest: {"scores": of each list, "weights": {fold: (weight, sharpness)}}. Families are the folds where they are few.
    """
    families = sorted({of.family for of in lists})
    group = fold if len(families) > 2 * FOLDS else families.index
    groups = [group(of.family) for of in lists]
    columns = [(of.scores[: len(s)].astype(np.float64), standardised(s)) for of, s in zip(lists, scores)]
    labels = [of.labels[: len(s)] for of, s in zip(lists, scores)]
    fitted = {}
    for held in sorted(set(groups)):
        rows = [k for k, of in enumerate(groups) if of != held and labels[k].any()]
        fitted[held] = fitted_weight([columns[k] for k in rows], [labels[k] for k in rows])
    made = [own + fitted[of][0] * read for of, (own, read) in zip(groups, columns)]
    return {"scores": made, "weights": fitted}


def standardised(scores):
    scores = np.asarray(scores, np.float64)
    return (scores - scores.mean()) / (scores.std() + 1e-9)


def fitted_weight(columns, labels):
    """The weight among WEIGHTS, and how sharp the sum is to be, that make what was edited likeliest."""
    sharpness = np.geomspace(0.2, 3, 10)

    def loss(weight, sharp):
        total = 0.0
        for (own, read), edited in zip(columns, labels):
            sums = sharp * (own + weight * read)
            total += np.log(np.exp(sums - sums.max()).sum()) + sums.max() - sums[edited].mean()
        return total

    return min(((w, float(s)) for w in WEIGHTS for s in sharpness), key=lambda pair: loss(*pair)) if columns else (0, 1.0)


@torch.no_grad()
def first_places(reader, repositories, count, lexicon):
    """{"first place", "MRR", "queries"} of issues made of commits: of the best edited chunk among the unedited ones."""
    ranks = []
    for repository in repositories:
        rng = random.Random(repository.name)
        for commit in rng.sample(repository.commits, min(count, len(repository.commits))):
            numbers = list(dict.fromkeys([*commit["pos"], *commit["neg"], *commit["sib"]]))
            made = repository.features(commit, numbers, rng, 0.3, lexicon)
            scores, edited = reader(batch([made], reader.gap)).numpy(), len(commit["pos"])
            ranks.append(1 + int((scores[edited:] >= scores[:edited].max()).sum()))
    ranks = np.array(ranks)
    return {"first place": round(float((ranks == 1).mean()), 3), "MRR": round(float((1 / ranks).mean()), 3), "queries": len(ranks)}
