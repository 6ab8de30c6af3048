"""Digests of the functions of repositories, so that copies of them (vendored code) are left out of training."""

import json
import os

import numpy as np
from digests import digest
from transformer.inputs import signature_and_body


def add_options(add):
    add("--issues", required=True, help="folder that training-issues wrote, of repositories of which nothing is learned")
    add("--out", required=True, help=".npy")


def run(options):
    digests = set()
    for name in sorted(name for name in os.listdir(options.issues) if name.endswith(".jsonl")):
        with open(os.path.join(options.issues, name), encoding="utf-8") as stream:
            digests.update(functions(json.loads(line) for line in stream))
        print(name, len(digests), "digests so far", flush=True)
    np.save(options.out, np.array(sorted(digests), np.uint64))


def functions(documents):
    """The digests of documents as the engine gives them to encoders; lines that are issues have none."""
    for document in documents:
        if "text" in document:
            made = digest(signature_and_body(document)[1].split("\n"))
            if made is not None:
                yield made
