"""Runs the encoder over texts that are concatenated in one row, without padding. On a GPU this is about three times as fast as
padded batches, each of which is launched separately.
"""

from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

from transformer.model import NORM_EPSILON

# Intermediate values need not be more precise than the products.
KEPT = torch.bfloat16


class Row(NamedTuple):
    """Concatenated texts: ids, int32, and types, uint8, [tokens] each, and sizes, int32 [texts]. Small types, for the transfer."""

    ids: np.ndarray
    types: np.ndarray
    sizes: np.ndarray


def concatenate(texts):
    """Returns the Row of texts. texts: pairs of ids and types, int [tokens of the text] each."""
    ids, types = zip(*texts)
    sizes = np.array([len(text) for text in ids], np.int32)
    return Row(np.concatenate(ids).astype(np.int32), np.concatenate(types).astype(np.uint8), sizes)


class Unpadded:
    """Embeds rows as Encoder.forward embeds padded texts, in bfloat16 except for sums and norms."""

    def __init__(self, encoder, device):
        self.encoder, self.device = encoder, device
        on_gpu = device.type == "cuda"
        self.attend = flash_attention if on_gpu else padded_attention
        # A GPU spends most of its time here on memory access. Compiled, it is one pass.
        self.add_and_norm = torch.compile(add_and_norm, dynamic=True) if on_gpu else add_and_norm

    def embed(self, row, dropout=0.0):
        """Returns unit vectors, float32 [texts, dimensions], with gradients if enabled. dropout: rate after attention and after
        the feed-forward layer.
        """
        return F.normalize(self.average(row, dropout), dim=1)

    def average(self, row, dropout=0.0):
        """Returns the mean over each text's tokens, float32 [texts, dimensions], as embed() does before it normalizes them."""
        encoder, device = self.encoder, self.device
        ids, types, sizes = (torch.from_numpy(of).to(device, non_blocking=True) for of in row)
        text, place, starts = places(sizes, len(ids))
        first = encoder.tokens(ids) + of_types(encoder.types.weight, types.long()) + encoder.positions(place)
        x = encoder.first(first).to(KEPT)
        longest = int(row.sizes.max())
        for layer in encoder.layers:
            mixed = self.attend(*parts(layer.attention, x), starts, longest).flatten(1)
            x = self.add_and_norm(x, linear(layer.attention.out, mixed), *weights(layer.after_attention), dropout)
            made = linear(layer.down, F.gelu(linear(layer.up, x)))
            x = self.add_and_norm(x, made, *weights(layer.after_feed), dropout)
        total = torch.zeros(len(sizes), encoder.dimensions, device=device).index_add(0, text, x.float())
        return total / sizes[:, None]


def places(sizes, total):
    """Returns the number of each token's text and its position there, int64 [tokens], and the starts of texts, int32 [texts + 1]."""
    starts = F.pad(sizes.cumsum(0), (1, 0))
    text = torch.repeat_interleave(torch.arange(len(sizes), device=sizes.device), sizes, output_size=total)
    return text, torch.arange(total, device=sizes.device) - starts[text], starts.int()


def of_types(table, types):
    """Looks up rows of a small table by a product, since the gradients of many lookups of few rows are slow on a GPU."""
    return (F.one_hot(types, len(table)).to(KEPT) @ table.to(KEPT)).float()


def parts(attention, x):
    """Returns queries, keys and values, [tokens, heads, dimensions / heads] each."""
    tokens, dimensions = x.shape
    return linear(attention.qkv, x).view(tokens, 3, attention.heads, dimensions // attention.heads).unbind(1)


def linear(layer, x):
    return F.linear(x, layer.weight.to(KEPT), layer.bias.to(KEPT))


def weights(norm):
    return norm.weight, norm.bias


def add_and_norm(x, made, weight, bias, dropout):
    if dropout:
        made = F.dropout(made, dropout)
    return F.layer_norm(x.float() + made.float(), x.shape[-1:], weight, bias, NORM_EPSILON).to(KEPT)


def flash_attention(q, k, v, starts, longest):
    """Computes attention within each text, [tokens, heads, dimensions], on a GPU (Dao, FlashAttention-2, ICLR 2024)."""
    from torch.nn.attention.varlen import varlen_attn

    return varlen_attn(q, k, v, starts, starts, longest, longest)


def padded_attention(q, k, v, starts, longest):
    """Computes the same on any device. Pads the texts, and removes the padding from the result."""
    sizes = starts.diff()
    text, place, _ = places(sizes, len(q))

    def padded(x):
        return x.new_zeros(len(sizes), longest, *x.shape[1:]).index_put((text, place), x).transpose(1, 2)

    attended = (torch.arange(longest, device=q.device) < sizes[:, None])[:, None, None]
    mixed = F.scaled_dot_product_attention(*map(padded, (q, k, v)), attn_mask=attended.expand(-1, 1, longest, longest))
    return mixed.transpose(1, 2)[text, place]
