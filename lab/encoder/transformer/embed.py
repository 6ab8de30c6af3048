"""Embeds texts in batches, with or without gradients."""

import contextlib

import numpy as np
import torch


def device_of(name=None):
    """The device to compute on: the one named, or a GPU if there is one."""
    return torch.device(name or ("cuda" if torch.cuda.is_available() else "cpu"))


def mixed_precision(device, wanted=True):
    """bfloat16 for matrix products: it has the range of float32, so that no loss needs scaling."""
    return torch.autocast(device.type, dtype=torch.bfloat16) if wanted else contextlib.nullcontext()


def tensors(texts, device):
    """Padded texts, pairs of ids and types, as the encoder's three inputs on a device."""
    return [torch.from_numpy(array).to(device) for array in pad(texts)]


def embed_texts(encoder, texts, budget, device):
    """Unit vectors, float32 [texts, dimensions], with gradients where they are on. texts: pairs of ids and types."""
    order = [torch.from_numpy(numbers) for numbers in batches([len(ids) for ids, _ in texts], budget)]
    inputs = [tensors([texts[n] for n in numbers], device) for numbers in order]
    # Looked up together, so that the gradient of the whole vocabulary is made once.
    tokens = encoder.tokens(torch.cat([ids.flatten() for ids, _, _ in inputs])).split([ids.numel() for ids, _, _ in inputs])
    made = [encoder(*of, tokens=given.view(*of[0].shape, -1)) for of, given in zip(inputs, tokens)]
    return torch.cat(made)[torch.argsort(torch.cat(order)).to(device)]


@torch.no_grad()
def embed(encoder, texts, numbers, budget, device):
    """Unit vectors of some of rows.Texts, float32 [texts, dimensions], on the processor."""
    made = torch.empty(len(numbers), encoder.dimensions)
    with mixed_precision(device):
        for batch in batches(texts.sizes[numbers], budget):
            given = [texts.of(number) for number in np.asarray(numbers)[batch]]
            made[torch.from_numpy(batch)] = encoder(*tensors(given, device)).cpu()
    return made


# Of a batch's tokens, the most that are padding; and batches of how many tokens need not keep to it.
PADDING, SMALL = 0.1, 1024


def batches(sizes, budget):
    """Groups of texts of like size, the longest first, each of at most so many tokens with padding.

    sizes: tokens of each text. Yields arrays of numbers of texts; a longer text has a batch of its own. A batch ends
    where padding would take more than PADDING of it, unless it is small.
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
    """Texts, pairs of ids and types, as arrays: ids, types and mask, int64 [texts, length]."""
    length = max([1, *(len(ids) for ids, _ in texts)])
    ids = np.zeros((len(texts), length), np.int64)
    types, mask = np.zeros_like(ids), np.zeros_like(ids)
    for row, (of, kinds) in enumerate(texts):
        ids[row, : len(of)], types[row, : len(of)], mask[row, : len(of)] = of, kinds, 1
    return ids, types, mask
