"""Measures a run on commits of the repositories that were held out, and on real issues, alone, as docs/evaluation.md
defines the measures.
"""

import json
import os

import torch

from corpus import repository_names
from evaluate import ranks_of_commits, ranks_of_issues, summary
from prepare import HELD_OUT
from transformer.corpus import TokenRepository, load_issues
from transformer.embed import device_of, embed
from transformer.model import Encoder
from transformer.tokenizer import Tokenizer


def add_options(add):
    add("--run", required=True)
    add("--prepared", required=True)
    add("--checkpoint", default="best.pt", help="which of the run's: best.pt or checkpoint.pt")
    add("--batch-tokens", type=int, default=65_536)
    add("--device", help="cpu or cuda")


def run(options):
    device = device_of(options.device)
    encoder, _ = load(options.run, options.checkpoint)
    for name, ranks in measure(encoder.to(device), options.prepared, options.batch_tokens, device).items():
        print(name, json.dumps(summary(ranks)))


def load(run, checkpoint="best.pt"):
    """The encoder of a run, on the processor, and its tokenizer."""
    state = torch.load(os.path.join(run, checkpoint), map_location="cpu")
    encoder = Encoder(state["shape"])
    encoder.load_state_dict(state["encoder"])
    return encoder.eval(), Tokenizer.read(os.path.join(run, "tokenizer.json"))


def measure(encoder, prepared, budget, device):
    """{"commits" or "issues": {instance: ranks}}, of what the prepared folder has."""
    found = {
        "commits": commit_ranks(encoder, prepared, budget, device),
        "issues": issue_ranks(encoder, prepared, budget, device),
    }
    return {name: ranks for name, ranks in found.items() if ranks}


def commit_ranks(encoder, prepared, budget, device):
    """{commit: ranks of what it edited}: queries are messages, candidates the chunks of the commit's snapshot."""
    ranks = {}
    for name in sorted(HELD_OUT.intersection(repository_names(prepared))):
        repository = TokenRepository(prepared, name)
        of = repository.tokens
        codes = embed(encoder, of.sizes[: repository.chunks], of.document, budget, device)
        rows = [commit["row"] for commit in repository.commits]
        queries = embed(encoder, of.query_sizes[rows], lambda i: of.query(rows[i]), budget, device)
        ranks.update(ranks_of_commits(repository, codes, queries))
    return ranks


def issue_ranks(encoder, prepared, budget, device):
    """{instance: ranks of what its fix edited}"""
    ranks = {}
    for of, issues in load_issues(prepared):
        codes = embed(encoder, of.sizes, of.document, budget, device)
        queries = embed(encoder, of.query_sizes, of.query, budget, device)
        ranks.update(ranks_of_issues(issues, codes, queries))
    return ranks
