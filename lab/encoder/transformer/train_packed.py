"""Trains the transformer on what `pack` wrote, on a GPU: `train`'s loss, of several repositories a step, each with its own
negatives. On one H100 a step of 8 repositories, 1,600 texts and 170,000 tokens takes a quarter of a second.

The rate rises, then falls to nothing over the seconds or steps given, so that there is nothing to cool; a run that is stopped
begins again. The run folder keeps tokenizer.json, log.jsonl and, at the end, checkpoint.pt, which export reads.
"""

import math
import multiprocessing
import os
import shutil
import time

import numpy as np
import torch
import torch.nn.functional as F

from split import TRAIN, refuse_breaches
from train import likelihood_loss
from training_run import average, log, note_stage, save
from transformer.corpus import batches, pad
from transformer.draws import add_draw_options
from transformer.embed import device_of, mixed_precision
from transformer.model import Encoder, pooled
from transformer.packed import load, shares, step_of
from transformer.train import parameter_groups, read_start

LOG_STEPS = 50
# Lengths of padded texts are multiples of it. A batch is closed where padding would take more than PADDING of it, unless it
# is small: on a GPU many launches cost more than some padding.
MULTIPLE, PADDING, SMALL = 16, 0.3, 40_000
# Steps that are drawn ahead, for each process that draws.
AHEAD = 2


def add_options(add):
    add("--packed", required=True, nargs="+", help="folders of pack")
    add("--tokenizer", required=True, help="tokenizer.json of prepare")
    add("--run", required=True)
    add("--start", required=True, help="folder of a pretrained BERT, of a model that export wrote, or of a run that goes on")
    add("--seconds", type=float, help="that the training takes")
    add("--steps", type=int, help="instead of seconds")
    add("--heads", type=int, default=12, help="of a model that export wrote")
    add("--rate", type=float, default=1e-4)
    add("--warm-up", type=int, default=100, help="steps in which the rate rises")
    add("--decay", type=float, default=0.01)
    add("--dropout", type=float, default=0.1)
    add("--average", type=float, default=0.998, help="of the mean of the weights, what a step leaves")
    add("--together", type=int, default=8, help="repositories of a step")
    add_draw_options(add, texts=200, hard=3)
    add("--tokens", type=int, default=224, help="of a chunk, with its callees")
    add("--issues", type=float, nargs=2, default=[0.06, 0.15], help="share of real issues, and over the last two fifths")
    add("--capped", help="file of names of repositories, one a line, that have at most --cap of the real issues")
    add("--cap", type=float, default=0.4)
    add("--batch-tokens", type=int, default=131_072, help="tokens, padding included, that are embedded at once")
    add("--processes", type=int, default=max(1, (os.cpu_count() or 2) - 2), help="that draw steps")
    add("--seed", type=int, default=1)
    add("--device", help="cpu or cuda")


def run(options):
    if (options.seconds is None) == (options.steps is None):
        raise SystemExit("how long is the training to be? Give one of --seconds and --steps")
    os.makedirs(options.run, exist_ok=True)
    shutil.copy(options.tokenizer, os.path.join(options.run, "tokenizer.json"))
    repositories = [of for folder in options.packed for of in load(folder, options.tokens)]
    refuse_breaches([of.name for of in repositories], (TRAIN,))
    real = sum(len(of.commits) for of in repositories if of.real)
    print(f"{len(repositories)} repositories, {real} real issues", flush=True)
    with Drawn(repositories, options) as drawn:
        Trainer(options).train(drawn)


class Drawn:
    """Steps as processes draw them: get() has the batches, the blocks and the number of tokens of one."""

    def __init__(self, repositories, options):
        context = multiprocessing.get_context("fork")
        self.progress = context.Value("d", 0.0)
        self.queue = context.Queue(AHEAD * options.processes)
        names = read_lines(options.capped)
        weights = [shares(repositories, share, names.__contains__, options.cap) for share in options.issues]
        given = (repositories, weights, options, self.progress, self.queue)
        self.processes = [context.Process(target=draw_steps, args=(k, *given), daemon=True) for k in range(options.processes)]

    def __enter__(self):
        for process in self.processes:
            process.start()
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()

    def get(self):
        return self.queue.get()


def draw_steps(number, repositories, weights, options, progress, queue):
    """Puts every so manieth step on the queue, from the one of this number on, for ever."""
    while True:
        texts, blocks = step_of(repositories, weights[progress.value >= 0.6], number, options)
        queue.put((padded(texts, options.batch_tokens), blocks, sum(len(ids) for ids, _ in texts)))
        number += options.processes


def read_lines(file):
    if not file:
        return set()
    with open(file, encoding="utf-8") as stream:
        return set(stream.read().split("\n"))


def padded(texts, budget):
    """Batches of texts of like size: numbers of the texts, and ids, types and mask, [texts, length], small as they travel."""
    grouped = batches([len(ids) for ids, _ in texts], budget, PADDING, SMALL, MULTIPLE)
    return [(numbers, *small(*pad([texts[number] for number in numbers], MULTIPLE))) for numbers in grouped]


def small(ids, types, mask):
    return ids.astype(np.int32), types.astype(np.uint8), mask.astype(bool)


class Trainer:
    def __init__(self, options):
        self.options, self.device = options, device_of(options.device)
        torch.manual_seed(options.seed)
        self.encoder, self.stages, self.before = first(options)
        self.encoder.to(self.device)
        self.taken = 0
        note_stage(self.stages, self.before, options, ("run", "processes"))
        self.averaged = {name: value.clone() for name, value in self.encoder.state_dict().items()}
        self.optimizer = torch.optim.AdamW(parameter_groups(self.encoder, options), betas=(0.9, 0.98), fused=True)

    def train(self, drawn):
        started, tokens, losses = time.time(), 0, []
        while (progress := self.progress(time.time() - started)) < 1:
            drawn.progress.value = progress
            share = min(1, (self.taken + 1) / self.options.warm_up) * (1 - 0.99 * progress)
            for group in self.optimizer.param_groups:
                group["lr"] = group["peak"] * share
            made, blocks, size = drawn.get()
            losses.append(self.take_step(made, blocks))
            tokens += size
            if self.taken % LOG_STEPS == 0:
                self.log(losses, tokens / (time.time() - started))
                losses = []
        self.log(losses, tokens / (time.time() - started))
        state = {"shape": self.encoder.shape, "encoder": self.encoder.state_dict(), "averaged": self.averaged}
        save(self.options.run, "checkpoint.pt", {**state, "stages": self.stages, "step": self.before + self.taken})

    def progress(self, seconds):
        """How much of the training is done, from 0 to 1."""
        return self.taken / self.options.steps if self.options.steps else seconds / self.options.seconds

    def take_step(self, made, blocks):
        """Returns the loss, on the device. made: batches of all texts. blocks: of each repository, as step_of has them."""
        with mixed_precision(self.device):
            vectors = embed(self.encoder, made, self.device, self.options.dropout)
        losses = []
        for start, queries, documents, positives, allowed in blocks:
            end = start + queries
            scores = vectors[start:end] @ vectors[end : end + documents].T / self.encoder.temperature()
            masks = [torch.from_numpy(mask).to(self.device, non_blocking=True) for mask in (positives, allowed)]
            losses.append(likelihood_loss(scores, *masks))
        loss = torch.stack(losses).mean()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.encoder.parameters(), 1.0)
        self.optimizer.step()
        self.taken += 1
        average(self.averaged, self.encoder, self.taken, self.options.average)
        return loss.detach()

    def log(self, losses, speed):
        loss = float(torch.stack(losses).mean()) if losses else math.nan
        temperature = round(self.encoder.temperature().item(), 4)
        done = {"step": self.before + self.taken, "loss": round(loss, 4), "temperature": temperature, "speed": round(speed)}
        log(self.options.run, done)


def first(options):
    """The encoder that training starts from, the stages of its training, and its steps so far."""
    checkpoint = os.path.join(options.start, "checkpoint.pt")
    if not os.path.exists(checkpoint):
        return read_start(options), [], 0
    state = torch.load(checkpoint, map_location="cpu")
    encoder = Encoder(state["shape"])
    encoder.load_state_dict(state["averaged"])
    return encoder, state["stages"], state["step"]


def embed(encoder, made, device, dropout):
    """Unit vectors, float32 [texts, dimensions], of all texts in their order, with gradients where they are on."""
    order = torch.cat([torch.from_numpy(numbers) for numbers, *_ in made])
    vectors = [forward(encoder, *(torch.from_numpy(of).to(device).long() for of in rest), dropout) for _, *rest in made]
    return torch.cat(vectors)[torch.argsort(order).to(device)]


def forward(encoder, ids, types, mask, dropout):
    """What Encoder.forward returns, with dropout after attention and after the feed-forward layer, by PyTorch's fused
    attention, which is fast on GPUs.
    """
    count, length = ids.shape
    attended = mask[:, None, None, :].bool().expand(count, 1, length, length)
    kept = torch.bfloat16 if torch.is_autocast_enabled(ids.device.type) else torch.float32
    x = encoder.first(encoder.tokens(ids) + encoder.types(types) + encoder.positions.weight[:length]).to(kept)
    for layer in encoder.layers:
        mixed = F.scaled_dot_product_attention(*layer.attention.parts(x), attn_mask=attended)
        x = layer.after_attention(x + F.dropout(layer.attention.joined(mixed), dropout)).to(kept)
        x = layer.after_feed(x + F.dropout(layer.down(F.gelu(layer.up(x))), dropout)).to(kept)
    return pooled(x, mask)
