"""Writes a run's embeddings of all training texts, for a bag encoder to learn from: train.py --teacher.

Queries are messages as they are: the bag encoder, whose queries are made to look like issues, learns to rank for them as
the transformer does without the disguise. It is trained without docstrings then: train.py --docstrings 0.
"""

import os

import torch

from corpus import training_names
from transformer.corpus import TokenRepository
from transformer.embed import device_of, embed
from transformer.evaluate import add_model_options, load
from vectors_file import vectors_file, write_vectors


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
        file = vectors_file(options.out, name)
        if os.path.exists(file):
            continue
        of = TokenRepository(options.prepared, name).tokens
        documents = embed(encoder, of.sizes, of.document, options.batch_tokens, device)
        queries = embed(encoder, of.query_sizes, of.query, options.batch_tokens, device)
        write_vectors(file, documents, queries, temperature=encoder.temperature().item())
        print(name, len(documents), "documents", len(queries), "queries", flush=True)
