"""Reads and writes embeddings of a repository's texts by another encoder, for training: <name>.npz in a folder.

documents: float16 [chunks, d]. queries: float16 [commits, d], of unchanged messages. All are unit vectors.
"""

import os

import numpy as np
import torch
import torch.nn.functional as F


def vectors_file(folder, name):
    return os.path.join(folder, name + ".npz")


def write_vectors(file, documents, queries, **more):
    """Writes float tensors atomically: the file is complete or missing."""
    partial = file[: -len(".npz")] + ".tmp.npz"
    np.savez(partial, documents=documents.numpy().astype(np.float16), queries=queries.numpy().astype(np.float16), **more)
    os.rename(partial, file)


def read_vectors(folder, repository):
    """Returns the arrays of a repository. Exits if they were made from other data."""
    made = dict(np.load(vectors_file(folder, repository.name)))
    if (len(made["documents"]), len(made["queries"])) != (repository.chunks, len(repository.commits)):
        raise SystemExit(f"{folder} was made from other data of {repository.name}. Make it again.")
    return made


class Teacher:
    """Targets for the texts of a step, from the embeddings that `transformer teach` wrote. Docstrings have none."""

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
    """Returns the cross-entropy with a teacher's likelihoods (Hinton et al., 2015), as a mean over queries.

    scores: float [queries, documents], divided by the temperature. targets: float, rows that add up to 1. counted: bool, true
    where targets can be above 0.
    """
    log_likelihoods = F.log_softmax(scores.masked_fill(~counted, -torch.inf), dim=1).masked_fill(~counted, 0)
    return -(targets * log_likelihoods).sum(1).mean()
