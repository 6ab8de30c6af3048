"""Vectors of words during training."""

import collections

import torch
import torch.nn.functional as F

# Data of the tokens in a training step. rows: int64 [n], the tokens. own: float [n, d], their own vectors. parts: int64 [m],
# their parts, including 0. shared: float [m, d], vectors of the parts. vectors: float [n, d], own and shared vectors added.
# Gradients accumulate in own and shared.
Taken = collections.namedtuple("Taken", "rows own parts shared vectors")


class WordVectors:
    """Vectors of tokens. Each is the sum of the token's own vector and those of its parts, so that words of one stem start near
    each other and learn together. Similar to the n-grams of fastText (Bojanowski et al., TACL 2017), with fewer, more meaningful
    parts.

    own: float [tokens, d]. shared: float [1 + parts, d]; row 0 is zero. parts: int64 [tokens, most], rows of shared, 0 for no
    part.
    """

    def __init__(self, parts, dimensions, share, seed):
        """share: initial share of a vector's squared length that comes from its parts."""
        generator = torch.Generator().manual_seed(seed)
        self.parts = parts
        self.own = torch.randn(len(parts), dimensions, generator=generator) / dimensions**0.5
        self.shared = torch.randn(int(parts.max()) + 1, dimensions, generator=generator) / dimensions**0.5
        self.own *= torch.where(parts[:, 0] > 0, (1 - share) ** 0.5, 1.0)[:, None]
        self.shared *= share**0.5
        self.shared[0] = 0

    def joined(self):
        """Returns the vectors of all tokens: float [tokens, d]."""
        return self.own + join_parts(self.shared, self.parts)

    def take(self, rows):
        """Returns the Taken data of these tokens, int64 [n], for a training step."""
        parts_of_rows = self.parts[rows]
        # 0 is prepended, since row 0 means no part in join_parts.
        parts, places = torch.unique(F.pad(parts_of_rows.reshape(-1), (1, 0)), return_inverse=True)
        own, shared = self.own[rows].requires_grad_(), self.shared[parts].requires_grad_()
        vectors = own + join_parts(shared, places[1:].reshape(parts_of_rows.shape))
        return Taken(rows, own, parts, shared, vectors)

    def state(self):
        return {"own": self.own, "shared": self.shared}

    def load(self, state):
        self.own, self.shared = state["own"], state["shared"]


def join_parts(shared, parts):
    """Returns the sum of each token's parts, divided by the root of their number: float [n, d]."""
    many = (parts > 0).sum(1, keepdim=True).clamp(min=1)
    return F.embedding_bag(parts, shared, mode="sum") / many.sqrt()


class RowSteps:
    """RMSprop for a table of which a training step changes few rows. Each row has one scale, a mean over the steps that contain
    the row.
    """

    def __init__(self, share):
        """share: float [rows], share of a step for each row."""
        self.share = share
        self.seen = torch.zeros(len(share))
        self.squares = torch.zeros(len(share))

    def steps(self, rows, gradient, rate):
        """Returns what to add to these rows: float [n, d]. rows: int64 [n], each once. gradient: float [n, d]."""
        self.seen[rows] += 1
        newest, trust = self.memory(rows)
        squares = self.squares[rows]
        squares += (gradient.square().mean(1) - squares) * newest
        self.squares[rows] = squares
        return gradient * -(trust * self.share[rows] * rate / (squares.sqrt() + 1e-12))[:, None]

    def memory(self, rows):
        """Returns the weight of the newest step in a row's mean, and the trust in that mean: float [n] each."""
        seen = self.seen[rows]
        # The scale of a row is uncertain in its first steps, so they are shorter.
        return 1 / seen.clamp(max=200), (seen / 10).clamp(max=1)

    def state(self):
        return {"seen": self.seen, "squares": self.squares}

    def load(self, state):
        self.seen, self.squares = state["seen"], state["squares"]
