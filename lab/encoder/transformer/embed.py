"""Embeds texts in batches, with or without gradients."""

import contextlib

import torch

from transformer.corpus import batches, pad


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
def embed(encoder, sizes, text_of, budget, device, half=True):
    """Unit vectors, float32 [texts, dimensions], on the processor. sizes: tokens of each; text_of(number): the text."""
    made = torch.empty(len(sizes), encoder.dimensions)
    with mixed_precision(device, half):
        for numbers in batches(sizes, budget):
            made[torch.from_numpy(numbers)] = encoder(*tensors([text_of(n) for n in numbers], device)).cpu()
    return made
