"""Digests of the functions of repositories, so that copies of them (vendored code) are left out of training."""

import hashlib
import json
import os

import numpy as np
from transformer.inputs import signature_and_body

# What is compared of a function: the first lines of its body, without indentation, comments and empty lines, where
# they are so many characters.
LINES, CHARACTERS = 12, 100


def add_options(add):
    add("--issues", required=True, help="folder that training:issues wrote, of repositories of which nothing is learned")
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


def digest(body):
    """Of the lines after a function's header; None where they are too few to tell functions apart."""
    lines = [line.strip() for line in body]
    text = "\n".join([line for line in lines if line and not line.startswith("#")][:LINES])
    if len(text) < CHARACTERS:
        return None
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")
