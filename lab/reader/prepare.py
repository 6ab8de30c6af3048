"""Cuts what the reader learns from and is measured on into words once.

--data: commits, files of locus mine; of some of each repository's, the edited chunks, those that BM25 finds for the
message, and unedited ones of the same files. --lists: issues, folders of training:lists with what reader/queries.ts
writes of them. --pool: the same of one file. Each file is written once: a run that was stopped goes on where it was.
"""

import json
import os
import random
import re
import zlib

import numpy as np

from chunks import signature_end
from corpus import usable
from issue_fields import CODE, TEXT, TITLE, TRACE
from prepare import end_of_signature, history, mined_files, read_mined, write_pickle
from queries import as_it_is
from reader import tokens
from reader.lexicon import Lexicon
from split import TRAIN, TUNE, refuse_breaches
from transformer.bm25 import Index
from transformer.copies import digest
from transformer.inputs import signature_and_body

# Unedited chunks that BM25 finds for a commit.
HARD = 16
# Commits with shorter messages or more edited chunks are left out.
MESSAGE, EDITED = 20, 5
# Characters of a mined callee that have the words that are read of it.
HEAD = 300
_DOCSTRING = re.compile(r"\s*[rRuU]?(\"\"\"|''')")


def add_options(add):
    add("--lexicon", required=True, help="folder of lexicon")
    add("--out", required=True)
    add("--data", help="folder of .zst files of locus mine")
    add("--copies", help="what transformer copies wrote: chunks with the same text are left out")
    add("--commits", type=int, default=200, help="of a repository at most")
    add("--lists", nargs=2, metavar=("LISTS", "QUERIES"), help="folders, of issues that may be learned from")
    add("--pool", nargs=2, metavar=("POOL", "QUERIES"), help="files, of issues that are only measured on")


def run(options):
    os.makedirs(options.out, exist_ok=True)
    lexicon = Lexicon(options.lexicon)
    if options.pool:
        prepare_issues(*options.pool, lexicon, _target(options.out, "pools", options.pool[0]))
    if options.lists:
        names = sorted(name for name in os.listdir(options.lists[0]) if name.endswith(".jsonl"))
        refuse_breaches([_name(name) for name in names], (TRAIN, TUNE))
        for name in names:
            lists, queries = (os.path.join(of, name) for of in options.lists)
            prepare_issues(lists, queries, lexicon, _target(options.out, "issues", name))
    if options.data:
        copies = np.load(options.copies)
        # The smallest first: a training can begin with them.
        for file in sorted(mined_files(options.data), key=os.path.getsize):
            prepare_commits(file, lexicon, copies, options)


def _name(file):
    return os.path.basename(file).removesuffix(".jsonl").replace("__", "+", 1)


def _target(out, kind, file):
    os.makedirs(os.path.join(out, kind), exist_ok=True)
    return os.path.join(out, kind, _name(file))


def prepare_commits(file, lexicon, copies, options):
    name = os.path.basename(file).removesuffix(".zst")
    target = os.path.join(options.out, name)
    if os.path.exists(target + ".pickle"):
        return
    chunks, commits = read_mined(file)
    rng = random.Random(zlib.crc32(name.encode()))
    commits = [c for c in commits if usable(c) and len(c["m"]) >= MESSAGE and len(c["pos"]) <= EDITED]
    commits = rng.sample(commits, min(options.commits, len(commits)))
    texts = [mined_texts(chunk, chunks) for chunk in chunks]
    words, sizes = tokens.candidates(texts, lexicon)
    data = history(name, chunks, commits, [], rng)
    find_hard(data, words, sizes, lexicon)
    drawn = sorted(_drawn(commits))
    digests = [digest(chunks[i][3][end_of_signature(chunks[i]) :].split("\n")) or 0 for i in drawn]
    copied = {drawn[i] for i in np.flatnonzero(np.isin(np.array(digests, np.uint64), copies))}
    for commit in commits:
        for key in ("pos", "sib", "neg"):
            commit[key] = [i for i in commit[key] if i not in copied]
    data["commits"] = [commit for commit in commits if commit["pos"] and commit["neg"]]
    kept = np.array(sorted(_drawn(data["commits"])), np.int64)
    ends = np.cumsum(sizes)
    at = np.concatenate([np.arange(ends[i] - sizes[i], ends[i]) for i in kept]) if len(kept) else kept
    save_words(target, words.at(at), sizes[kept], kept, lexicon)
    write_pickle(target, data)
    print(f"{name}: {len(chunks)} chunks, {len(kept)} of them kept for {len(data['commits'])} commits", flush=True)


def _drawn(commits):
    return {i for commit in commits for key in ("pos", "sib", "neg") for i in commit[key]}


def mined_texts(chunk, chunks):
    """The texts of a candidate of a mined chunk, as docs/training-data.md describes it."""
    path, name, _, text, doc, callees = chunk[:6]
    end = end_of_signature(chunk)
    start, stop = (_offset(text, line) for line in doc) if doc else (end, end)
    return _texts(path, name, text, end, max(start, end), max(stop, end), [chunks[i][3] for i in callees])


def _offset(text, line):
    """Where a line of a text begins."""
    return len("".join(part + "\n" for part in text.split("\n", line)[:line]))


def _texts(path, name, text, end, start, stop, callees):
    heads = [callee[:HEAD] for callee in callees[: tokens.CALLEES]]
    return [path, name, text[:end], text[start:stop], text[end:start] + "\n" + text[stop:], *heads]


def candidate_texts(candidate):
    """The same of a candidate of training:lists, whose offsets are in UTF-16 units."""
    end = candidate["signatureEnd"]
    start, stop = (max(place, end) for place in candidate["doc"] or (end, end))
    before, after = signature_and_body({"text": candidate["text"], "signatureEnd": stop})
    before, docstring = signature_and_body({"text": before, "signatureEnd": start})
    signature, between = signature_and_body({"text": before, "signatureEnd": end})
    callees = [callee["text"] for callee in candidate["callees"]]
    return [candidate["path"], candidate["name"], signature, docstring, between + "\n" + after, *callees[: tokens.CALLEES]]


def pool_texts(candidate):
    """The same of a candidate of a pool, of which nothing but path, name and text is known; Python's."""
    text, name = candidate["t"], candidate["q"].rpartition(".")[2]
    end = max(signature_end(text, name, "f"), signature_end(text, name, "c"))
    found = _DOCSTRING.match(text, end)
    start, stop = (end, end)
    if found:
        start = found.start(1)
        closing = text.find(found[1], found.end())
        stop = len(text) if closing < 0 else closing + 3
    return _texts(candidate["p"], candidate["q"], text, end, start, stop, [])


def find_hard(data, words, sizes, lexicon):
    """Gives each commit as "neg" the unedited chunks of its snapshot that are most like its message by BM25."""
    index = Index(np.split(words.hash, np.cumsum(sizes)[:-1]))
    pools = [np.flatnonzero(data["snapshots"] & (1 << snapshot)) for snapshot in range(3)]
    for commit in data["commits"]:
        pool = pools[commit["snap"]]
        pool = pool[~np.isin(data["keys"][pool], data["keys"][commit["pos"]])]
        scores = index.scores(tokens.issue(as_it_is(commit), lexicon).hash)[pool]
        best = np.argsort(-scores, kind="stable")[:HARD]
        commit["neg"] = pool[best[scores[best] > 0]].tolist()


def prepare_issues(lists, queries, lexicon, target):
    """A list for each issue. lists: a file of training:lists, or a pool; queries: what queries.ts wrote of it."""
    if os.path.exists(target + ".pickle"):
        return
    with open(queries, encoding="utf-8") as stream:
        asked = {of["instance"]: of for of in map(json.loads, stream)}
    issues, texts = [], []
    with open(lists, encoding="utf-8") as stream:
        for row in map(json.loads, stream):
            pool = "cands" in row
            found = row["cands" if pool else "candidates"]
            query = asked[row["id" if pool else "instance"]]
            issues.append(
                {
                    "instance": query["instance"],
                    "repo": row["repo"] if "repo" in row else _repository(query["instance"]),
                    "query": {field: query[name] for field, name in FIELD_NAMES.items()},
                    "first": len(texts),
                    "edited": row["edited"],
                    "labels": np.array([bool(c["y" if pool else "isEdited"]) for c in found]),
                    "scores": np.array([c["s" if pool else "score"] for c in found], np.float32),
                    "paths": [c["p" if pool else "path"] for c in found],
                }
            )
            texts += map(pool_texts if pool else candidate_texts, found)
    words, sizes = tokens.candidates(texts, lexicon)
    save_words(target, words, sizes, np.arange(len(texts)), lexicon)
    write_pickle(target, {"issues": issues})
    print(f"{os.path.basename(target)}: {len(issues)} issues, {len(texts)} candidates", flush=True)


FIELD_NAMES = {TITLE: "title", TEXT: "text", CODE: "code", TRACE: "trace"}


def _repository(instance):
    """Of an instance of SWE-bench, django__django-123."""
    return instance.rpartition("-")[0].replace("__", "/", 1)


def save_words(target, words, sizes, numbers, lexicon):
    """numbers: of the candidates, in increasing order."""
    unique = np.unique(words.hash)
    lines, stems = lexicon.of(unique)
    flags = words.gap | words.capital.astype(np.uint8) << 2 | words.digit.astype(np.uint8) << 3
    arrays = {"hash": words.hash, "part": words.part, "flags": flags, "sizes": sizes.astype(np.int32)}
    np.savez(target + ".npz", **arrays, numbers=numbers, unique=unique, lines=lines, stems=stems)


class Candidates:
    """Prepared candidates. Their words are known to the lexicon."""

    def __init__(self, target, lexicon):
        arrays = np.load(target + ".npz")
        flags = arrays["flags"]
        self._words = tokens.Words(arrays["hash"], arrays["part"], flags & 3, (flags & 4) > 0, (flags & 8) > 0)
        self._sizes = arrays["sizes"].astype(np.int64)
        self._starts = np.cumsum(self._sizes) - self._sizes
        self._numbers = arrays["numbers"]
        lexicon.add(arrays["unique"], arrays["lines"], arrays["stems"])

    def of(self, numbers):
        """Words of candidates and how many each has, in the order asked for."""
        rows = np.searchsorted(self._numbers, numbers)
        starts, sizes = self._starts[rows], self._sizes[rows]
        at = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
        return self._words.at(at), sizes
