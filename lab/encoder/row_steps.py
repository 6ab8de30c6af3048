"""Steps of RMSprop for tables of which a training step touches few rows."""

import torch


class RowSteps:
    """One scale for a row, counted over the steps that the row was in."""

    def __init__(self, share):
        """share: float [rows], how much of a step each row takes."""
        self.share = share
        self.seen = torch.zeros(len(share))
        self.squares = torch.zeros(len(share))

    def steps(self, rows, gradient, rate):
        """What to add to these rows: float [n, d]. rows: int64 [n], each once. gradient: float [n, d]."""
        self.seen[rows] += 1
        newest, trust = self.memory(rows)
        squares = self.squares[rows]
        squares += (gradient.square().mean(1) - squares) * newest
        self.squares[rows] = squares
        return gradient * -(trust * self.share[rows] * rate / (squares.sqrt() + 1e-12))[:, None]

    def memory(self, rows):
        """How much of a row's mean its newest step is, and how far the mean is to be trusted: float [n] each."""
        seen = self.seen[rows]
        # The first steps of a row know its scale badly, so they are shorter.
        return 1 / seen.clamp(max=200), (seen / 10).clamp(max=1)

    def state(self):
        return {"seen": self.seen, "squares": self.squares}

    def load(self, state):
        self.seen, self.squares = state["seen"], state["squares"]
