"""Step 4: measures an encoder on real issues, alone, as docs/evaluation.md defines the measures.

    python3 lab/encoder/evaluate.py --run <folder> --issues <folder of lab/encoder/issues.ts>
    python3 lab/encoder/evaluate.py --model models/bag-1 --prepared <folder of prepare.py>
"""

import argparse
import collections
import json
import math
import os

import numpy as np
import torch

from chunks import FIELDS, field_texts
from exported import load_exported
from corpus import OPTIONAL_FIELDS, BagRepository, document_tokens, tuning_names, without_fields
from model import Bag, Encoder
from prepare import PAIR, WORDS_PER_FIELD
from issue_fields import split_issue
from queries import as_it_is, query_tokens
from vocabulary import Vocabulary
from word_vectors import WordVectors
from words import read_features

BATCH = 4096


def load_issues(folder):
    """Of each repository: arrays of its documents' features, and its issues. Features are kept next to the texts."""
    for file in sorted(f for f in os.listdir(folder) if f.endswith(".jsonl")):
        kept = os.path.join(folder, file.replace(".jsonl", ".npz"))
        issues, documents = [], []
        with open(os.path.join(folder, file)) as stream:
            for line in stream:
                if line.startswith('{"instance"'):
                    issues.append(json.loads(line))
                elif not os.path.exists(kept):
                    documents.append(json.loads(line))
        if not issues:
            continue
        if documents:
            features_of(documents, kept)
        yield dict(np.load(kept)), issues


def features_of(documents, kept):
    fields = [
        text
        for d in documents
        for text in field_texts(d["path"], d["text"], d["signatureEnd"], [c["text"] for c in d["callees"]])
    ]
    parts, words = [], []
    size = 20_000 * len(FIELDS)
    for start in range(0, len(fields), size):
        f = read_features(fields[start : start + size], WORDS_PER_FIELD)
        parts.append((f.text + start, f.hash, f.pair, f.count))
        words.append(f.words)
    text, hash, pair, count = (np.concatenate(of) for of in zip(*parts))
    field = (text % len(FIELDS)).astype(np.uint8) | np.where(pair, PAIR, 0).astype(np.uint8)
    sizes = np.bincount(text // len(FIELDS), minlength=len(documents))
    words = np.concatenate(words).reshape(-1, len(FIELDS))
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    np.savez(kept, hash=hash, field=field, count=np.minimum(count, 255).astype(np.uint8), offsets=offsets, words=words)


def embed_documents(encoder, vocabulary, arrays, without=()):
    return embed_tokens(encoder, *document_tokens(vocabulary, arrays), without)


def embed_tokens(encoder, ids, fields, counts, offsets, without=()):
    """without: names of fields that are left out."""
    left_out = [field for name, field in OPTIONAL_FIELDS.items() if name in without]
    if left_out:
        ids, fields, counts, sizes = without_fields(ids, fields, counts, np.diff(offsets), left_out)
        offsets = np.concatenate(([0], np.cumsum(sizes)))
    embedded, table = [], encoder.table()
    for start in range(0, len(offsets) - 1, BATCH):
        ends = offsets[start : start + BATCH + 1]
        part = slice(ends[0], ends[-1])
        embedded.append(encoder.embed(Bag(ids[part], fields[part], counts[part], np.diff(ends)), table))
    return torch.cat(embedded)


def embed_queries(encoder, vocabulary, issues):
    return encoder.embed(Bag(*query_tokens(vocabulary, [split_issue(issue["issue"]) for issue in issues])))


def ranks_of(scores, edited):
    """Ranks from 1 of the edited among all, ties against them."""
    return [int((scores >= scores[i]).sum()) for i in edited]


def issue_ranks(encoder, vocabulary, folder, without=()):
    """{instance: ranks of what its fix edited}"""
    ranks = {}
    for arrays, issues in load_issues(folder):
        codes = embed_documents(encoder, vocabulary, arrays, without)
        queries = embed_queries(encoder, vocabulary, issues)
        ranks.update(ranks_of_issues(issues, codes, queries))
    return ranks


def ranks_of_issues(issues, codes, queries):
    """{instance: ranks of what its fix edited}. codes: unit vectors of all documents; queries: one for each issue."""
    ranks = {}
    for issue, query in zip(issues, queries):
        candidates = issue["candidates"]
        scores = (codes[candidates] @ query).numpy()
        place = {document: i for i, document in enumerate(candidates)}
        ranks[issue["instance"]] = ranks_of(scores, [place[d] for d in issue["edited"]])
    return ranks


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


def measure_issues(encoder, vocabulary, folder):
    return summary(issue_ranks(encoder, vocabulary, folder))


def commit_ranks(encoder, vocabulary, prepared, without=()):
    """{commit: ranks of what it edited} for the commits of repositories that were held out, by message alone."""
    ranks = {}
    for name in tuning_names(prepared):
        repository = BagRepository(prepared, name, vocabulary)
        arrays = repository.ids, repository.fields, repository.counts, repository.offsets
        codes = embed_tokens(encoder, *arrays, without)[: repository.chunks]
        messages = [as_it_is(commit) for commit in repository.commits]
        queries = encoder.embed(Bag(*query_tokens(vocabulary, messages)))
        ranks.update(ranks_of_commits(repository, codes, queries))
    return ranks


def ranks_of_commits(repository, codes, queries):
    """{commit: ranks of what it edited}. codes: unit vectors of all chunks; queries: one for each commit.

    Candidates are the chunks of the snapshot nearest in time. Of what was edited, every other version is left out.
    """
    ranks = {}
    for i, (commit, query) in enumerate(zip(repository.commits, queries)):
        edited = np.array(commit["pos"])
        pool = repository.pools[commit["snap"]]
        others = pool[~np.isin(repository.keys[pool], repository.keys[edited])]
        scores = (codes[np.concatenate([edited, others])] @ query).numpy()
        ranks[f"{repository.name}-{i}"] = ranks_of(scores, range(len(edited)))
    return ranks


def load_runs(runs, identity=0, callees=1):
    """The average of encoders that began with the same vectors, and their vocabulary.

    Averaging weights does better than the best of them (Wortsman et al., Model soups, ICML 2022). runs: folders.
    """
    encoders, vocabularies = zip(*(load_run(run, identity, callees) for run in runs))
    kinds = [(e.dimensions, e.power, v.words) for e, v in zip(encoders, vocabularies)]
    if any(kind != kinds[0] for kind in kinds):
        raise SystemExit(f"{', '.join(runs)} differ in vocabulary, dimensions or power and cannot be averaged")

    def average(name):
        return sum(getattr(e, name) for e in encoders) / len(encoders)

    averaged = Encoder(encoders[0].classes, average("vectors"), encoders[0].power)
    averaged.load({name: average(name) for name in averaged.state() if name != "classes"})
    return averaged, vocabularies[0]


def load_run(run, identity=0, callees=1):
    """The encoder and the vocabulary of a run.

    identity: how much of its first vector is added to every vector once more. Training moves the vectors of words that
    mean similar things together; this makes a word's own occurrence count for more again.
    callees: what the weight of callees is multiplied with. Issues have less to do with them than messages of commits.
    """
    state = torch.load(os.path.join(run, "checkpoint.pt"))
    options = state["options"]
    with open(os.path.join(run, "vocab.txt")) as stream:
        words = stream.read().split()
    vocabulary = Vocabulary(words, options["word_buckets"], options["pair_buckets"])
    vectors = WordVectors(state["parts"], options["dimensions"], options["share"], options["seed"])
    first = vectors.joined()
    vectors.load(state["vectors"])
    encoder = Encoder(state["encoder"]["classes"], vectors.joined() + identity * first, options["power"])
    encoder.load(state["encoder"])
    encoder.field[OPTIONAL_FIELDS["callees"]] += math.log(callees)
    return encoder, vocabulary


def cross_validated(by_setting):
    """Ranks of each repository's issues with the setting that is best for all other repositories.

    by_setting: {setting: {instance: ranks}}. Returns {instance: ranks} and the settings chosen, by repository.
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


def compare(runs, folder, settings, callees):
    by_setting = {}
    for setting in settings:
        by_setting[setting] = issue_ranks(*load_runs(runs, setting, callees), folder)
        print("identity", setting, summary(by_setting[setting]), flush=True)
    held_out, chosen = cross_validated(by_setting)
    print("each repository with the setting that is best for the others", summary(held_out), chosen)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measured = options.add_mutually_exclusive_group(required=True)
    measured.add_argument("--run", nargs="+", help="several are averaged")
    measured.add_argument("--model", help="folder of a model as it was exported")
    options.add_argument("--issues", help="folder of lab/encoder/issues.ts")
    options.add_argument("--prepared", help="folder of prepare.py: measures on commits of the repositories held out")
    options.add_argument("--identity", default="0", help="one number, or several with commas, to choose from")
    options.add_argument("--callees", type=float, default=1, help="what the weight of callees is multiplied with")
    options = options.parse_args()
    settings = [float(x) for x in options.identity.split(",")]
    if options.run and len(settings) > 1:
        compare(options.run, options.issues, settings, options.callees)
        return
    if options.model:
        encoder, vocabulary = load_exported(options.model)
    else:
        encoder, vocabulary = load_runs(options.run, settings[0], options.callees)
    measured = {}
    if options.prepared:
        measured["all commits"] = commit_ranks(encoder, vocabulary, options.prepared)
    if options.issues:
        measured["all issues"] = issue_ranks(encoder, vocabulary, options.issues)
    by_repository = collections.defaultdict(dict)
    for instance, of in (item for ranks in measured.values() for item in ranks.items()):
        by_repository[instance.rsplit("-", 1)[0]][instance] = of
    for name, of in sorted(by_repository.items()):
        print(name, summary(of))
    for kind, ranks in measured.items():
        if ranks:
            print(kind, summary(ranks))


if __name__ == "__main__":
    main()
