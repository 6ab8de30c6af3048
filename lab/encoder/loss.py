"""The loss that encoders are trained with."""

import math

import torch
import torch.nn.functional as F


def likelihood_loss(scores, positives, allowed):
    """Returns the loss of CoRet (Fehr et al., ACL 2025), equation 2: the mean of -log likelihood over a query's edited chunks.

    scores: float [queries, documents], divided by the temperature. positives: bool, edited chunks. allowed: bool, their
    negatives, without edited chunks and other versions of them.
    """
    against = torch.logsumexp(scores.masked_fill(~allowed, -math.inf), dim=1, keepdim=True)
    losses = F.softplus(against - scores)
    answered = positives.sum(1).clamp(min=1)
    return ((losses * positives).sum(1) / answered).mean()
