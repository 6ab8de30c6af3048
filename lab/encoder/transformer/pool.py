"""Measures an encoder alone on a pool: the first candidates of a search for each of some issues, put in its order.

A pool is zstd-compressed JSON Lines: {"id", "issue", "edited": how many chunks the fix edits, "cands": [{"p": path,
"q": qualified name, "t": text, "y": 1 where it is edited}]}. The candidates have no callees.
"""

import json
import random

import numpy as np
import torch

from chunks import signature_end
from issue_fields import split_issue
from split import read_zst
from transformer import inputs
from transformer.embed import device_of, embed
from transformer.evaluate import add_model_options, load


def add_options(add):
    add_model_options(add)
    add("--pool", required=True)
    add("--top", type=int, default=40, help="candidates of an issue")
    add("--issues", type=int, help="only so many, drawn at random")
    add("--out", help="JSON file for the ranks of what was edited, by issue")


def run(options):
    torch.set_num_threads(options.threads)
    encoder, tokenizer = load(options)
    device = device_of(options.device)
    encoder.to(device)
    rows = list(read_zst(options.pool))
    rows = random.Random(0).sample(rows, min(options.issues or len(rows), len(rows)))
    ranks = {row["id"]: ranks_of(encoder, tokenizer, row, options, device) for row in rows}
    print(json.dumps(summary([(ranks[row["id"]], row["edited"]) for row in rows])))
    if options.out:
        with open(options.out, "w") as stream:
            json.dump(ranks, stream)


def ranks_of(encoder, tokenizer, row, options, device):
    """The ranks, from 1, of the edited candidates; equal similarities are put in order at random."""
    candidates = row["cands"][: options.top]
    texts = [document(tokenizer, candidate) for candidate in candidates]
    texts.append(inputs.query(tokenizer, split_issue(row["issue"])))
    made = embed(encoder, [len(ids) for ids, _ in texts], lambda i: texts[i], options.batch_tokens, device).numpy()
    scores = made[:-1] @ made[-1]
    order = np.lexsort((np.random.default_rng(0).random(len(scores)), -scores))
    return sorted(1 + int(rank) for rank, i in enumerate(order) if candidates[i]["y"])


def document(tokenizer, candidate):
    text, name = candidate["t"], candidate["q"].rpartition(".")[2]
    end = max(signature_end(text, name, "f"), signature_end(text, name, "c"))
    return inputs.document(inputs.own(tokenizer, candidate["p"], text[:end], text[end:]), [])


def summary(ranked):
    """[(ranks of the edited candidates, how many chunks were edited)] as means over issues."""
    def perfect(limit):
        return np.mean([len(ranks) == edited and ranks[-1] <= limit for ranks, edited in ranked])

    reciprocal = np.mean([1 / ranks[0] if ranks else 0 for ranks, _ in ranked])
    made = {"perfect recall@5": perfect(5), "perfect recall@20": perfect(20), "MRR": reciprocal}
    return {"issues": len(ranked), **{name: round(float(value), 3) for name, value in made.items()}}
