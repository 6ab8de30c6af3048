"""Measures a run on commits of the repositories to tune on, and on real issues, alone, as docs/evaluation.md defines the
measures.
"""

import json
import os

import torch

from corpus import tuning_names
from evaluate import ranks_of_commits, ranks_of_issues, summary
from transformer.corpus import TokenRepository, load_issues
from transformer.embed import device_of, embed
from transformer.model import Encoder, pretrained
from transformer.tokenizer import Tokenizer


def add_options(add):
    add_model_options(add)
    add("--prepared", required=True)


def add_model_options(add):
    add("--run", help="folder of train")
    add("--start", help="instead of a run: folder of the pretrained BERT that one starts from")
    add("--weights", choices=["averaged", "encoder"], default="averaged", help="of a run's checkpoint")
    add("--batch-tokens", type=int, default=8192)
    add("--threads", type=int, default=1)
    add("--device", help="cpu or cuda")


def run(options):
    torch.set_num_threads(options.threads)
    device = device_of(options.device)
    encoder, _ = load(options)
    for name, ranks in measure(encoder.to(device), options.prepared, options.batch_tokens, device).items():
        print(name, json.dumps(summary(ranks)))


def load(options):
    """The encoder of a run, or the one it starts from, on the processor, and its tokenizer."""
    if options.start:
        with open(os.path.join(options.start, "vocab.txt"), encoding="utf-8") as stream:
            return pretrained(options.start).eval(), Tokenizer(stream.read().split("\n")[:-1])
    state = torch.load(os.path.join(options.run, "checkpoint.pt"), map_location="cpu")
    encoder = Encoder(state["shape"])
    encoder.load_state_dict(state[options.weights])
    return encoder.eval(), Tokenizer.read(os.path.join(options.run, "tokenizer.json"))


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
    for name in tuning_names(prepared):
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
