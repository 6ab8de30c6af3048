"""A cross-encoder: it reads an issue and a candidate together, and adds what it reads to the candidate's initial score."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from gpu.checkpoints import HalfCheckpoints
from gpu.lists import message, pair, rows_of
from loss import likelihood_loss
from rows import read_tensors
from transformer.graph import read_exported
from transformer.model import Encoder
from transformer.train_gpu import Trainer
from transformer.unpadded import Unpadded

HEADS = 12


class CrossEncoder(nn.Module):
    """An encoder with more positions, and a head over the mean of a pair's tokens. It begins as the initial ranking."""

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.hidden = nn.Linear(encoder.dimensions + 2, encoder.dimensions)
        self.out = nn.Linear(encoder.dimensions, 1)
        self.prior = nn.Parameter(torch.ones(1))
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)
        # A short run sees too few texts to learn words, and checkpoints are half the size without them.
        encoder.tokens.weight.requires_grad_(False)

    def read(self, unpadded, row, scores, known, dropout=0.0):
        """Returns the scores of pairs, float32 [pairs]. unpadded: Unpadded of the encoder. row: pairs as a Row. scores: initial ones,
        float32 [pairs], zero where `known`, bool [pairs], is false.
        """
        given = torch.stack([scores, known.float()], dim=1)
        inputs = torch.cat([unpadded.average(row, dropout), given], dim=1)
        return self.prior * scores + self.out(F.gelu(self.hidden(inputs)))[:, 0]


def start_encoder(model):
    """Returns the Encoder of a model folder, from its weights in int8."""
    return read_exported(model, HEADS, "cpu")


def lengthen(encoder, file):
    """Returns the encoder with more positions. file: safetensors with those that it lacks."""
    _, arrays = read_tensors(file)
    more = torch.from_numpy(arrays["positions"].copy())
    longer = Encoder({**encoder.shape, "positions": encoder.shape["positions"] + len(more)})
    state = encoder.state_dict()
    longer.load_state_dict({**state, "positions.weight": torch.cat([state["positions.weight"], more])})
    return longer


class CrossTrainer(HalfCheckpoints, Trainer):
    """Learns from lists that PairDraws draws. options: also `model` and `positions`, the files to start from."""

    def open(self, options):
        return CrossEncoder(lengthen(start_encoder(options.model), options.positions)), [], 0

    def compute_loss(self, row, blocks):
        scores, known, positives, allowed = self.on_device(blocks)
        there = positives | allowed
        read = self.module.read(self.unpadded, row, scores[there], known[there], self.options.dropout)
        return likelihood_loss(torch.zeros_like(scores).masked_scatter(there, read), positives, allowed)


@torch.no_grad()
def read_lists(module, repositories, budget, is_scored):
    """Returns a cross-encoder's scores of the lists: {(repository, real, row of the commit): float [candidates]}.

    budget: number of tokens to read at once. is_scored: whether it gets the initial scores.
    """
    device = module.prior.device
    unpadded, made = Unpadded(module.encoder, device), {}
    for of in repositories:
        pairs = [pair(message(of, commit), of.documents.of(i)) for commit in of.commits for i in commit["candidates"]]
        scores = torch.from_numpy(np.concatenate([commit["scores"] for commit in of.commits])).to(device) * is_scored
        known, read, start = torch.full_like(scores, is_scored, dtype=torch.bool), [], 0
        for row in rows_of(pairs, budget):
            part = slice(start, start + len(row.sizes))
            read.append(module.read(unpadded, row, scores[part], known[part]))
            start = part.stop
        sizes = [len(commit["candidates"]) for commit in of.commits]
        for commit, numbers in zip(of.commits, torch.cat(read).float().cpu().split(sizes)):
            made[of.name, of.real, commit["row"]] = numbers.numpy()
    return made
