"""Measures what relations between the candidates of a list add to its order.

    python lab/lists/second_pass.py <folder of lists>

`training-lists` writes the lists. For each relation, a weight beside the score of the initial ranking is fitted by the likelihood
of the edited chunks among the first hundred, and measured on repositories that it was not fitted on (five folds). Prints the
mean difference of each measure with its 95% bootstrap interval. Needs numpy.
"""

import glob
import hashlib
import json
import re
import sys

import numpy as np

FIRST = 100
FOLDS = 5
L2 = 0.02
STEPS = 80
RATE = 0.08
RESAMPLES = 1500
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
ABILITY = re.compile(
    r"\b(add|support|allow|feature|implement|missing|should (have|provide|accept)|request|enhancement|lack|new|provide|enable|ability|extend)\b",
    re.IGNORECASE,
)
CONSTRUCTORS = {"__init__", "constructor", "initialize", "new"}


def owner(name: str) -> str:
    """Returns the qualified name of the class around a definition, '' without one."""
    return name.rpartition(".")[0]


def short(name: str) -> str:
    return name.rpartition(".")[2]


def softmax(scores: np.ndarray) -> np.ndarray:
    odds = np.exp(scores - scores.max())
    return odds / odds.sum()


def callees(candidate: dict) -> set[str]:
    """Returns the names of the functions that a candidate calls, as far as its document has them."""
    heads = (callee if isinstance(callee, str) else callee.get("text", "") for callee in candidate["callees"])
    return {head.split("(")[0].split(" ")[-1] for head in heads}


def relations(item: dict) -> dict[str, np.ndarray]:
    """Returns a value for each of the first candidates, by relation. A related candidate counts by its probability."""
    candidates = item["candidates"][:FIRST]
    count, top = len(candidates), min(10, len(candidates))
    share = softmax(np.array([candidate["score"] for candidate in candidates]))
    paths = np.array([candidate["path"] for candidate in candidates])
    names = np.array([candidate["name"] for candidate in candidates])
    owners = np.array([owner(name) for name in names])
    shorts = np.array([short(name) for name in names])
    is_class = np.array([candidate["kind"] == "class" for candidate in candidates])
    called = [callees(candidate) for candidate in candidates]
    words = [set(WORD.findall(candidate["text"])) for candidate in candidates]
    asks = 1.0 if ABILITY.search(item["issue"].split("\n", 1)[0]) else 0.0

    def among_first(related) -> np.ndarray:
        """Sums the probability of the first ten candidates that are related to each candidate."""
        table = [[float(i != j) * related(i, j) for j in range(top)] for i in range(count)]
        return np.array(table) @ share[:top]

    same_file = (paths[:, None] == paths[None, :]) & ~np.eye(count, dtype=bool)
    member = same_file & is_class[:, None] & (owners[None, :] == names[:, None])
    sibling = same_file & (owners[:, None] == owners[None, :]) & (owners != "")[:, None] & ~is_class[:, None]
    of_class = np.array([share[(names == owners[i]) & (paths == paths[i])].sum() for i in range(count)])
    constructs = np.array([short(owners[i]) == shorts[i] or shorts[i] in CONSTRUCTORS for i in range(count)])

    def alike(i: int, j: int) -> float:
        return len(words[i] & words[j]) / max(1, len(words[i] | words[j]))

    return {
        "class, by its members": member @ share,
        "class, by members in the first five": member[:, :5].sum(1) * 1.0,
        "class, if the title asks for an ability": is_class * asks,
        "its file": same_file @ share,
        "its class": sibling @ share,
        "method of a likely class": of_class,
        "constructor of a likely class": constructs * of_class,
        "called by the first ten": among_first(lambda i, j: shorts[i] in called[j]),
        "calls one of the first ten": among_first(lambda i, j: shorts[j] in called[i]),
        "shares a callee with them": among_first(lambda i, j: bool(called[i] & called[j])),
        "overload of the first ten": among_first(lambda i, j: names[i] == names[j] and paths[i] == paths[j]),
        "same name elsewhere": among_first(lambda i, j: shorts[i] == shorts[j] and names[i] != names[j] and not is_class[i]),
        "same words (Jaccard)": among_first(alike),
        "twin (Jaccard over 0.6)": among_first(lambda i, j: alike(i, j) > 0.6),
    }


class Lists:
    """Scores, labels and relations of all lists, padded to the same length."""

    def __init__(self, folder: str) -> None:
        items = [json.loads(line) for path in sorted(glob.glob(f"{folder}/*.jsonl")) for line in open(path, encoding="utf-8")]
        made = [relations(item) for item in items]
        self.names = list(made[0])
        shape = (len(items), FIRST)
        self.scores = np.full(shape, -50.0)
        self.labels = np.zeros(shape)
        self.values = np.zeros((*shape, len(self.names)))
        for at, (item, values) in enumerate(zip(items, made)):
            candidates = item["candidates"][:FIRST]
            self.scores[at, : len(candidates)] = [candidate["score"] for candidate in candidates]
            self.labels[at, : len(candidates)] = [candidate["isEdited"] for candidate in candidates]
            self.values[at, : len(candidates)] = np.stack([values[name] for name in self.names], 1)
        self.values /= self.values.reshape(-1, len(self.names)).std(0) + 1e-9
        self.edited = np.array([item["edited"] for item in items])
        repositories = [item["repo"].lower() for item in items]
        self.repositories = len(set(repositories))
        self.folds = np.array([int(hashlib.sha256(name.encode()).hexdigest(), 16) % FOLDS for name in repositories])


def fit(lists: Lists, columns: list[int], chosen: np.ndarray) -> np.ndarray:
    """Fits weights by Adam: −log of each edited chunk's probability among itself and what is not edited, plus L2."""
    used = chosen & (lists.labels.sum(1) > 0)
    scores, labels, values = lists.scores[used], lists.labels[used], lists.values[used][:, :, columns]
    weights = np.zeros(len(columns))
    first = second = np.zeros(len(columns))
    for step in range(1, STEPS + 1):
        total = scores + values @ weights
        odds = np.exp(total - total.max(1, keepdims=True))
        others = odds * (1 - labels)
        sums = others.sum(1, keepdims=True)
        pull = labels * (1 - odds / (sums + odds)) / labels.sum(1, keepdims=True)
        mean = np.einsum("ij,ijk->ik", others, values) / np.maximum(sums, 1e-12)
        gain = np.einsum("ij,ijk->ik", pull, values) - pull.sum(1, keepdims=True) * mean
        gradient = L2 * weights - gain.mean(0)
        first = 0.8 * first + 0.2 * gradient
        second = 0.95 * second + 0.05 * gradient**2
        weights = weights - RATE * (first / (1 - 0.8**step)) / (np.sqrt(second / (1 - 0.95**step)) + 1e-8)
    return weights


def measure(scores: np.ndarray, labels: np.ndarray, edited: np.ndarray) -> np.ndarray:
    """Returns perfect recall@5, perfect recall@20 and the reciprocal rank, [lists, 3]."""
    ranks = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1, kind="stable") + 1.0
    last = np.where(labels > 0, ranks, -np.inf).max(1)
    best = np.where(labels > 0, ranks, np.inf).min(1)
    whole = labels.sum(1) == edited
    return np.stack([whole & (last <= 5), whole & (last <= 20), 1 / best], 1).astype(float)


def main(folder: str) -> None:
    lists = Lists(folder)
    base = measure(lists.scores, lists.labels, lists.edited)
    random = np.random.default_rng(1)
    drawn = random.integers(0, len(base), (RESAMPLES, len(base)))
    print(f"{len(base)} issues of {lists.repositories} repositories; perfect recall@5, @20 and MRR: {base.mean(0).round(3)}\n")
    print("| relation | weight | perfect recall@5 | perfect recall@20 | MRR |\n|---|---:|---|---|---|")
    everything = list(range(len(lists.names)))
    for title, columns in [*((name, [at]) for at, name in enumerate(lists.names)), ("all of these", everything)]:
        scores, weights = lists.scores.copy(), []
        for fold in range(FOLDS):
            held = lists.folds == fold
            weights.append(fit(lists, columns, ~held))
            scores[held] += lists.values[held][:, :, columns] @ weights[-1]
        gain = measure(scores, lists.labels, lists.edited) - base
        cells = [
            f"{gain[:, k].mean():+.3f} [{low:+.3f}, {high:+.3f}]"
            for k, (low, high) in enumerate(np.quantile(gain[drawn].mean(1), [0.025, 0.975], axis=0).T)
        ]
        shown = f"{np.mean(weights):+.2f}" if len(columns) == 1 else ""
        print(f"| {title} | {shown} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python lab/lists/second_pass.py <folder of lists>")
    main(sys.argv[1])
