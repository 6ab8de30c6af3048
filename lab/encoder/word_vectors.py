"""Vectors of words while they are trained."""

import collections

import torch
import torch.nn.functional as F

# What a training step needs of the tokens in it. rows: int64 [n], the tokens. own: float [n, d], their own vectors. parts:
# int64 [m], their parts, 0 among them. shared: float [m, d], vectors of these. vectors: float [n, d], own and shared
# joined. Gradients gather in own and shared.
Taken = collections.namedtuple("Taken", "rows own parts shared vectors")


class WordVectors:
    """Each token has a vector of its own, to which those of its parts are added: words of one stem begin near each other,
    and what is learned of one of them moves the others. As the n-grams of fastText (Bojanowski et al., TACL 2017), with
    fewer parts that mean more.

    own: float [tokens, d]. shared: float [1 + parts, d], of which row 0 is zero. parts: int64 [tokens, most], rows of
    shared, 0 for none.
    """

    def __init__(self, parts, dimensions, share, seed):
        """share: of a vector's squared length, what its parts have at the beginning."""
        generator = torch.Generator().manual_seed(seed)
        self.parts = parts
        self.own = torch.randn(len(parts), dimensions, generator=generator) / dimensions**0.5
        self.shared = torch.randn(int(parts.max()) + 1, dimensions, generator=generator) / dimensions**0.5
        self.own *= torch.where(parts[:, 0] > 0, (1 - share) ** 0.5, 1.0)[:, None]
        self.shared *= share**0.5
        self.shared[0] = 0

    def joined(self):
        """The vectors of all tokens: float [tokens, d]."""
        return self.own + join_parts(self.shared, self.parts)

    def take(self, rows):
        """Of these tokens, int64 [n], what a training step needs: Taken."""
        parts_of_rows = self.parts[rows]
        # 0 is put before them for join_parts, for which row 0 is none.
        parts, places = torch.unique(F.pad(parts_of_rows.reshape(-1), (1, 0)), return_inverse=True)
        own, shared = self.own[rows].requires_grad_(), self.shared[parts].requires_grad_()
        vectors = own + join_parts(shared, places[1:].reshape(parts_of_rows.shape))
        return Taken(rows, own, parts, shared, vectors)

    def state(self):
        return {"own": self.own, "shared": self.shared}

    def load(self, state):
        self.own, self.shared = state["own"], state["shared"]


def join_parts(shared, parts):
    """The sum of each token's parts over the root of their number: float [n, d]."""
    many = (parts > 0).sum(1, keepdim=True).clamp(min=1)
    return F.embedding_bag(parts, shared, mode="sum") / many.sqrt()


class RowSteps:
    """Steps of RMSprop for a table of which a training step touches few rows: one scale for a row, counted over the steps that
    the row was in.
    """

    def __init__(self, share):
        """share: float [rows], how much of a step each row takes."""
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
        # The first steps of a row know its scale badly, so they are shorter.
        return 1 / seen.clamp(max=200), (seen / 10).clamp(max=1)

    def state(self):
        return {"seen": self.seen, "squares": self.squares}

    def load(self, state):
        self.seen, self.squares = state["seen"], state["squares"]
