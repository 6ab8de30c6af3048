"""Measures adapters: linear maps of an issue's embedding, fitted to the commits of its repository.

    python3 lab/adapter/measure.py --lists <folder of training-lists> --embedded <folder of adapter-embed> --half choose|report|all

The repositories are split in halves by the SHA-256 of their lower-case names. `choose` prints a row for each configuration; `report`
prints those of CHOSEN, gains by number of commits and by language, a gate, and the similarity to past messages as a signal.
Nothing here writes a file. It needs numpy.
"""

import argparse
import hashlib
import json
import pathlib
import re
from types import SimpleNamespace

import numpy as np

ROOT = pathlib.Path(__file__).parents[2]
INITIAL = json.loads((ROOT / "models/ranker-1/initial.json").read_text())["weights"]
MEASURES = ["pr@5", "pr@10", "pr@20", "MRR", "hit@3"]
LISTED = 100
# Issues are fitted together, with the commits that all of them can reach: this many fits for each repository.
FITS = 2
FEWEST = 5
TEMPERATURE = 0.05
RESAMPLES = 10_000
RIDGES = [(kind, ridge, step) for kind in ("hard", "soft") for ridge in (0.3, 1, 3, 10, 30) for step in (0.5, 1, 2)]
CONFIGURATIONS = {
    **{f"ridge to {kind}, {ridge}, {step}": ("ridge", kind, ridge, step) for kind, ridge, step in RIDGES},
    **{f"ridge to edited, 3, {step}": ("ridge", "self", 3, step) for step in (0.5, 1)},
    **{f"rank {rank}": ("rank", "soft", 1, rank) for rank in (8, 16, 32)},
    **{f"diagonal, {step}": ("diagonal", "soft", 1, step) for step in (0.5, 1, 2)},
    **{f"{count} nearest, {step}": ("nearest", "soft", count, step) for count in (3, 10) for step in (0.5, 1)},
}
# The best of each family on the half to choose on, by the MRR of the list; two were chosen on its first eight repositories.
CHOSEN = ["diagonal, 0.5", "10 nearest, 0.5", "3 nearest, 1", "ridge to soft, 1, 0.5", "rank 8"]


def normalize(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)


class Past:
    """Commits to fit an adapter to. `commits` has message, edited and siblings as unit vectors."""

    def __init__(self, commits):
        self.messages = np.array([commit.message for commit in commits])
        self.targets = np.array([commit.edited.mean(0) for commit in commits])
        edited = np.concatenate([commit.edited for commit in commits])
        self.pool = np.concatenate([edited, *(commit.siblings for commit in commits)])
        owners = np.repeat(np.arange(len(commits)), [len(commit.edited) for commit in commits])
        self.own = np.zeros((len(commits), len(self.pool)), bool)
        self.own[owners, np.arange(len(edited))] = True
        self.similarities = np.where(self.own, -9, self.messages @ self.pool.T)
        self.gram = self.messages.T @ self.messages
        self.cache = {}

    def residuals(self, kind):
        """Returns what to add to each message: its edited functions less it, or less the functions that are like it."""
        if kind not in self.cache:
            self.cache[kind] = self.targets - self.negatives(kind)
        return self.cache[kind]

    def negatives(self, kind):
        if kind == "self":
            return self.messages
        if kind == "hard":
            count = min(10, len(self.pool) - 1)
            return self.pool[np.argpartition(-self.similarities, count, axis=1)[:, :count]].mean(1)
        return softmax(self.similarities / TEMPERATURE) @ self.pool

    def solve(self, ridge, right):
        return np.linalg.solve(self.gram + np.float32(ridge) * np.eye(len(self.gram), dtype=np.float32), right)


def softmax(rows):
    powers = np.exp(rows - rows.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def adapt(past, queries, method, kind, strength, step):
    """Returns the adapted queries, unit rows."""
    residuals = past.residuals(kind)
    if method == "ridge":
        shares = past.messages @ past.solve(strength, queries.T)
        return normalize(queries + step * (shares.T @ residuals))
    if method == "rank":
        change = past.solve(strength, past.messages.T @ residuals)
        basis = find_basis(change, step)
        return normalize(queries + (queries @ change @ basis) @ basis.T)
    if method == "diagonal":
        messages = past.messages
        change = (messages * residuals).sum(0) / ((messages**2).sum(0) + strength / messages.shape[1])
        return normalize(queries * (1 + step * change))
    similarities = np.maximum(queries @ past.messages.T, 0)
    count = min(strength, similarities.shape[1])
    least = np.sort(similarities, axis=1)[:, -count][:, None]
    shares = np.where(similarities >= least, similarities, 0)
    shares *= similarities.max(1, keepdims=True) / np.maximum(shares.sum(1, keepdims=True), 1e-9)
    return normalize(queries + step * (shares @ residuals))


def find_basis(change, rank):
    """Returns an orthonormal basis of about the first right singular vectors, by power iteration from a fixed start."""
    basis = np.random.default_rng(0).standard_normal((change.shape[1], rank)).astype(np.float32)
    for _ in range(6):
        basis = np.linalg.qr(change.T @ (change @ basis))[0]
    return basis


def gain_on_commits(commits, configuration):
    """Returns the gain in MRR on each of the last fifth of the commits, of an adapter that is fitted to the others."""
    first = len(commits) - max(len(commits) // 5, 1)
    if first < FEWEST:
        return np.zeros(1)
    held = commits[first:]
    pool = np.concatenate([part for commit in commits for part in (commit.edited, commit.siblings)])
    queries = np.array([commit.message for commit in held])

    def ranks(rows):
        scores = rows @ pool.T
        best = np.array([(commit.edited @ row).max() for commit, row in zip(held, rows)])
        return 1 / (1 + (scores > best[:, None] + 1e-6).sum(1))

    return ranks(adapt(Past(commits[:first]), queries, *configuration)) - ranks(queries)


def read_repository(folder, lists):
    """Reads the commits and issues of a repository."""
    index = json.loads((folder / "index.json").read_text())
    rows = np.fromfile(folder / "vectors.f32", np.float32).reshape(-1, index["dimensions"])
    commits = {
        commit["number"]: SimpleNamespace(
            message=rows[commit["message"]],
            edited=rows[commit["edited"]],
            siblings=rows[np.array(commit["siblings"], int)],
            keys=commit["keys"],
        )
        for commit in index["commits"]
    }
    with open(lists / f"{folder.name}.jsonl") as file:
        by_instance = {one["instance"]: one for one in map(json.loads, file)}
    issues = [read_issue(of, by_instance[of["instance"]], rows, commits) for of in index["issues"]]
    return SimpleNamespace(repo=index["repo"], commits=commits, issues=sorted(issues, key=lambda issue: len(issue.past)))


def read_issue(of, listed, rows, commits):
    candidates = listed["candidates"][: min(LISTED, len(of["candidates"]))]
    names = listed["signals"]
    edited = np.array([candidate["isEdited"] for candidate in candidates])
    issue = SimpleNamespace(
        past=[number for number in of["past"] if number in commits],
        query=rows[of["issue"]],
        prose=rows[of["prose"]],
        documents=rows[of["candidates"][: len(candidates)]],
        edited=edited,
        missed=listed["edited"] - int(edited.sum()),
        score=np.array([candidate["score"] for candidate in candidates]),
        language=candidates[0]["language"],
        keys=[make_key(candidate) for candidate in candidates],
        deviations={},
    )
    for name in ("dense", "denseProse"):
        column = names.index(name)
        pairs = [(one["columns"][column], one["values"][column]) for one in candidates if one["values"][column] is not None]
        issue.deviations[name] = find_deviation(np.array(pairs))
    return issue


def make_key(document):
    """Identifies a function by its path and signature."""
    return document["path"] + "\0" + re.sub(r"\s+", "", document["text"][: document["signatureEnd"]])


def find_deviation(pairs):
    """Returns the deviation by which the ranker divided a signal's values; None if all are equal."""
    if len(pairs) < 3 or np.ptp(pairs, axis=0).min() < 1e-6:
        return None
    return np.polyfit(pairs[:, 0], pairs[:, 1], 1)[0]


def score_list(issue, query, prose):
    """Returns the scores of the list with adapted queries. Their similarities get the spread of the original ones."""

    def swap(original, adapted):
        old, new = issue.documents @ original, issue.documents @ adapted
        return new * (old.std() / max(new.std(), 1e-9)) - old

    change = np.zeros(len(issue.score))
    for name, original, adapted in (("dense", issue.query, query), ("denseProse", issue.prose, prose)):
        if issue.deviations[name]:
            change += INITIAL[name] * swap(original, adapted) / issue.deviations[name]
    return issue.score + change


def measure(issue, scores):
    ranks = np.flatnonzero(issue.edited[np.argsort(-scores, kind="stable")]) + 1
    best, worst = (ranks.min(), ranks.max()) if len(ranks) else (np.inf, np.inf)
    worst = np.inf if issue.missed else worst
    return [worst <= 5, worst <= 10, worst <= 20, 1 / best, best <= 3]


def list_fits(repository):
    """Yields groups of issues with the commits that all of them can reach, the earliest issues first."""
    issues = [issue for issue in repository.issues if len(issue.past) >= FEWEST]
    for part in np.array_split(np.arange(len(issues)), min(FITS, len(issues))) if issues else []:
        group = [issues[i] for i in part]
        common = sorted(set.intersection(*(set(issue.past) for issue in group)))
        if len(common) >= FEWEST:
            yield group, [repository.commits[number] for number in common]


def measure_repository(repository, names, options):
    """Yields a result for each issue: the metrics of the list and of the model alone, without and with each adapter."""
    fitted = set()
    for group, commits in list_fits(repository):
        past = Past(commits)
        queries = np.array([issue.query for issue in group] + [issue.prose for issue in group])
        adapted = {name: adapt(past, queries, *CONFIGURATIONS[name]) for name in names}
        gates = {}
        if options.half != "choose":
            gates = {name: gain_on_commits(commits, CONFIGURATIONS[name]) for name in names}
        for i, issue in enumerate(group):
            fitted.add(id(issue))
            own = {name: (rows[i], rows[len(group) + i]) for name, rows in adapted.items()}
            yield make_result(repository, issue, own, len(commits), gates, find_nearest(issue, commits))
    for issue in repository.issues:
        if id(issue) not in fitted:
            own = dict.fromkeys(names, (issue.query, issue.prose))
            yield make_result(repository, issue, own, len(issue.past), {}, np.zeros(len(issue.score)))


def find_nearest(issue, commits):
    """Returns, for each candidate, the best similarity of the issue to the message of a commit that edited it; 0 if none did."""
    best = {}
    for commit in commits:
        similarity = float(commit.message @ issue.query)
        for key in commit.keys:
            best[key] = max(similarity, best.get(key, 0))
    return np.array([best.get(key, 0) for key in issue.keys])


def make_result(repository, issue, adapted, commits, gates, nearest):
    plain = score_list(issue, issue.query, issue.prose)
    spread = nearest.std()
    column = (nearest - nearest.mean()) / spread if spread > 1e-9 else nearest * 0
    return SimpleNamespace(
        repo=repository.repo,
        language=issue.language,
        commits=commits,
        gates=gates,
        plain=measure(issue, plain),
        alone=measure(issue, issue.documents @ issue.query),
        lists={name: measure(issue, score_list(issue, *pair)) for name, pair in adapted.items()},
        models={name: measure(issue, issue.documents @ pair[0]) for name, pair in adapted.items()},
        nearest={weight: measure(issue, plain + weight * column) for weight in (0.05, 0.1, 0.2)},
    )


def interval(values):
    """Returns the 95% bootstrap interval of a mean, and the p-value of a randomization test."""
    random = np.random.default_rng(1)
    means = values[random.integers(0, len(values), (RESAMPLES, len(values)))].mean(1)
    signs = random.integers(0, 2, (RESAMPLES, len(values))) * 2 - 1
    extreme = (np.abs(signs @ values) >= abs(values.sum()) - 1e-9).sum()
    return *np.quantile(means, (0.025, 0.975)), (extreme + 1) / (RESAMPLES + 1)


def print_table(title, rows):
    print(f"\n{title}\n\n| | {' | '.join(MEASURES)} | MRR 95%, p |\n|---|{'---:|' * 5}---|")
    for name, differences in rows:
        low, high, p = interval(differences[:, 3])
        means = " | ".join(f"{mean:+.3f}" for mean in differences.mean(0))
        print(f"| {name}, {len(differences)} | {means} | {low:+.3f} to {high:+.3f}, {p:.3f} |")


def gains(results, part, base, name):
    return np.array([np.subtract(getattr(one, part)[name], getattr(one, base), dtype=float) for one in results])


def print_tables(results, names, which):
    print_table(f"in the list{which}", [(name, gains(results, "lists", "plain", name)) for name in names])
    print_table(f"the model alone{which}", [(name, gains(results, "models", "alone", name)) for name in names])
    weights = results[0].nearest
    rows = [(f"weight {weight}", gains(results, "nearest", "plain", weight)) for weight in weights]
    print_table(f"similarity to past messages as a signal{which}", rows)


def report_details(results, names):
    languages = {"python": "Python", "java": "Java", "kotlin": "Java"}
    for name in names:
        in_list = gains(results, "lists", "plain", name)
        counts = np.array([one.commits for one in results])
        groups = np.array([languages.get(one.language, "other") for one in results])
        repos = np.array([one.repo for one in results])
        held = np.array([np.mean(one.gates.get(name, [0])) for one in results])
        rows = [(f"{low} to {high} commits", (counts >= low) & (counts < high)) for low, high in ((0, 100), (100, 500), (500, 1001))]
        rows += [(group, groups == group) for group in sorted(set(groups))]
        rows += [(label, mask) for label, mask in (("where commits gain", held > 0), ("where they do not", held <= 0))]
        table = [(label, in_list[mask]) for label, mask in rows if mask.any()]
        table.append(("with the gate", in_list * (held > 0)[:, None]))
        best = {repo: in_list[repos == repo, 3].mean() > 0 for repo in set(repos)}
        table.append(("best choice for each repository", in_list * np.array([best[repo] for repo in repos])[:, None]))
        print_table(f"{name}, in the list", table)
        fits = {(one.repo, one.commits): one.gates[name] for one in results if one.gates}
        held = np.concatenate(list(fits.values()))
        low, high, p = interval(held)
        print(f"\nMRR on {len(held)} held-out commits: {held.mean():+.4f} ({low:+.4f} to {high:+.4f}, p {p:.3f}); {len(fits)} fits")


def find_half(name):
    """Returns the half of a repository. The limit halves the 28 repositories of the first measurement."""
    digest = hashlib.sha256(name.lower().replace("__", "/").encode()).hexdigest()
    return "choose" if digest < "b0" else "report"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lists", type=pathlib.Path, required=True)
    parser.add_argument("--embedded", type=pathlib.Path, required=True)
    parser.add_argument("--half", choices=["choose", "report", "all"], required=True)
    options = parser.parse_args()
    folders = sorted(path.parent for path in options.embedded.glob("*/index.json"))
    folders = [folder for folder in folders if options.half in ("all", find_half(folder.name))]
    names = list(CONFIGURATIONS) if options.half == "choose" else CHOSEN
    results = [one for folder in folders for one in measure_repository(read_repository(folder, options.lists), names, options)]
    plain, alone = (np.mean([getattr(one, base) for one in results], 0).round(3) for base in ("plain", "alone"))
    print(f"{len(results)} issues, {len(folders)} repositories: {', '.join(folder.name for folder in folders)}")
    print(f"list {dict(zip(MEASURES, plain.tolist()))}\nmodel alone {dict(zip(MEASURES, alone.tolist()))}")
    print_tables(results, names, "")
    if options.half == "all":
        for half in ("choose", "report"):
            print_tables([one for one in results if find_half(one.repo) == half], names, f", half to {half}")
    if options.half != "choose":
        report_details(results, names)


main()
