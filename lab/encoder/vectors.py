"""Embeddings of a repository's texts by another encoder, as a training reads them: <name>.npz in a folder.

documents: float16 [chunks, d]. queries: float16 [commits, d], of messages as they are. Unit vectors.
"""

import os

import numpy as np
import torch
import torch.nn.functional as F


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
    if (len(made["documents"]), len(made["queries"])) != (repository.chunks, len(repository.commits)):
        raise SystemExit(f"{repository.name}: {folder} was made of other data")
    return made


class Teacher:
    """Targets from the encoder that `transformer teach` asked, for a step's texts. Docstrings have none."""

    def __init__(self, folder, repositories):
        self._taught = {}
        for repository in repositories:
            taught = read_vectors(folder, repository)
            self._taught[repository.name] = taught["documents"], taught["queries"], float(taught["temperature"])

    def targets(self, step):
        """Returns the probability that each document of a rows.Step answers each query that counts: float [queries, documents]."""
        documents, queries, temperature = self._taught[step.repository.name]
        rows = [commit["row"] for commit in step.commits]
        scores = torch.from_numpy(queries[rows].astype(np.float32) @ documents[step.documents].astype(np.float32).T)
        counted = torch.from_numpy(step.positives | step.allowed)
        return F.softmax((scores / temperature).masked_fill(~counted, -torch.inf), dim=1)


def soft_loss(scores, targets, counted):
    """Cross-entropy of a teacher's likelihoods (Hinton et al., 2015): the mean over queries.

    scores: float [queries, documents], divided by the temperature. targets: float, rows that add up to 1. counted: bool,
    where targets may be above 0.
    """
    log_likelihoods = F.log_softmax(scores.masked_fill(~counted, -torch.inf), dim=1).masked_fill(~counted, 0)
    return -(targets * log_likelihoods).sum(1).mean()
