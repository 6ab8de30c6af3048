"""Embeddings of a repository's texts by another encoder, as a training has them at hand: <name>.npz in a folder.

documents: float16 [chunks, d]. queries: float16 [messages, d], of messages as they are. Unit vectors.
"""

import os

import numpy as np


def vectors_file(folder, name):
    return os.path.join(folder, name + ".npz")


def write_vectors(file, documents, queries, **more):
    """Writes float tensors in one step: the file is complete, or not there."""
    partial = file[: -len(".npz")] + ".tmp.npz"
    np.savez(partial, documents=documents.numpy().astype(np.float16), queries=queries.numpy().astype(np.float16), **more)
    os.rename(partial, file)


def read_vectors(folder, repository):
    """The arrays of a repository of the same data; refuses those of another."""
    made = dict(np.load(vectors_file(folder, repository.name)))
    if (len(made["documents"]), len(made["queries"])) != (repository.chunks, repository.messages):
        raise SystemExit(f"{repository.name}: {folder} was made of other data")
    return made
