"""The reader: convolutions over a candidate's words, each with how it matches the issue, and a bag of the issue's words,
each with how the candidate has it; both pooled by attention, and a score of them.
"""

from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from reader.features import ISSUE_FEATURES, KINDS, TOKEN_FEATURES

# Logits of attention stay within these, so that their exponentials are summed as they are.
LOGITS = 20
# Standard deviation of the first embeddings of words: next to nothing, beside how they match.
FIRST = 0.02
SHAPE = {"dimensions": 96, "issue_dimensions": 48, "heads": 4, "dilations": [1, 2, 4, 8]}


class Batch(NamedTuple):
    """Candidates of one or more issues, one after the other.

    tokens: float32 [rows, TOKEN_FEATURES], the words of candidates with rows of zeros between them, as many as the
    longest dilation. kinds: int64 [rows]. mask: float32 [rows, 1], 1 for words. of: int64 [rows], the candidate.
    issue: float32 [pairs, ISSUE_FEATURES], words of issues for each candidate. issue_of: int64 [pairs], the candidate.
    candidates: how many there are.
    """

    tokens: torch.Tensor
    kinds: torch.Tensor
    mask: torch.Tensor
    of: torch.Tensor
    issue: torch.Tensor
    issue_of: torch.Tensor
    candidates: int


def batch(made, gap):
    """A Batch of Features, one for each issue. gap: rows of zeros behind a candidate."""
    sizes = np.concatenate([of.sizes for of in made])
    n = len(sizes)
    words = np.repeat(np.arange(n), sizes)
    rows = np.arange(len(words)) + gap * words
    total = len(words) + gap * n
    tokens = np.zeros((total, TOKEN_FEATURES), np.float32)
    tokens[rows] = np.concatenate([of.tokens for of in made])
    kinds, mask, of = np.zeros(total, np.int64), np.zeros((total, 1), np.float32), np.zeros(total, np.int64)
    kinds[rows], mask[rows], of[rows] = np.concatenate([of.kinds for of in made]), 1, words
    issue = np.concatenate([of.issue.reshape(-1, ISSUE_FEATURES) for of in made])
    issue_of = np.repeat(np.arange(n), np.concatenate([np.full(len(of.sizes), of.issue.shape[1]) for of in made]))
    return Batch(*map(torch.from_numpy, (tokens, kinds, mask, of, issue, issue_of)), n)


class Layer(nn.Module):
    """A residual layer over each word and those `dilation` before and behind it."""

    def __init__(self, dimensions, dilation):
        super().__init__()
        self.dilation = dilation
        self.norm = nn.LayerNorm(dimensions)
        self.mix = nn.Linear(3 * dimensions, dimensions)
        self.out = nn.Linear(dimensions, dimensions)

    def forward(self, x, mask):
        h = (self.norm(x) * mask).to(x.dtype)
        padded = F.pad(h, (0, 0, self.dilation, self.dilation))
        near = torch.cat([padded[: len(h)], h, padded[2 * self.dilation :]], 1)
        return x + self.out(torch.relu(self.mix(near)))


class Pool(nn.Module):
    """The mean of each group of rows, and one in which attention weighs them, a head for each slice."""

    def __init__(self, dimensions, heads):
        super().__init__()
        self.heads = heads
        self.attention = nn.Linear(dimensions, heads)

    def forward(self, x, mask, of, groups):
        """x: float32 [rows, dimensions]. Returns float32 [groups, 2 * dimensions]."""
        weights = torch.exp(self.attention(x).clamp(-LOGITS, LOGITS)) * mask
        sums = torch.zeros(groups, self.heads).index_add(0, of, weights)
        sizes = torch.zeros(groups, 1).index_add(0, of, mask)
        weighed = (x.view(len(x), self.heads, -1) * weights[:, :, None]).flatten(1)
        both = torch.zeros(groups, 2 * x.shape[1]).index_add(0, of, torch.cat([weighed, x * mask], 1))
        first = both[:, : x.shape[1]].view(groups, self.heads, -1) / sums.clamp(min=1e-9)[:, :, None]
        return torch.cat([first.flatten(1), both[:, x.shape[1] :] / sizes.clamp(min=1)], 1)


class Reader(nn.Module):
    """shape: as SHAPE, numbers of each."""

    def __init__(self, shape):
        super().__init__()
        self.shape = dict(shape)
        d, e, heads = shape["dimensions"], shape["issue_dimensions"], shape["heads"]
        self.kinds = nn.Embedding(KINDS, d)
        nn.init.normal_(self.kinds.weight, std=FIRST)
        self.first = nn.Linear(TOKEN_FEATURES, d)
        self.layers = nn.ModuleList(Layer(d, dilation) for dilation in shape["dilations"])
        self.norm = nn.LayerNorm(d)
        self.pool = Pool(d, heads)
        self.issue_first = nn.Linear(ISSUE_FEATURES, e)
        self.issue_second = nn.Linear(e, e)
        self.issue_pool = Pool(e, heads)
        self.hidden = nn.Linear(2 * d + 2 * e, d)
        self.score = nn.Linear(d, 1)

    @property
    def gap(self):
        return max(self.shape["dilations"])

    def forward(self, of, known=None):
        """Scores, float32 [candidates], of a Batch. known: float32 [rows, 1], 0 where a word's embedding is left out."""
        kinds = self.kinds(of.kinds)
        x = self.first(of.tokens) + (kinds if known is None else kinds * known)
        for layer in self.layers:
            x = layer(x, of.mask)
        y = torch.relu(self.issue_second(torch.relu(self.issue_first(of.issue))))
        with torch.autocast(of.tokens.device.type, enabled=False):
            x = self.norm(x.float())
            read = self.pool(x, of.mask, of.of, of.candidates)
            ones = torch.ones(len(y), 1)
            asked = self.issue_pool(y.float(), ones, of.issue_of, of.candidates)
            return self.score(torch.relu(self.hidden(torch.cat([read, asked], 1)))).squeeze(1)
