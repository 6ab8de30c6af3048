"""Embeds texts in batches, with or without gradients."""

import contextlib

import torch

from transformer.corpus import batches, pad


def device_of(name=None):
    """The device to compute on: the one named, or a GPU if there is one."""
    return torch.device(name or ("cuda" if torch.cuda.is_available() else "cpu"))


def mixed_precision(device):
    """bfloat16 for what gains by it, on a GPU: it has the range of float32, so that no loss needs scaling."""
    if device.type == "cuda":
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return contextlib.nullcontext()


def tensors(texts, device):
    """Padded texts, pairs of ids and types, as the encoder's three inputs on a device."""
    made = [torch.from_numpy(array) for array in pad(texts)]
    if device.type == "cuda":  # From pinned memory, copies do not make the processor wait for the GPU.
        made = [tensor.pin_memory() for tensor in made]
    return [tensor.to(device, non_blocking=True) for tensor in made]


def groups(texts, budget, device):
    """(numbers of texts, their tensors), in batches of at most so many tokens with padding."""
    for numbers in batches([len(ids) for ids, _ in texts], budget):
        yield numbers, tensors([texts[n] for n in numbers], device)


@torch.no_grad()
def embed(encoder, sizes, text_of, budget, device):
    """Unit vectors, float32 [texts, dimensions], on the processor. sizes: tokens of each; text_of(number): the text."""
    made = torch.empty(len(sizes), encoder.dimensions)
    with mixed_precision(device):
        for numbers in batches(sizes, budget):
            made[torch.from_numpy(numbers)] = encoder(*tensors([text_of(n) for n in numbers], device)).cpu()
    return made


def backward(encoder, texts, loss_of, budget, device):
    """Adds the gradients of loss_of(embeddings of the texts) to the parameters; returns the loss, without gradient.

    In pieces, after Gao et al. (Scaling deep contrastive learning batch size under memory limited setup, RepL4NLP
    2021): all texts are embedded without keeping activations, the loss gives the gradients of the embeddings, and each
    batch is embedded again to carry its gradients back. Memory is that of one batch, however many texts the loss sees.
    """
    parts = list(groups(texts, budget, device))
    if len(parts) == 1:
        [(numbers, inputs)] = parts
        with mixed_precision(device):
            made = encoder(*inputs)
        loss = loss_of(made[_inverse(numbers, device)])
        loss.backward()
        return loss.detach()
    made = torch.empty(len(texts), encoder.dimensions, device=device)
    with torch.no_grad(), mixed_precision(device):
        for numbers, inputs in parts:
            made[torch.from_numpy(numbers).to(device)] = encoder(*inputs)
    made.requires_grad_()
    loss = loss_of(made)
    loss.backward()
    for numbers, inputs in parts:
        with mixed_precision(device):
            again = encoder(*inputs)
        again.backward(made.grad[torch.from_numpy(numbers).to(device)])
    return loss.detach()


def _inverse(numbers, device):
    return torch.argsort(torch.from_numpy(numbers)).to(device)
