"""Ranked lists: what a step draws of them, and how well scores order them."""

import hashlib
import math
import random

import numpy as np
import torch

from evaluate import MEASURES, summary
from rows import Step
from transformer.draws import with_gaps
from transformer.unpadded import concatenate

# Rank of an edited chunk that is not in the list
MISSING = 1000
# Maximum number of edited chunks of a list that is drawn
POSITIVES = 4
# Weights of a model's standardized scores to choose from, and factors of the sum
WEIGHTS = [0, *(2 ** (i / 2) for i in range(-8, 7))]
SURENESS = [2 ** (i / 2) for i in range(-6, 7)]
RESAMPLES = 2000


def draw_candidates(commit, rng, size):
    """Returns positions of at most `size` candidates, in the order of the list: up to four edited ones, the unedited ones that rank
    first as half of the others, and random ones.
    """
    if len(commit["candidates"]) <= size:
        return list(range(len(commit["candidates"])))
    edited = set(commit["pos"])
    all_positives = [i for i, number in enumerate(commit["candidates"]) if number in edited]
    positives = rng.sample(all_positives, min(POSITIVES, len(all_positives)))
    others = [i for i, number in enumerate(commit["candidates"]) if number not in edited]
    first = (size - len(positives) + 1) // 2
    drawn = rng.sample(others[first:], min(size - len(positives) - first, len(others[first:])))
    return sorted([*positives, *others[:first], *drawn])


class PairDraws:
    """Draws lists as texts of pairs: an issue, and one of its candidates after it.

    A block is (scores, known, positives, allowed), [lists, size] each: the initial scores, float32, or zeros where `known` is false, and
    the edited and the unedited candidates. Lists with fewer candidates have neither at their end.
    """

    def __init__(self, repositories, weights, options):
        self.repositories, self.weights, self.options = repositories, weights, options

    def draw(self, number, _progress):
        options = self.options
        rng = random.Random(options.seed * 1_000_003 + number)
        gaps = np.random.default_rng([options.seed, number])
        shape = (options.lists, options.candidates)
        scores, known = np.zeros(shape, np.float32), np.zeros(shape, bool)
        positives, allowed = np.zeros(shape, bool), np.zeros(shape, bool)
        pairs = []
        for row, repository in enumerate(rng.choices(self.repositories, self.weights, k=options.lists)):
            commit = rng.choice(repository.commits)
            query = with_gaps(repository.queries.of(repository.query(commit, rng, options.plain)), gaps, options.gaps)
            drawn = draw_candidates(commit, rng, options.candidates)
            numbers = [commit["candidates"][i] for i in drawn]
            pairs += [pair(query, with_gaps(repository.documents.of(i), gaps, options.gaps)) for i in numbers]
            if rng.random() >= options.unscored:
                scores[row, : len(drawn)], known[row] = commit["scores"][drawn], True
            positives[row, : len(drawn)] = np.isin(numbers, commit["pos"])
            allowed[row, : len(drawn)] = ~positives[row, : len(drawn)]
        return pairs, (scores, known, positives, allowed)


class TargetDraws:
    """Draws lists of several repositories, with the scores of a teacher, commit["teacher"], float32 [candidates].

    A block is that of draw_joint_step, with the teacher's scores, float32 [queries, documents]: -inf for chunks of other lists.
    """

    def __init__(self, repositories, weights, options):
        self.repositories, self.weights, self.options = repositories, weights, options

    def draw(self, number, _progress):
        options = self.options
        rng = random.Random(options.seed * 1_000_003 + number)
        gaps = np.random.default_rng([options.seed, number])
        texts, blocks = [], []
        for repository in rng.choices(self.repositories, self.weights, k=options.repositories_per_step):
            commits = rng.sample(repository.commits, min(options.queries, len(repository.commits)))
            queries = [repository.query(commit, rng, options.plain) for commit in commits]
            documents = np.array(list(dict.fromkeys(i for commit in commits for i in commit["candidates"])))
            step = Step(repository, commits, queries, [commit["pos"] for commit in commits], documents)
            places = {number: place for place, number in enumerate(documents.tolist())}
            targets = np.full(step.positives.shape, -np.inf, np.float32)
            for row, commit in enumerate(commits):
                targets[row, [places[i] for i in commit["candidates"]]] = commit["teacher"]
            start = len(texts)
            texts += [with_gaps(repository.queries.of(i), gaps, options.gaps) for i in queries]
            texts += [with_gaps(repository.documents.of(i), gaps, options.gaps) for i in documents]
            blocks.append((start, len(queries), len(documents), step.positives, step.allowed, targets))
        return texts, blocks


def message(repository, commit):
    """Returns the ids and types of a commit's unchanged message, or of an issue."""
    return repository.queries.of(commit["row"] * repository.variants)


def pair(query, document):
    """Returns the ids and types of an issue, followed by a chunk."""
    return tuple(np.concatenate(both) for both in zip(query, document))


def rows_of(texts, budget):
    """Yields Rows of texts, pairs of ids and types, with about `budget` tokens each."""
    start = total = 0
    for end, (ids, _) in enumerate(texts):
        total += len(ids)
        if total >= budget:
            yield concatenate(texts[start : end + 1])
            start, total = end + 1, 0
    if start < len(texts):
        yield concatenate(texts[start:])


@torch.no_grad()
def cosines(unpadded, repositories, budget):
    """Returns an encoder's scores of the lists: {(repository, row of the commit): float [candidates]}. unpadded: Unpadded."""
    made = {}
    for of in repositories:
        numbers = list(dict.fromkeys(i for commit in of.commits for i in commit["candidates"]))
        places = {number: len(of.commits) + place for place, number in enumerate(numbers)}
        texts = [message(of, commit) for commit in of.commits] + [of.documents.of(i) for i in numbers]
        vectors = torch.cat([unpadded.embed(row).cpu() for row in rows_of(texts, budget)])
        for query, commit in zip(vectors, of.commits):
            candidates = vectors[[places[i] for i in commit["candidates"]]]
            made[of.name, of.real, commit["row"]] = (candidates @ query).numpy()
    return made


def ranks_of(commit, scores):
    """Returns the ranks, from 1, of a list's edited chunks. In ties, the others come first."""
    places = {number: i for i, number in enumerate(commit["candidates"])}
    ranks = [int((scores >= scores[places[number]]).sum()) for number in commit["pos"]]
    return ranks + [MISSING] * (commit["edited"] - len(ranks))


class Measured:
    """Lists to measure on. Half of the families choose the weight of a model's scores for the other half."""

    def __init__(self, repositories):
        """repositories: rows.Repository each, of the part to tune on."""
        self.lists = {(of.name, of.real, commit["row"]): commit for of in repositories for commit in of.commits if commit["edited"]}
        self.halves = {key: is_first(key[0]) for key in self.lists}

    def measure(self, models):
        """Returns {kind: {name: measures}} of the initial ranking, and of each model alone and added. Kinds are commits and issues.
        models: {name: scores by list}, as from cosines().
        """
        found = {}
        for kind, real in (("commits", False), ("issues", True)):
            keys = [key for key in self.lists if key[1] == real]
            if not keys:
                continue
            initial = {key: self.lists[key]["scores"].astype(float) for key in keys}
            ranks = {"initial ranking": self.ranks(initial)}
            chosen = {}
            for name, scores in models.items():
                ranks[f"{name} alone"] = self.ranks({key: scores[key] for key in keys})
                columns, weights = self.add(initial, scores)
                ranks[f"{name} added"], chosen[f"{name} added"] = self.ranks(columns), weights
            first = ranks["initial ranking"]
            found[kind] = {
                name: {**summary(of), "weights": chosen.get(name, ""), "minus initial": differences(of, first)} for name, of in ranks.items()
            }
            for name in models:
                if "coret-1 added" in ranks and name != "coret-1":
                    found[kind][f"{name} added"]["minus coret-1 added"] = differences(ranks[f"{name} added"], ranks["coret-1 added"])
        return found

    def ranks(self, scores):
        return {key: ranks_of(self.lists[key], of) for key, of in scores.items()}

    def add(self, initial, scores):
        """Returns the initial scores with a model's, by list, and the weights. Each half has the weight that is likeliest for the other."""
        deviation = math.sqrt(np.mean([np.var(scores[key]) for key in initial])) or 1
        columns = {key: (scores[key] - np.mean(scores[key])) / deviation for key in initial}
        weights = {}
        for half in (True, False):
            others = [key for key in initial if self.halves[key] != half and self.lists[key]["pos"]]
            weights[half] = min(WEIGHTS, key=lambda weight: self.loss(others, initial, columns, weight)) if others else 1.0
        added = {key: initial[key] + weights[self.halves[key]] * columns[key] for key in initial}
        return added, [round(weight, 3) for weight in weights.values()]

    def loss(self, keys, initial, columns, weight):
        """Returns the mean of -log likelihood of the edited candidates, with the best factor of the scores."""
        by_factor = [[self.list_loss(key, factor * (initial[key] + weight * columns[key])) for key in keys] for factor in SURENESS]
        return min(np.mean(losses) for losses in by_factor)

    def list_loss(self, key, scores):
        commit = self.lists[key]
        is_edited = np.isin(commit["candidates"], commit["pos"])
        others = np.logaddexp.reduce(scores[~is_edited]) if (~is_edited).any() else -np.inf
        return np.mean(np.logaddexp(0, others - scores[is_edited]))


def is_first(name):
    """Returns true for families of the first half. Forks differ in their owner only."""
    family = name.lower().rpartition("+")[2]
    return hashlib.sha256(family.encode()).digest()[0] % 2 == 0


def differences(ranks, others):
    """Returns {measure: [difference, lower, upper]} of paired means, with 95% intervals by bootstrap over the lists."""
    picks = np.random.default_rng(0).integers(0, len(ranks), (RESAMPLES, len(ranks)))
    made = {}
    for name in ("perfect recall@5", "MRR"):
        each = np.array([MEASURES[name](ranks[key]) - MEASURES[name](others[key]) for key in ranks])
        bounds = np.quantile(each[picks].mean(1), [0.025, 0.975])
        made[name] = [round(float(value), 3) for value in (each.mean(), *bounds)]
    return made
