"""What another encoder says of a step's texts, for a training to learn from: transformer/teach.py writes it."""

import numpy as np
import torch
import torch.nn.functional as F

from vectors_file import read_vectors


class Teacher:
    """Embeddings of the documents and queries of each repository, a vectors_file with the temperature. Of docstrings it
    says nothing.
    """

    def __init__(self, folder, repositories):
        self._taught = {}
        for repository in repositories:
            taught = read_vectors(folder, repository)
            self._taught[repository.name] = taught["documents"], taught["queries"], float(taught["temperature"])

    def targets(self, repository, step):
        """How likely each of a steps.Step's documents answers each query, of those that count: float [queries, documents]."""
        documents, queries, temperature = self._taught[repository.name]
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
