"""Step 3: exports a trained encoder as a model folder of Locus, with embeddings for a test.

    python3 lab/encoder/export.py --run <folder> --out models/<id> --id <id> --version <x.y.z> [--fixture <file>]

Vectors are int8, all of the same length. The original lengths become part of the weights, so that the graph need not multiply
vectors by them. Vectors of buckets are not in the file: they are random, and are generated when the model is loaded (made_rows
in runs.py).
"""

import argparse
import hashlib
import json
import os
import shutil

import numpy as np
import torch
import torch.nn.functional as F

from model import Bag, QUERY_FIELD, SHORTEST
from onnx_file import FLOAT, INT64, model
from rows import Texts, read_start
from runs import load_runs, made_rows

LARGEST = 127
# Standard deviation of the int8 vectors. Values beyond 3.8 standard deviations are clipped.
DEVIATION = 33


def quantise(vectors):
    """Rounds vectors to int8 [n, d], in rows of the same length. Learned lengths become part of the weights."""
    length = DEVIATION * vectors.shape[1] ** 0.5
    rows = vectors * (length / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9))
    return np.clip(np.round(rows), -LARGEST, LARGEST).astype(np.int8)


def graph(encoder, vocabulary):
    weights = F.softplus(encoder.table()) * torch.exp(encoder.field)[:, None] * encoder.norms
    vectors, made = quantise(encoder.vectors.numpy()), vocabulary.buckets
    text = ["batch", "sequence"]
    return model(
        nodes=[
            ("Concat", ["vectors", "made", "marks"], "table", {"axis": 0}),
            ("Mul", ["token_type_ids", "tokens"], "first"),
            ("Add", ["first", "input_ids"], "place"),
            ("Gather", ["weights", "place"], "own"),
            ("Mul", ["own", "token_weights"], "weight"),
            # balance of model.py
            ("Mod", ["token_type_ids", "many"], "field"),
            ("Unsqueeze", ["field", "one"], "rows"),
            ("Equal", ["rows", "fields"], "is"),
            ("Mul", ["weight", "weight"], "square"),
            ("Unsqueeze", ["square", "one"], "squares"),
            ("Where", ["is", "squares", "zero"], "of_field"),
            ("ReduceSum", ["of_field", "last"], "sums", {"keepdims": 0}),
            ("Max", ["sums", "shortest"], "least"),
            ("Pow", ["least", "power"], "scales"),
            ("GatherElements", ["scales", "field"], "scale", {"axis": 1}),
            ("Mul", ["weight", "scale"], "balanced"),
            ("Unsqueeze", ["balanced", "one"], "row"),
            ("Gather", ["table", "input_ids"], "small"),
            ("Cast", ["small"], "vector", {"to": FLOAT}),
            ("MatMul", ["row", "vector"], "added"),
            ("Squeeze", ["added", "one"], "sum"),
            ("LpNormalization", ["sum"], "embedding", {"axis": 1, "p": 2}),
        ],
        constants={
            "vectors": vectors[: made.start],
            "marks": vectors[made.stop :],
            "weights": weights.numpy().reshape(-1),
            "tokens": np.array(len(encoder.vectors), np.int64),
            "one": np.array([1], np.int64),
            "last": np.array([2], np.int64),
            "many": np.array(QUERY_FIELD, np.int64),
            "fields": np.arange(QUERY_FIELD).reshape(1, -1, 1),
            "zero": np.array(0, np.float32),
            "shortest": np.array(SHORTEST, np.float32),
            "power": np.array(-encoder.power / 2, np.float32),
        },
        inputs={
            "input_ids": (INT64, text),
            "token_type_ids": (INT64, text),
            "token_weights": (FLOAT, text),
        },
        output=("embedding", ["batch", encoder.dimensions]),
        given={"made": ("int8", (made.stop - made.start, encoder.dimensions))},
    )


def make_buckets(encoder, vocabulary):
    """Replaces the vectors of buckets by those that are generated when the model is loaded. Both are random."""
    rows, vectors = vocabulary.buckets, encoder.vectors.clone()
    made = made_rows(rows.stop - rows.start, encoder.dimensions)
    vectors[rows] = torch.from_numpy(made) * (vectors[rows].norm(dim=1, keepdim=True) / encoder.dimensions**0.5)
    encoder.use(vectors)


def manifest(encoder, vocabulary, options, files):
    rows = vocabulary.buckets.stop - vocabulary.buckets.start
    return {
        "id": options.id,
        "version": options.version,
        **read_start(options.run[0]),
        "dimensions": encoder.dimensions,
        "output": "embedding",
        "made": {"rows": rows, "value": DEVIATION},
        "files": {"cpu": "model.int8.onnx"},
        "sha256": {name: digest(os.path.join(options.out, name)) for name in files},
        "license": "MIT",
    }


def digest(file):
    with open(file, "rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()


def fill_fixture(encoder, file):
    """Adds embeddings to the documents and issues of a fixture, from their tokens, [[id, type, count]]."""
    with open(file, encoding="utf-8") as stream:
        fixture = json.load(stream)
    for made in (*fixture["documents"], *fixture["issues"]):
        ids, types, counts = np.array(made["tokens"], np.int64).reshape(-1, 3).T
        embedding = encoder.embed(Bag(Texts(ids, types, counts, [len(ids)])))[0]
        made["embedding"] = [round(float(x), 6) for x in embedding]
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(json.dumps(fixture) + "\n")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--run", required=True, nargs="+", help="runs; several are averaged")
    options.add_argument("--out", required=True)
    options.add_argument("--id", required=True)
    options.add_argument("--version", required=True)
    options.add_argument("--identity", type=float, default=0)
    options.add_argument("--callees", type=float, default=1, help="factor of the weight of callees")
    options.add_argument("--fixture", help="file of texts and their tokens; their embeddings are added")
    options = options.parse_args()
    encoder, vocabulary = load_runs(options.run, options.identity, options.callees)
    make_buckets(encoder, vocabulary)
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, "model.int8.onnx"), "wb") as stream:
        stream.write(graph(encoder, vocabulary))
    shutil.copyfile(os.path.join(options.run[0], "vocab.txt"), os.path.join(options.out, "vocab.txt"))
    made = manifest(encoder, vocabulary, options, ["model.int8.onnx", "vocab.txt"])
    with open(os.path.join(options.out, "model.json"), "w") as stream:
        stream.write(json.dumps(made, indent=2) + "\n")
    if options.fixture:
        fill_fixture(encoder, options.fixture)


if __name__ == "__main__":
    main()
