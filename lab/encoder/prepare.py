"""Step 1: reads mined repositories once and writes arrays that a training step can use as they are.

    python3 lab/encoder/prepare.py --data <folder of .zst files of the task mine> --out <folder>

One file a repository, each written once: a run that was stopped goes on where it was. The arrays hold hashes of words
rather than their ids, so that vocabularies can be tried without reading texts again.
"""

import argparse
import multiprocessing
import os
import pickle
import random
import zlib

import numpy as np

from chunks import FIELDS, field_texts, signature_end
from digests import digest
from split import TRAIN, TUNE, read_zst, refuse_breaches
from words import find_words, hash_words, read_features

WORDS_PER_FIELD = 400
# Docstring pairs of a repository, and how long a docstring has to be to say something.
DOCSTRINGS = 1500
DOCSTRING_CHARACTERS = 40
# Lines of code that a made-up traceback may show of a chunk.
TRACE_LINES = 4
PAIR = 0x80  # Marks a pair of words in the array of fields.


def prepare(file, out):
    name = os.path.basename(file)[: -len(".zst")]
    target = os.path.join(out, name)
    if os.path.exists(target + ".pickle"):
        return
    chunks, commits = read_mined(file)
    rng = random.Random(zlib.crc32(name.encode()))

    documents = [chunk_fields(chunk, chunks) for chunk in chunks]
    docstrings = docstring_pairs(chunks, rng)
    documents += [fields for _, _, fields in docstrings]
    features = read_features([text for fields in documents for text in fields], WORDS_PER_FIELD)
    field = (features.text % len(FIELDS)).astype(np.uint8) | np.where(features.pair, PAIR, 0).astype(np.uint8)
    counts = np.bincount(features.text // len(FIELDS), minlength=len(documents))
    np.savez(
        target + ".npz",
        offsets=np.concatenate(([0], np.cumsum(counts))),
        hash=features.hash,
        field=field,
        count=np.minimum(features.count, 255).astype(np.uint8),
        words=features.words.reshape(-1, len(FIELDS)).astype(np.uint16),
        digests=np.array([digest(chunk[3][end_of_signature(chunk) :].split("\n")) or 0 for chunk in chunks], np.uint64),
    )

    data = history(name, chunks, commits, docstrings, rng)
    data["words"] = frequencies(chunks, commits)
    write_pickle(target, data)
    print(name, len(chunks), "chunks", len(features.hash), "features", len(commits), "commits", flush=True)


def read_mined(file):
    """The chunks and the commits of a file as docs/training-data.md describes it."""
    lines = read_zst(file)
    head = next(lines)
    chunks = [next(lines) for _ in range(head["n"])]
    return chunks, list(lines)


def history(name, chunks, commits, docstrings, rng):
    """What a training draws from a repository besides texts; corpus.Repository reads it."""
    keys = {}
    return {
        "name": name,
        "chunks": len(chunks),
        # Chunks of one place, in whatever version, have one key.
        "keys": np.array([keys.setdefault((c[0], c[1]), len(keys)) for c in chunks], np.int32),
        "snapshots": np.array([sum(1 << s for s in c[6]) for c in chunks], np.uint8),
        "kinds": "".join(c[2] for c in chunks),
        "docstrings": [(text, index) for text, index, _ in docstrings],
        "commits": commits,
        "traces": traces(chunks, commits, rng),
    }


def write_pickle(target, data):
    """Writes <target>.pickle, which has its name when it is complete."""
    with open(target + ".tmp", "wb") as stream:
        pickle.dump(data, stream, protocol=4)
    os.rename(target + ".tmp", target + ".pickle")


def chunk_fields(chunk, chunks):
    path, text, callees = chunk[0], chunk[3], chunk[5]
    return field_texts(path, text, end_of_signature(chunk), [chunks[i][3] for i in callees])


def end_of_signature(chunk):
    """Of a chunk as docs/training-data.md describes it; files before version 2 do not say it."""
    _, qualified, kind, text, *rest = chunk
    if len(rest) > 3:
        return len("\n".join(text.split("\n", rest[3])[: rest[3]]))
    return signature_end(text, qualified.rsplit(".", 1)[-1], kind)


def docstring_pairs(chunks, rng):
    """(docstring, index of the chunk, fields of the chunk without it), at random."""
    eligible = [
        i
        for i, c in enumerate(chunks)
        if c[4] and c[6] and len("\n".join(c[3].split("\n")[slice(*c[4])])) >= DOCSTRING_CHARACTERS
    ]
    pairs = []
    for i in sorted(rng.sample(eligible, min(DOCSTRINGS, len(eligible)))):
        path, qualified, kind, text, (first, last), callees, snapshots = chunks[i][:7]
        lines = text.split("\n")
        docstring = "\n".join(lines[first:last]).strip().strip("\"'rRuU").strip()
        rest = "\n".join(lines[:first] + lines[last:])
        if len(rest) - len(path) < 60 or not docstring:
            continue
        bare = [path, qualified, kind, rest, None, callees, snapshots]
        pairs.append((docstring, i, chunk_fields(bare, chunks)))
    return pairs


def traces(chunks, commits, rng):
    """What tracebacks show of the chunks that commits edited and of those that call them: (path, name, lines)."""
    wanted = {i for commit in commits for i in commit["pos"] + commit["sib"]}
    callers = {}
    for i, chunk in enumerate(chunks):
        for callee in chunk[5]:
            if callee in wanted:
                callers.setdefault(callee, []).append(i)
    callers = {callee: rng.sample(of, min(4, len(of))) for callee, of in callers.items()}
    shown = wanted.union(*callers.values()) if callers else wanted
    frames = {}
    for i in shown:
        path, qualified, text = chunks[i][0], chunks[i][1], chunks[i][3]
        lines = text[end_of_signature(chunks[i]) :].split("\n")
        lines = [line.strip() for line in lines if len(line.strip()) > 8 and line.strip()[0] not in "#\"'@/*"]
        frames[i] = (path, qualified, rng.sample(lines, min(TRACE_LINES, len(lines))))
    return {"frames": frames, "callers": callers}


def frequencies(chunks, commits):
    """How many chunks and messages hold each word: {word: count}, those in one alone left out."""
    texts = [c[0] + "\n" + c[3] for c in chunks] + [c["m"] for c in commits]
    features = read_features(texts, 1500, pairs=False)
    hashes, counts = np.unique(features.hash, return_counts=True)
    frequent = hashes[counts > 1]
    data = np.frombuffer("\n".join(texts).encode("utf-8", "replace"), np.uint8)
    starts, ends = find_words(data)
    made, first = np.unique(hash_words(data, starts, ends), return_index=True)
    at = np.searchsorted(made, frequent)
    spelled = {}
    for h, count, i in zip(frequent, counts[counts > 1], first[at]):
        spelled[bytes(data[starts[i] : ends[i]]).decode().lower()] = int(count)
    return spelled


def mined_files(folder):
    """The .zst files of a folder; refuses those that are neither trained on nor tuned on."""
    names = sorted(f[: -len(".zst")] for f in os.listdir(folder) if f.endswith(".zst"))
    refuse_breaches(names, (TRAIN, TUNE))
    return [os.path.join(folder, name + ".zst") for name in names]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", required=True)
    options.add_argument("--out", required=True)
    options.add_argument("--processes", type=int, default=1)
    options = options.parse_args()
    os.makedirs(options.out, exist_ok=True)
    files = mined_files(options.data)
    with multiprocessing.Pool(options.processes) as pool:
        pool.starmap(prepare, [(file, options.out) for file in files], chunksize=1)


if __name__ == "__main__":
    main()
