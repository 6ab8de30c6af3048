"""Cuts mined repositories into tokens once, and trains the tokenizer that does it.

Written: tokenizer.json; for each repository an .npz of tokens and a .pickle of its history; for each repository of
issues, the same of its documents. Each file is written once: a run that was stopped goes on where it was.
"""

import collections
import json
import multiprocessing
import os
import random
import zlib

import numpy as np

from prepare import HELD_OUT, docstring_pairs, history, mined_files, read_mined, write_pickle
from queries import split_message
from transformer import inputs
from transformer.tokenizer import Tokenizer, count_words, train

# Chunks of a repository that the vocabulary is chosen from; all messages are.
VOCABULARY_CHUNKS = 2_000
# Words of one repository alone are left to the merges of others.
VOCABULARY_REPOSITORIES = 3
VOCABULARY_COUNT = 5


def add_options(add):
    add("--data", required=True, help="folder of .zst files of locus mine")
    add("--issues", help="folder of lab/encoder/issues.ts")
    add("--out", required=True)
    add("--vocabulary", type=int, default=32_000, help="tokens, at most 65,536")
    add("--tokenizer", help="a tokenizer.json to use, rather than train one")
    add("--processes", type=int, default=os.cpu_count())


def run(options):
    os.makedirs(options.out, exist_ok=True)
    files = mined_files(options.data)
    target = os.path.join(options.out, "tokenizer.json")
    # Forked: each process has the tokenizer and starts at once.
    processes = multiprocessing.get_context("fork")
    if not os.path.exists(target):
        if options.tokenizer:
            tokenizer = Tokenizer.read(options.tokenizer)
        else:
            with processes.Pool(options.processes) as pool:
                tokenizer = train_tokenizer(pool, files, options.vocabulary)
        tokenizer.write(target + ".tmp")
        os.rename(target + ".tmp", target)
    tokenizer = Tokenizer.read(target)
    # The largest first: none of them is left for last, with one process working on it.
    work = [(prepare_repository, tokenizer, file, options.out) for file in files]
    if options.issues:
        names = [name for name in os.listdir(options.issues) if name.endswith(".jsonl")]
        work += [(prepare_issues, tokenizer, os.path.join(options.issues, name), options.out) for name in names]
    work.sort(key=lambda item: -os.path.getsize(item[2]))
    with processes.Pool(options.processes) as pool:
        for line in pool.imap_unordered(_call, work):
            print(line, flush=True)


def _call(item):
    function, *arguments = item
    return function(*arguments)


def train_tokenizer(pool, files, size):
    """A Tokenizer of the words that several repositories have; those that are held out do not count."""
    training = [file for file in files if name_of(file) not in HELD_OUT]
    counts, repositories = collections.Counter(), collections.Counter()
    for of_file in pool.imap_unordered(_words_of, training):
        counts.update(of_file)
        repositories.update(of_file.keys())
    least = min(VOCABULARY_REPOSITORIES, len(training))
    kept = {w: n for w, n in counts.items() if n >= VOCABULARY_COUNT and repositories[w] >= least}
    # Which file was read first must not matter.
    return train(dict(sorted(kept.items())), size)


def _words_of(file):
    chunks, commits = read_mined(file)
    sample = random.Random(0).sample(chunks, min(VOCABULARY_CHUNKS, len(chunks)))
    texts = [f"{chunk[0]}\n{chunk[3]}" for chunk in sample] + [commit["m"] for commit in commits]
    return count_words(texts)


def name_of(file):
    return os.path.basename(file)[: -len(".zst")]


def prepare_repository(tokenizer, file, out):
    """Tokens of a repository's documents, of its callees, and of its queries: messages, then docstrings."""
    name = name_of(file)
    target = os.path.join(out, name)
    if os.path.exists(target + ".pickle"):
        return f"{name} is there already"
    chunks, commits = read_mined(file)
    rng = random.Random(zlib.crc32(name.encode()))
    docstrings = docstring_pairs(chunks, rng)
    own = [inputs.own_ids(tokenizer, chunk[0], chunk[3])[: inputs.MAX_TOKENS] for chunk in chunks]
    own += [
        inputs.own_ids(tokenizer, path, signature + body)[: inputs.MAX_TOKENS]
        for _, _, (path, signature, body, _) in docstrings
    ]
    calls = [chunk[5][: inputs.MAX_CALLEES] for chunk in chunks]
    calls += [calls[i] for _, i, _ in docstrings]
    wanted = {callee: None for of in calls for callee in of}
    callees = [inputs.callee_ids(tokenizer, chunks[i][0], chunks[i][3]) for i in wanted]
    queries = [inputs.query_ids(tokenizer, plain_query(commit)) for commit in commits]
    queries += [inputs.query_ids(tokenizer, docstring) for docstring, _, _ in docstrings]
    save_tokens(target, own, callees, calls, wanted, queries)
    write_pickle(target, history(name, chunks, commits, docstrings, rng))
    return f"{name}: {len(chunks)} chunks, {len(commits)} commits, {sum(map(len, own))} tokens"


def plain_query(commit):
    """A commit's message as a query that is not made to look like an issue."""
    return "\n".join(split_message(commit["m"])).strip()


def prepare_issues(tokenizer, file, out):
    """Tokens of the documents of a repository's issues and of the issues, and which documents each is about."""
    name = os.path.basename(file)[: -len(".jsonl")]
    target = os.path.join(out, "issues", name)
    if os.path.exists(target + ".pickle"):
        return f"issues of {name} are there already"
    os.makedirs(os.path.dirname(target), exist_ok=True)
    own, callees, calls, numbers, issues, queries = [], [], [], {}, [], []
    with open(file, encoding="utf-8") as stream:
        for line in stream:
            read = json.loads(line)
            if "instance" in read:
                queries.append(inputs.query_ids(tokenizer, read.pop("issue")))
                issues.append(read)
                continue
            own.append(inputs.own_ids(tokenizer, read["path"], read["text"])[: inputs.MAX_TOKENS])
            called = [(c["path"], c["text"]) for c in read["callees"][: inputs.MAX_CALLEES]]
            for callee in called:
                if callee not in numbers:
                    numbers[callee] = len(callees)
                    callees.append(inputs.callee_ids(tokenizer, *callee))
            calls.append(called)
    save_tokens(target, own, callees, calls, numbers, queries)
    write_pickle(target, {"name": name, "issues": issues})
    return f"issues of {name}: {len(own)} documents, {len(issues)} issues"


def save_tokens(target, own, callees, calls, callee_names, queries):
    """calls: what each document calls, by the names that callee_names gives the callees in their order."""
    places = {callee: place for place, callee in enumerate(callee_names)}
    called = np.full((len(calls), inputs.MAX_CALLEES), -1, np.int32)
    for row, of in zip(called, calls):
        row[: len(of)] = [places[callee] for callee in of]
    np.savez(
        target + ".npz",
        own=_joined(own),
        own_offsets=_offsets(own),
        callees=_joined(callees),
        callee_offsets=_offsets(callees),
        called=called,
        queries=_joined(queries),
        query_offsets=_offsets(queries),
    )


def _joined(lists):
    return np.array([i for ids in lists for i in ids], np.uint16)


def _offsets(lists):
    return np.concatenate(([0], np.cumsum([len(ids) for ids in lists], dtype=np.int64))).astype(np.int64)
