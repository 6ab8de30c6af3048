"""Distills a cross-encoder into an encoder that embeds issues and chunks separately."""

import torch

from gpu.checkpoints import HalfCheckpoints
from gpu.cross import start_encoder
from loss import likelihood_loss
from transformer.train_gpu import Trainer
from vectors import soft_loss


class Distiller(HalfCheckpoints, Trainer):
    """Learns from steps that TargetDraws draws. options: also `model`, the folder to start from, and `soft`, the share of the teacher."""

    def open(self, options):
        encoder = start_encoder(options.model)
        encoder.tokens.weight.requires_grad_(False)
        return encoder, [], 0

    def block_loss(self, scores, positives, allowed, targets):
        hard = likelihood_loss(scores, positives, allowed)
        soft = soft_loss(scores, torch.softmax(targets, dim=1), torch.isfinite(targets))
        return self.options.soft * soft + (1 - self.options.soft) * hard
