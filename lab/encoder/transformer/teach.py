"""Writes a run's embeddings of all training texts, for a bag encoder to learn from: train.py --teacher.

Queries are messages and docstrings as they are: the bag encoder, whose queries are made to look like issues, learns to
rank for them as the transformer does without the disguise.
"""

import os

import numpy as np
import torch.nn.functional as F

from transformer.embed import device_of, embed
from transformer.evaluate import load
from transformer.train import load_repositories


def add_options(add):
    add("--run", required=True)
    add("--prepared", required=True, help="of this encoder; the bag encoder's must be made of the same data")
    add("--out", required=True)
    add("--dimensions", type=int, default=256, help="a prefix of the embeddings that stands alone")
    add("--batch-tokens", type=int, default=65_536)
    add("--device", help="cpu or cuda")


def run(options):
    os.makedirs(options.out, exist_ok=True)
    device = device_of(options.device)
    encoder, _ = load(options.run)
    encoder.to(device)
    for repository in load_repositories(options.prepared):
        file = os.path.join(options.out, repository.name + ".npz")
        if os.path.exists(file):
            continue
        of = repository.tokens
        made = {
            "documents": embed(encoder, of.sizes, of.document, options.batch_tokens, device),
            "queries": embed(encoder, of.query_sizes, of.query, options.batch_tokens, device),
        }
        arrays = {
            name: F.normalize(vectors[:, : options.dimensions], dim=1).numpy().astype(np.float16)
            for name, vectors in made.items()
        }
        partial = file[: -len(".npz")] + ".tmp.npz"
        np.savez(partial, **arrays, temperature=encoder.temperature().item())
        os.rename(partial, file)
        print(repository.name, len(arrays["documents"]), "documents", len(arrays["queries"]), "queries", flush=True)
