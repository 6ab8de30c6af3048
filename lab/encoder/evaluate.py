"""Step 4: measures a bag encoder alone on real issues and on commits. docs/explanation/evaluation.md defines the metrics.

    python3 lab/encoder/evaluate.py --run <folder> --rows <folder of training-rows>
    python3 lab/encoder/evaluate.py --model models/bag-1 --rows <folder that training-rows --model models/bag-1 wrote>
"""

import argparse
import collections

import numpy as np
import torch

from model import Bag
from rows import OPTIONAL_FIELDS, TUNE, load_issues, load_rows
from runs import load_exported, load_runs

BATCH = 4096


def embed_texts(encoder, texts, numbers):
    """Returns unit vectors of some texts: float32 [texts, d]."""
    table = encoder.table()
    batches = [texts.take(numbers[start : start + BATCH]) for start in range(0, len(numbers), BATCH)]
    return torch.cat([torch.zeros(0, encoder.dimensions), *(encoder.embed(Bag(batch), table) for batch in batches)])


def commit_ranks(embed, rows, **options):
    """Returns {commit: ranks of its edited chunks} for the commits of the repositories to tune on, by their messages alone.

    embed(texts, numbers): returns unit vectors. options: those of rows.Repository. Candidates are the chunks of the snapshot
    nearest in time, without other versions of the edited chunks.
    """
    ranks = {}
    for of in load_rows([rows], TUNE, **options):
        codes, queries = embed(of.documents, np.arange(of.chunks)), embed(of.queries, of.messages())
        for i, (commit, query) in enumerate(zip(of.commits, queries)):
            pool = of.pools[commit["snap"]]
            others = pool[~np.isin(of.keys[pool], of.keys[commit["pos"]])]
            candidates = np.concatenate([commit["pos"], others]).astype(np.int64)
            ranks[f"{of.name}-{i}"] = ranks_of(codes, candidates, commit["pos"], query)
    return ranks


def issue_ranks(embed, rows, **options):
    """Returns {instance: ranks of the chunks that its fix edited}."""
    ranks = {}
    for of in load_issues(rows, **options):
        codes, queries = embed(of.documents, np.arange(of.chunks)), embed(of.queries, of.messages())
        for instance, issue, query in zip(of.instances, of.commits, queries):
            if issue["pos"]:
                ranks[instance] = ranks_of(codes, issue["candidates"], issue["pos"], query)
    return ranks


def ranks_of(codes, candidates, edited, query):
    """Returns the ranks, from 1, of the edited chunks among the candidates. In ties, the others come first. codes: unit vectors of all chunks."""
    scores = (codes[candidates] @ query).numpy()
    place = {number: i for i, number in enumerate(candidates)}
    return [int((scores >= scores[place[number]]).sum()) for number in edited]


MEASURES = {
    "perfect recall@5": lambda r: float(max(r) <= 5),
    "perfect recall@20": lambda r: float(max(r) <= 20),
    "recall@5": lambda r: sum(x <= 5 for x in r) / len(r),
    "recall@20": lambda r: sum(x <= 20 for x in r) / len(r),
    "MRR": lambda r: 1 / min(r),
}


def summary(ranks):
    means = {name: round(float(np.mean([of(r) for r in ranks.values()])), 4) for name, of in MEASURES.items()}
    return {"issues": len(ranks), **means}


def measure(encoder, rows, without=()):
    """Returns {"commits" or "issues": {instance: ranks}}, as far as the rows have them. without: names of fields to leave out."""

    def embed(texts, numbers):
        return embed_texts(encoder, texts, numbers)

    types = [OPTIONAL_FIELDS[name] for name in without if name in OPTIONAL_FIELDS]
    found = {kind: of(embed, rows, without=types) for kind, of in (("commits", commit_ranks), ("issues", issue_ranks))}
    return {kind: ranks for kind, ranks in found.items() if ranks}


def cross_validated(by_setting):
    """Ranks each repository's issues with the setting that is best for all other repositories.

    by_setting: {setting: {instance: ranks}}. Returns {instance: ranks}, and the chosen setting by repository.
    """
    repositories = {instance.rsplit("-", 1)[0] for ranks in by_setting.values() for instance in ranks}
    chosen, held_out = {}, {}
    for repository in sorted(repositories):

        def merit(setting):
            others = {i: r for i, r in by_setting[setting].items() if not i.startswith(repository + "-")}
            means = summary(others)
            return sum(means[name] for name in ("perfect recall@5", "perfect recall@20", "MRR"))

        chosen[repository] = max(by_setting, key=merit)
        of = by_setting[chosen[repository]]
        held_out.update({i: r for i, r in of.items() if i.startswith(repository + "-")})
    return held_out, chosen


def compare(runs, rows, settings, callees):
    by_setting = {}
    for setting in settings:
        by_setting[setting] = measure(load_runs(runs, setting, callees)[0], rows)["issues"]
        print("identity", setting, summary(by_setting[setting]), flush=True)
    held_out, chosen = cross_validated(by_setting)
    print("each repository with the best setting for the others", summary(held_out), chosen)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measured = options.add_mutually_exclusive_group(required=True)
    measured.add_argument("--run", nargs="+", help="runs; several are averaged")
    measured.add_argument("--model", help="folder of an exported model")
    options.add_argument("--rows", required=True, help="folder of rows with the tokens of the run or model")
    options.add_argument("--identity", default="0", help="one number, or several to choose from, separated by commas")
    options.add_argument("--callees", type=float, default=1, help="factor of the weight of callees")
    options = options.parse_args()
    settings = [float(x) for x in options.identity.split(",")]
    if options.run and len(settings) > 1:
        compare(options.run, options.rows, settings, options.callees)
        return
    if options.model:
        encoder, _ = load_exported(options.model)
    else:
        encoder, _ = load_runs(options.run, settings[0], options.callees)
    measured = measure(encoder, options.rows)
    by_repository = collections.defaultdict(dict)
    for instance, of in (item for ranks in measured.values() for item in ranks.items()):
        by_repository[instance.rsplit("-", 1)[0]][instance] = of
    for name, of in sorted(by_repository.items()):
        print(name, summary(of))
    for kind, ranks in measured.items():
        print(f"all {kind}", summary(ranks))


if __name__ == "__main__":
    main()
