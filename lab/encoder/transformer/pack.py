"""Packs prepared repositories for a training on a GPU: arrays alone, a tenth of what prepare writes, so that they travel.

Of a repository with real issues or commits there are the chunks that its issues need and some of the others, and of each
message the tokens as it is and as an issue. What is drawn at random here is drawn from a seed.
"""

import multiprocessing
import os
import random
import zlib

import numpy as np

from corpus import repository_names, training_names
from issue_fields import TITLE
from queries import as_it_is, issue_of
from split import TRAIN, TUNE, refuse_breaches
from transformer.corpus import TokenRepository
from transformer.draws import is_real
from transformer.inputs import CALLEE, MAX_TOKENS, TYPES, query
from transformer.prepare import joined
from transformer.tokenizer import Tokenizer


def add_options(add):
    add("--prepared", required=True, nargs="+", help="folders of prepare")
    add("--copies", required=True, help="what `copies` wrote: chunks with the same text are left out")
    add("--out", required=True)
    add("--random", type=int, default=3000, help="chunks of a snapshot beside those that issues name, at most")
    add("--query-tokens", type=int, default=256)
    add("--variants", type=int, default=1, help="issues that are made of a message, beside the message itself")
    add("--processes", type=int, default=os.cpu_count())


def run(options):
    os.makedirs(options.out, exist_ok=True)
    work = []
    for prepared in options.prepared:
        refuse_breaches(repository_names(prepared), (TRAIN, TUNE))
        work += [(prepared, name, options) for name in training_names(prepared)]
    with multiprocessing.get_context("fork").Pool(options.processes) as pool:
        for line in pool.imap_unordered(pack, work):
            print(line, flush=True)


def pack(work):
    """Writes one repository's file: out/<folder>+<name>.npz, so that a repository may have issues and commits."""
    prepared, name, options = work
    target = os.path.join(options.out, f"{os.path.basename(os.path.normpath(prepared))}+{name}.npz")
    if os.path.exists(target):
        return f"{name} is there already"
    repository = TokenRepository(prepared, name, limit=MAX_TOKENS, copies=np.load(options.copies))
    if not repository.commits:
        return f"{name} has nothing to learn from"
    rng = random.Random(zlib.crc32(name.encode()))
    tokenizer = Tokenizer.read(os.path.join(prepared, "tokenizer.json"))
    kept = kept_chunks(repository, options.random, rng)
    arrays = {**chunk_arrays(repository, kept), **commit_arrays(repository, kept)}
    arrays.update(query_arrays(repository, tokenizer, options, rng), real=np.array(is_real(repository)))
    with open(target + ".tmp", "wb") as stream:
        np.savez(stream, **arrays)
    os.replace(target + ".tmp", target)
    return f"{name}: {len(kept)} of {repository.chunks} chunks, {len(repository.commits)} issues"


def kept_chunks(repository, count, rng):
    """Numbers of chunks, sorted: those that a commit names, and so many at random of each snapshot."""
    named = {i for commit in repository.commits for key in ("pos", "sib", "neg") for i in commit[key]}
    for pool in repository.pools:
        named.update(rng.sample(pool.tolist(), min(count, len(pool))))
    return np.array(sorted(named))


def chunk_arrays(repository, kept):
    """Tokens of the chunks, how many of each are its path, signature and body, and what they call."""
    tokens = repository.tokens
    own = [tokens.own(i) for i in kept]
    sizes = [np.bincount(tokens.own_types(i), minlength=CALLEE) for i in kept]
    called = tokens.called[kept]
    callees, places = np.unique(called, return_inverse=True)
    first = int(callees[0] == -1)
    texts = [tokens.callee(i) for i in callees[first:]]
    pools = sum((np.isin(kept, pool).astype(np.uint8) << s) for s, pool in enumerate(repository.pools))
    return {
        "ids": joined(own, np.uint16),
        "sizes": np.array(sizes, np.uint16),
        "called": places.reshape(called.shape).astype(np.int32) - first,
        **ragged("callees", texts, np.uint16),
        "keys": np.unique(repository.keys[kept], return_inverse=True)[1].astype(np.int32),
        "snapshots": pools.astype(np.uint8),
    }


def commit_arrays(repository, kept):
    arrays = {"snap": np.array([commit["snap"] for commit in repository.commits], np.uint8)}
    for key in ("pos", "sib", "neg"):
        arrays.update(ragged(key, [np.searchsorted(kept, commit[key]) for commit in repository.commits], np.int32))
    return arrays


def query_arrays(repository, tokenizer, options, rng):
    """Tokens of each commit's message and of issues made of it, one commit after the other, as many of each."""
    variants = 0 if is_real(repository) else options.variants
    made = []
    for commit in repository.commits:
        parts = [as_it_is(commit), *(issue_of(commit, repository, rng, 0) for _ in range(variants))]
        made += [query(tokenizer, of, options.query_tokens) for of in parts]
    sizes = [np.bincount(types, minlength=TYPES)[TITLE:] for _, types in made]
    ids = joined([ids for ids, _ in made], np.uint16)
    return {"query_ids": ids, "query_sizes": np.array(sizes, np.uint16), "variants": np.array(1 + variants)}


def ragged(name, lists, dtype):
    """{name: all one after the other, name_sizes: how many each has}"""
    return {name: joined(lists, dtype), f"{name}_sizes": np.array([len(of) for of in lists], np.uint16)}
