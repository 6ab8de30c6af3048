"""Gives the candidates of lists their similarity to the issue: what the ranker learns the encoder's weight from.

Written: JSON, {instance: [cosine of each candidate]}, in the order of the list.
"""

import json
import os

import numpy as np
import torch

from issue_fields import split_issue
from transformer import inputs
from transformer.embed import device_of, embed
from transformer.evaluate import add_model_options, load
from transformer.prepare import issue_files, read_lists


def add_options(add):
    add_model_options(add)
    add("--lists", required=True, nargs="+", help="folders of lab/lists")
    add("--out", required=True)


def run(options):
    torch.set_num_threads(options.threads)
    encoder, tokenizer = load(options)
    device = device_of(options.device)
    encoder.to(device)
    scores = {}
    for folder in options.lists:
        for name in sorted(issue_files(folder)):
            scores.update(scores_of(encoder, tokenizer, os.path.join(folder, name), options.batch_tokens, device))
    with open(options.out, "w") as stream:
        json.dump(scores, stream)
    print(f"{len(scores)} issues")


def scores_of(encoder, tokenizer, file, budget, device):
    """{instance: cosines of its candidates} of a file of lists."""
    documents, issues = read_lists(file)
    texts = [inputs.document_of(tokenizer, document) for document in documents]
    queries = [inputs.query(tokenizer, split_issue(issue["issue"])) for issue in issues]
    made = embed(encoder, [len(ids) for ids, _ in texts], lambda i: texts[i], budget, device).numpy()
    asked = embed(encoder, [len(ids) for ids, _ in queries], lambda i: queries[i], budget, device).numpy()
    return {
        issue["instance"]: [round(float(cosine), 4) for cosine in made[np.array(issue["candidates"])] @ query]
        for issue, query in zip(issues, asked)
    }
