"""Writes a run's embeddings of all training texts, for a bag encoder to learn from: train.py --teacher.

Queries are messages as they are: the bag encoder, whose queries are made to look like issues, learns to rank for them as
the transformer does without the disguise. It is trained without docstrings then: train.py --docstrings 0.
"""

import os

import numpy as np
import torch

from corpus import training_names
from transformer.corpus import TokenRepository
from transformer.embed import device_of, embed
from transformer.evaluate import add_model_options, load


def add_options(add):
    add_model_options(add)
    add("--prepared", required=True, help="of this encoder; the bag encoder's must be made of the same data")
    add("--out", required=True)


def run(options):
    os.makedirs(options.out, exist_ok=True)
    torch.set_num_threads(options.threads)
    device = device_of(options.device)
    encoder, _ = load(options)
    encoder.to(device)
    for name in training_names(options.prepared):
        file = os.path.join(options.out, name + ".npz")
        if os.path.exists(file):
            continue
        of = TokenRepository(options.prepared, name).tokens
        made = {
            "documents": embed(encoder, of.sizes, of.document, options.batch_tokens, device),
            "queries": embed(encoder, of.query_sizes, of.query, options.batch_tokens, device),
        }
        arrays = {name: vectors.numpy().astype(np.float16) for name, vectors in made.items()}
        partial = file[: -len(".npz")] + ".tmp.npz"
        np.savez(partial, **arrays, temperature=encoder.temperature().item())
        os.rename(partial, file)
        print(name, len(arrays["documents"]), "documents", len(arrays["queries"]), "queries", flush=True)
