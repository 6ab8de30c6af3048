"""Measures a run alone, on commits of the repositories to tune on and on real issues. docs/explanation/evaluation.md defines the metrics."""

import json

import torch

from evaluate import commit_ranks, issue_ranks, summary
from runs import load
from transformer.embed import device_of, embed
from transformer.model import Encoder, pretrained


def add_options(add):
    add_model_options(add)
    add("--rows", required=True)


def add_model_options(add):
    add("--run", help="folder of train")
    add("--start", help="instead of a run: folder of a pretrained BERT")
    add("--weights", choices=["averaged", "encoder"], default="averaged", help="weights of the checkpoint to use")
    add("--batch-tokens", type=int, default=8192)
    add("--threads", type=int, default=1)
    add("--device", help="cpu or cuda")


def run(options):
    torch.set_num_threads(options.threads)
    device = device_of(options.device)
    for name, ranks in measure(load_encoder(options).to(device), options, device).items():
        print(name, json.dumps(summary(ranks)))


def load_encoder(options):
    """Loads the encoder of a run, or the pretrained one, on the CPU."""
    if options.start:
        return pretrained(options.start).eval()
    state = load(options.run)
    encoder = Encoder(state["shape"])
    encoder.load_state_dict(state[options.weights])
    return encoder.eval()


def measure(encoder, options, device):
    """Returns {"commits" or "issues": {instance: ranks}}, as far as the rows have them."""

    def embed_rows(texts, numbers):
        return embed(encoder, texts, numbers, options.batch_tokens, device)

    found = {"commits": commit_ranks(embed_rows, options.rows), "issues": issue_ranks(embed_rows, options.rows)}
    return {name: ranks for name, ranks in found.items() if ranks}
