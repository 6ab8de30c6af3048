"""Step 3: writes a trained encoder as a model folder of Locus, and what a test compares it with.

    python3 lab/encoder/export.py --run <folder> --out models/<id> --id <id> --version <x.y.z> [--fixture <file>]

Vectors are int8, all of one length. What length they have is part of their weights, so that the graph multiplies no
vector by it. Those of buckets are not in the file: they are random, and whoever loads the model makes them (made_rows.py).
"""

import argparse
import hashlib
import json
import os
import shutil

import numpy as np
import torch
import torch.nn.functional as F

from chunks import field_texts
from evaluate import load_runs
from model import Bag, FIELDS, QUERY_FIELD, SHORTEST
from onnx_file import FLOAT, INT64, model
from prepare import WORDS_PER_FIELD
from issue_fields import split_issue
from made_rows import made_rows
from queries import QUERY_WORDS, query_tokens
from vocabulary import LENGTHS
from words import read_features

LARGEST = 127
# The standard deviation of all rows of vectors in int8: what is beyond 3.8 of them is cut off.
DEVIATION = 33


def quantise(vectors):
    """int8 [n, d], rows of the same length. What is learned of lengths becomes part of the weights."""
    length = DEVIATION * vectors.shape[1] ** 0.5
    rows = vectors * (length / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9))
    return np.clip(np.round(rows), -LARGEST, LARGEST).astype(np.int8)


def graph(encoder, vocabulary):
    weights = F.softplus(encoder.table()) * torch.exp(encoder.field)[:, None] * encoder.norms
    vectors, made = quantise(encoder.vectors.numpy()), buckets(vocabulary)
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


def buckets(vocabulary):
    """Rows of the vectors that are made: those of buckets, which follow the words."""
    return slice(len(vocabulary.words), vocabulary.issue)


def make_buckets(encoder, vocabulary):
    """Gives the buckets the vectors that they have where the model is loaded. Those of training were as random."""
    rows, vectors = buckets(vocabulary), encoder.vectors.clone()
    made = made_rows(rows.stop - rows.start, encoder.dimensions)
    vectors[rows] = torch.from_numpy(made) * (vectors[rows].norm(dim=1, keepdim=True) / encoder.dimensions**0.5)
    encoder.use(vectors)


def manifest(encoder, vocabulary, options, files):
    return {
        "id": options.id,
        "version": options.version,
        "kind": "bag",
        "dimensions": encoder.dimensions,
        "output": "embedding",
        "tokenizer": {
            "type": "words",
            "file": "vocab.txt",
            "pattern": "[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+",
            "lowercase": True,
            "hash": "fnv1a32",
            "hashBuckets": vocabulary.word_buckets,
            "pairBuckets": vocabulary.pair_buckets,
            "maxWordsPerField": WORDS_PER_FIELD,
        },
        "fields": dict(path=0, signature=1, body=2, callees=3, title=4, text=5, code=6, trace=7),
        "made": {"rows": vocabulary.word_buckets + vocabulary.pair_buckets, "value": DEVIATION},
        "marks": {"issue": vocabulary.issue, "lengths": vocabulary.issue + 1, "lengthCount": LENGTHS},
        "tokenWeight": "log1p(count)",
        "maxQueryWords": QUERY_WORDS,
        "files": {"cpu": "model.int8.onnx"},
        "sha256": {name: digest(os.path.join(options.out, name)) for name in files},
        "licence": "MIT",
    }


def digest(file):
    with open(file, "rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()


DOCUMENTS = [
    {
        "path": "shop/cart/base_cart.py",
        "text": "class BaseCart(HTTPModel):\n    def total_price(self, *, with_tax=True):\n"
        '        """Sum of all prices, in cents."""\n        # Größe: naïve\n'
        "        items = self.items_by_SKU[42].get__item or self.total_price()\n        return tax.add(items, 0x1F)",
        "signatureEnd": len("class BaseCart(HTTPModel):\n    def total_price(self, *, with_tax=True):"),
        "doc": None,
        "callees": [
            {"path": "shop/tax.py", "text": "def add(\n    items,\n    base,\n):\n    return zzqxv_unheardof"},
            {"path": "shop/cart.py", "text": "def get__item(self): " + "long " * 60},
        ],
    },
    {"path": "a.py", "text": "x", "signatureEnd": 1, "doc": None, "callees": []},
    {"path": "big/table.py", "text": "TABLE = [" + "12, aB_c, " * 500 + "]", "signatureEnd": 0, "doc": None, "callees": []},
]
ISSUES = [
    "total_price() is wrong with_tax=False",
    "Sum of BaseCart.total_price\n### Steps\r\n```python\n>>> BaseCart().total_price()\nTraceback (most recent call last):\n"
    '  File "shop/cart/base_cart.py", line 3, in total_price\n    items = self.items_by_SKU\nKeyError: 42\n```\n'
    "\tindented code\nafter: see shop/tax.py:12 and\nshop/tax.py:12: AssertionError\n\n--no-cache is ignored, größe naïve",
    "In [3]: prompt\nIn [3]: cart.total_price\n$ shop --total-price\n~/shop/cart.py in total(self)\n----> 3 raise\n    4 end\nEnd",
    "Long issue\n" + "some words of many " * 500 + "\n    code after the last word that is read",
]


def fixture(encoder, vocabulary):
    """Documents and issues with the tokens (id, field, count) and embeddings that they have in Python."""
    made = {"documents": [], "issues": []}
    for document in DOCUMENTS:
        texts = [c["text"] for c in document["callees"]]
        fields = field_texts(document["path"], document["text"], document["signatureEnd"], texts)
        features = read_features(fields, WORDS_PER_FIELD)
        length = vocabulary.length_ids(features.words[1:2] + features.words[2:3])
        ids = np.concatenate([vocabulary.ids(features.hash, features.pair), length])
        tokens = (ids, np.append(features.text, 2), np.append(features.count, 1), [len(ids)])
        made["documents"].append({"document": document, **row(encoder, tokens)})
    for issue in ISSUES:
        made["issues"].append({"issue": issue, **row(encoder, query_tokens(vocabulary, [split_issue(issue)]))})
    return made


def row(encoder, tokens):
    ids, fields, counts, _ = tokens
    embedding = encoder.embed(Bag(*tokens))[0]
    return {
        "tokens": sorted([int(i), int(f), int(c)] for i, f, c in zip(ids, fields, counts)),
        "embedding": [round(float(x), 6) for x in embedding],
    }


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--run", required=True, nargs="+", help="several are averaged")
    options.add_argument("--out", required=True)
    options.add_argument("--id", required=True)
    options.add_argument("--version", required=True)
    options.add_argument("--identity", type=float, default=0)
    options.add_argument("--callees", type=float, default=1, help="what the weight of callees is multiplied with")
    options.add_argument("--fixture")
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
        with open(options.fixture, "w") as stream:
            stream.write(json.dumps(fixture(encoder, vocabulary)) + "\n")


if __name__ == "__main__":
    main()
