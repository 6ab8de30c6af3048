"""Cuts mined repositories into tokens once.

Written: tokenizer.json; for each repository an .npz of tokens and a .pickle of its history, with unedited chunks that
BM25 finds for each commit; the same for each repository of real issues to learn from; for each repository of issues to
measure on, tokens of its documents. Each file is written once: a run that was stopped goes on where it was.
"""

import json
import multiprocessing
import os
import random
import zlib

import numpy as np

from digests import digest
from issue_fields import split_issue
from prepare import end_of_signature, history, mined_files, read_mined, write_pickle
from queries import as_it_is
from split import TRAIN, TUNE, refuse_breaches
from transformer import inputs
from transformer.bm25 import Index
from transformer.tokenizer import Tokenizer

# Unedited chunks that BM25 finds for a commit, or the ranker for an issue, of which a step draws some.
HARD = 12
# What a candidate of lab/lists has of an EncoderDocument.
DOCUMENT = ("path", "text", "signatureEnd", "doc", "callees")
# Characters that tell what a callee's head is the head of.
HEAD = 200


def add_options(add):
    add("--data", help="folder of .zst files of the task mine")
    add("--learn", help="folder of lab/lists: issues to learn from, whose edits stand for commits")
    add("--issues", help="folder of lab/encoder/issues.ts: issues to measure on")
    add("--out", required=True)
    add("--vocabulary", required=True, help="vocab.txt of the encoder that training starts from")
    add("--processes", type=int, default=os.cpu_count())


def run(options):
    os.makedirs(options.out, exist_ok=True)
    with open(options.vocabulary, encoding="utf-8") as stream:
        tokenizer = Tokenizer(stream.read().split("\n")[:-1])
    tokenizer.write(os.path.join(options.out, "tokenizer.json"))
    # The largest first: none of them is left for last, with one process working on it.
    files = mined_files(options.data) if options.data else []
    work = [(prepare_repository, tokenizer, file, options.out) for file in files]
    refuse_breaches(map(learned_name, issue_files(options.learn)), (TRAIN, TUNE))
    for folder, prepare in ((options.learn, prepare_learning), (options.issues, prepare_issues)):
        names = issue_files(folder)
        work += [(prepare, tokenizer, os.path.join(folder, name), options.out) for name in names]
    work.sort(key=lambda item: -os.path.getsize(item[2]))
    # Forked: each process has the tokenizer and starts at once.
    with multiprocessing.get_context("fork").Pool(options.processes, _share, (work,)) as pool:
        for line in pool.imap_unordered(_call, range(len(work))):
            print(line, flush=True)


_work = []


def _share(work):
    _work.extend(work)


def _call(number):
    function, *arguments = _work[number]
    return function(*arguments)


def prepare_repository(tokenizer, file, out):
    """Tokens of a repository's chunks, of its callees, and of its messages."""
    name = os.path.basename(file)[: -len(".zst")]
    target = os.path.join(out, name)
    if os.path.exists(target + ".pickle"):
        return f"{name} is there already"
    chunks, commits = read_mined(file)
    rng = random.Random(zlib.crc32(name.encode()))
    own = [chunk_parts(tokenizer, chunk) for chunk in chunks]
    calls = [chunk[5][: inputs.MAX_CALLEES] for chunk in chunks]
    wanted = {callee: None for of in calls for callee in of}
    callees = [inputs.callee_ids(tokenizer, chunks[i][0], chunks[i][3]) for i in wanted]
    queries = [inputs.query(tokenizer, as_it_is(commit)) for commit in commits]
    digests = [digest(chunk[3][end_of_signature(chunk) :].split("\n")) or 0 for chunk in chunks]
    more = {"digests": np.array(digests, np.uint64), "callee_chunks": np.array(list(wanted), np.int32)}
    save_tokens(target, own, callees, calls, wanted, queries, **more)
    data = history(name, chunks, commits, [], rng)
    find_hard(data, own, queries)
    write_pickle(target, data)
    return f"{name}: {len(chunks)} chunks, {len(commits)} commits"


def chunk_parts(tokenizer, chunk):
    end = end_of_signature(chunk)
    return inputs.own(tokenizer, chunk[0], chunk[3][:end], chunk[3][end:])


def find_hard(data, own, queries):
    """Gives each commit as "neg" the unedited chunks of its snapshot that are most like its message by BM25."""
    index = Index([np.concatenate(parts) for parts in own])
    pools = [np.flatnonzero(data["snapshots"] & (1 << snapshot)) for snapshot in range(3)]
    for commit, (ids, _) in zip(data["commits"], queries):
        pool = pools[commit["snap"]]
        pool = pool[~np.isin(data["keys"][pool], data["keys"][commit["pos"]])]
        scores = index.scores(ids)[pool]
        best = np.argsort(-scores, kind="stable")[:HARD]
        commit["neg"] = pool[best[scores[best] > 0]].tolist()


def issue_files(folder):
    return [name for name in os.listdir(folder) if name.endswith(".jsonl")] if folder else []


def learned_name(file):
    """The name of a repository of issues to learn from: owner+name, as repositories of commits have it."""
    return file[: -len(".jsonl")].replace("__", "+", 1)


def prepare_learning(tokenizer, file, out):
    """A repository of lists as one of commits: each issue stands for a message, all candidates are of one snapshot, and what
    the ranker put first without being edited are the hard negatives.
    """
    name = learned_name(os.path.basename(file))
    target = os.path.join(out, name)
    if os.path.exists(target + ".pickle"):
        return f"{name} is there already"
    documents, issues = read_lists(file)
    issues = [issue for issue in issues if issue["edited"]]
    own, callees, queries = issue_tokens(tokenizer, documents, issues)
    parts = [inputs.signature_and_body(document) for document in documents]
    digests = np.array([digest(body.split("\n")) or 0 for _, body in parts], np.uint64)
    calls = [called_by(document) for document in documents]
    # Of callees there are the heads alone. One that no document begins like is taken for its first caller.
    places = {(d["path"], d["text"][:HEAD]): i for i, d in enumerate(documents)}
    chunks = {}
    for caller, of in enumerate(calls):
        for path, text in of:
            chunks.setdefault((path, text), places.get((path, text[:HEAD]), caller))
    more = {"digests": digests, "callee_chunks": np.array(list(chunks.values()), np.int32)}
    save_tokens(target, own, callees, calls, list(chunks), queries, **more)
    keys = {}
    data = {
        "name": name,
        "chunks": len(documents),
        # Signatures stand for names, which documents do not have.
        "keys": np.array([keys.setdefault((d["path"], head), len(keys)) for d, (head, _) in zip(documents, parts)], np.int32),
        "snapshots": np.ones(len(documents), np.uint8),
        "docstrings": [],
        "commits": [learned(issue) for issue in issues],
        "traces": {"frames": {}, "callers": {}},
    }
    write_pickle(target, data)
    return f"{name}: {len(documents)} documents, {len(issues)} issues to learn from"


def read_lists(file):
    """The candidates of a file of lab/lists, each text once, as documents, and its issues, [{"instance", "issue",
    "candidates", "edited"}], the numbers being places among the documents; of candidates, the best first.
    """
    documents, issues = {}, []
    with open(file, encoding="utf-8") as stream:
        for line in map(json.loads, stream):
            numbers = [place_of(documents, {key: of[key] for key in DOCUMENT}) for of in line["candidates"]]
            edited = [number for number, of in zip(numbers, line["candidates"]) if of["isEdited"]]
            given = {name: line[name] for name in ("instance", "issue")}
            issues.append({**given, "candidates": numbers, "edited": edited})
    return [document for document, _ in documents.values()], issues


def place_of(documents, document):
    """documents: {its JSON: (document, place)}, which takes in what it does not have."""
    return documents.setdefault(json.dumps(document, sort_keys=True), (document, len(documents)))[1]


def learned(issue):
    unedited = [number for number in issue["candidates"] if number not in issue["edited"]]
    return {"m": issue["issue"], "issue": True, "t": [], "pos": issue["edited"], "neg": unedited[:HARD], "sib": [], "snap": 0}


def prepare_issues(tokenizer, file, out):
    """Tokens of the documents of a repository's issues and of the issues, and which documents each is about."""
    name = os.path.basename(file)[: -len(".jsonl")]
    target = os.path.join(out, "issues", name)
    if os.path.exists(target + ".pickle"):
        return f"issues of {name} are there already"
    os.makedirs(os.path.dirname(target), exist_ok=True)
    documents, issues = read_issues(file)
    own, callees, queries = issue_tokens(tokenizer, documents, issues)
    calls = [called_by(document) for document in documents]
    save_tokens(target, own, callees, calls, dict.fromkeys(c for of in calls for c in of), queries)
    write_pickle(target, {"name": name, "issues": [{k: v for k, v in i.items() if k != "issue"} for i in issues]})
    return f"issues of {name}: {len(documents)} documents, {len(issues)} issues"


def read_issues(file):
    """The documents and the issues of a file of lab/encoder/issues.ts."""
    with open(file, encoding="utf-8") as stream:
        lines = [json.loads(line) for line in stream]
    return [line for line in lines if "instance" not in line], [line for line in lines if "instance" in line]


def called_by(document):
    return [(callee["path"], callee["text"]) for callee in document["callees"][: inputs.MAX_CALLEES]]


def issue_tokens(tokenizer, documents, issues):
    """Tokens of documents, of their callees, each once in the order in which they are called, and of issues."""
    own = [inputs.own(tokenizer, d["path"], *inputs.signature_and_body(d)) for d in documents]
    callees = dict.fromkeys(callee for document in documents for callee in called_by(document))
    queries = [inputs.query(tokenizer, split_issue(issue["issue"])) for issue in issues]
    return own, [inputs.callee_ids(tokenizer, *callee) for callee in callees], queries


def save_tokens(target, own, callees, calls, callee_names, queries, **more):
    """calls: what each document calls, by the names that callee_names gives the callees in their order. more: arrays."""
    places = {callee: place for place, callee in enumerate(callee_names)}
    called = np.full((len(calls), inputs.MAX_CALLEES), -1, np.int32)
    for row, of in zip(called, calls):
        row[: len(of)] = [places[callee] for callee in of]
    chunks = [inputs.document(parts, []) for parts in own]
    arrays = {"called": called, **more}
    for kind, texts in (("own", chunks), ("query", queries)):
        arrays[f"{kind}_ids"] = joined([ids for ids, _ in texts], np.uint16)
        arrays[f"{kind}_types"] = joined([types for _, types in texts], np.uint8)
        arrays[f"{kind}_sizes"] = np.array([len(ids) for ids, _ in texts], np.int32)
    arrays["callee_ids"] = joined(callees, np.uint16)
    arrays["callee_sizes"] = np.array([len(ids) for ids in callees], np.int32)
    np.savez(target + ".npz", **arrays)


def joined(lists, dtype):
    """All one after the other, in one array."""
    return np.concatenate([np.asarray(of, dtype) for of in lists]) if lists else np.zeros(0, dtype)
