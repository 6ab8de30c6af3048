"""Embeds texts in batches, with or without gradients."""

import contextlib

import numpy as np
import torch


def device_of(name=None):
    """Returns the device to compute on: the named one, else a GPU if available."""
    return torch.device(name or ("cuda" if torch.cuda.is_available() else "cpu"))


def mixed_precision(device, wanted=True):
    """Uses bfloat16 for matrix products. It has the range of float32, so that the loss needs no scaling."""
    return torch.autocast(device.type, dtype=torch.bfloat16) if wanted else contextlib.nullcontext()


def tensors(texts, device):
    """Pads texts, pairs of ids and types, and returns the encoder's three inputs on a device."""
    return [torch.from_numpy(array).to(device) for array in pad(texts)]


def embed_texts(encoder, texts, budget, device):
    """Returns unit vectors, float32 [texts, dimensions], with gradients if enabled. texts: pairs of ids and types."""
    order = [torch.from_numpy(numbers) for numbers in batches([len(ids) for ids, _ in texts], budget)]
    inputs = [tensors([texts[n] for n in numbers], device) for numbers in order]
    # One lookup for all batches, so that the gradient of the whole vocabulary is computed once.
    tokens = encoder.tokens(torch.cat([ids.flatten() for ids, _, _ in inputs])).split([ids.numel() for ids, _, _ in inputs])
    made = [encoder(*of, tokens=given.view(*of[0].shape, -1)) for of, given in zip(inputs, tokens)]
    return torch.cat(made)[torch.argsort(torch.cat(order)).to(device)]


@torch.no_grad()
def embed(encoder, texts, numbers, budget, device):
    """Returns unit vectors of some of rows.Texts, float32 [texts, dimensions], on the CPU."""
    made = torch.empty(len(numbers), encoder.dimensions)
    with mixed_precision(device):
        for batch in batches(texts.sizes[numbers], budget):
            given = [texts.of(number) for number in np.asarray(numbers)[batch]]
            made[torch.from_numpy(batch)] = encoder(*tensors(given, device)).cpu()
    return made


# Maximum share of padding in a batch, and number of tokens below which a batch may have more
PADDING, SMALL = 0.1, 1024


def batches(sizes, budget):
    """Groups texts of similar size, longest first, into batches of at most `budget` tokens, padding included.

    sizes: tokens of each text. Yields arrays of numbers of texts. A text longer than the budget has its own batch. A batch ends
    before the share of padding exceeds PADDING, unless the batch is small.
    """
    sizes = np.asarray(sizes)
    order = np.argsort(-sizes, kind="stable")
    start = 0
    while start < len(order):
        longest, total, end = max(1, sizes[order[start]]), 0, start
        while end < len(order) and (end == start or (end - start + 1) * longest <= budget):
            total += sizes[order[end]]
            area = (end - start + 1) * longest
            if end > start and area > SMALL and total < (1 - PADDING) * area:
                break
            end += 1
        yield order[start:end]
        start = end


def pad(texts):
    """Pads texts, pairs of ids and types. Returns ids, types and mask: int64 [texts, length]."""
    length = max([1, *(len(ids) for ids, _ in texts)])
    ids = np.zeros((len(texts), length), np.int64)
    types, mask = np.zeros_like(ids), np.zeros_like(ids)
    for row, (of, kinds) in enumerate(texts):
        ids[row, : len(of)], types[row, : len(of)], mask[row, : len(of)] = of, kinds, 1
    return ids, types, mask
