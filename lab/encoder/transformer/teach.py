"""Writes a run's embeddings of all training texts, for a bag encoder to learn from: train.py --teacher.

Queries are unchanged commit messages. The queries of the bag encoder are rewritten as issues, and it learns to rank for them as
the transformer ranks for the messages. It must be trained without docstrings: train.py --docstrings 0.
"""

import os

import numpy as np
import torch

from rows import TRAIN, load_rows
from transformer.embed import device_of, embed
from transformer.evaluate import add_model_options, load_encoder
from vectors import vectors_file, write_vectors


def add_options(add):
    add_model_options(add)
    add("--rows", required=True, help="folder of rows for this encoder; those of the bag encoder must be made from the same data")
    add("--out", required=True)


def run(options):
    os.makedirs(options.out, exist_ok=True)
    torch.set_num_threads(options.threads)
    device = device_of(options.device)
    encoder = load_encoder(options).to(device)
    for of in load_rows([options.rows], TRAIN):
        file = vectors_file(options.out, of.name)
        if os.path.exists(file):
            continue
        documents = embed(encoder, of.documents, np.arange(of.chunks), options.batch_tokens, device)
        queries = embed(encoder, of.queries, of.messages(), options.batch_tokens, device)
        write_vectors(file, documents, queries, temperature=encoder.temperature().item())
        print(of.name, len(documents), "documents", len(queries), "queries", flush=True)
