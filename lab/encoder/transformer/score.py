"""Computes the similarity of the candidates of lists to the issue, to fit the encoder's weight in the ranker.

Writes JSON: {instance: [cosine of each candidate]}, in the order of the list.
"""

import json

import numpy as np
import torch

from rows import load_issues
from transformer.embed import device_of, embed
from transformer.evaluate import add_model_options, load_encoder


def add_options(add):
    add_model_options(add)
    add("--rows", required=True, help="folder of training-rows --issues <folder of training-lists>")
    add("--out", required=True)


def run(options):
    torch.set_num_threads(options.threads)
    device = device_of(options.device)
    encoder = load_encoder(options).to(device)
    scores = {}
    for of in load_issues(options.rows):
        documents = embed(encoder, of.documents, np.arange(of.chunks), options.batch_tokens, device).numpy()
        queries = embed(encoder, of.queries, of.messages(), options.batch_tokens, device).numpy()
        for instance, issue, query in zip(of.instances, of.commits, queries):
            scores[instance] = [round(float(cosine), 4) for cosine in documents[issue["candidates"]] @ query]
    with open(options.out, "w") as stream:
        json.dump(scores, stream)
    print(f"{len(scores)} issues")
