"""Trains the transformer on a GPU, with the loss of `train` and several repositories per step, each with its own negatives.
On one H100, a step of 5 repositories, 2,240 texts and 240,000 tokens takes 0.1 s.

The learning rate rises, then falls to zero over the given seconds or steps, so that `cool` is not needed. A stopped run starts
from the beginning. The run folder contains model.json, tokenizer.json, log.jsonl and, at the end, checkpoint.pt for export.
"""

import math
import multiprocessing
import time

import torch

from rows import TRAIN, copy_start, load_rows
from runs import load, log, save
from train import likelihood_loss
from transformer.draws import add_draw_options, shares, step_of
from transformer.embed import device_of
from transformer.model import Encoder
from transformer.train import average, note_stage, parameter_groups, read_start
from transformer.unpadded import Unpadded, in_a_row

LOG_STEPS = 50
# Number of steps that each process draws in advance
AHEAD = 2


def add_options(add):
    add("--rows", required=True, nargs="+", help="folders of training-rows")
    add("--run", required=True)
    add("--start", required=True, help="folder of a pretrained BERT, of an exported model, or of a run to continue")
    add("--seconds", type=float, help="duration of the training")
    add("--steps", type=int, help="instead of seconds")
    add("--heads", type=int, default=12, help="attention heads of an exported model")
    add("--rate", type=float, default=1e-4)
    add("--warm-up", type=int, default=150, help="steps during which the rate rises")
    add("--decay", type=float, default=0.01)
    add("--dropout", type=float, default=0.1)
    add("--average", type=float, default=0.998, help="factor of the previous mean of the weights in each step")
    add("--together", type=int, default=5, help="repositories per step")
    add_draw_options(add, texts=448, queries=40, hard=3)
    add("--tokens", type=int, default=256, help="maximum number of tokens of a chunk, with its callees")
    add("--issues", type=float, nargs="+", default=[0.1, 0.18, 0.28], help="shares of real issues, each for an equal part of the time")
    add("--capped", help="file with names of repositories, one per line, that together have at most --cap of the real issues")
    add("--cap", type=float, default=0.4)
    add("--processes", type=int, default=6, help="processes that draw steps")
    add("--seed", type=int, default=1)
    add("--device", help="cpu or cuda")


def run(options):
    if (options.seconds is None) == (options.steps is None):
        raise SystemExit("The length of the training is missing. Give --seconds or --steps.")
    copy_start(options.rows[0], options.run)
    repositories = load_rows(options.rows, TRAIN, tokens=options.tokens)
    real = sum(len(of.commits) for of in repositories if of.real)
    print(f"{len(repositories)} repositories, {real} real issues", flush=True)
    with Drawn(repositories, options) as drawn:
        Trainer(options).train(drawn)


class Drawn:
    """Steps that several processes draw. get() returns the texts of one, a Row, and the blocks."""

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
    """Puts every n-th step on the queue, starting with this number, where n is the number of processes. Never ends."""
    while True:
        part = min(int(progress.value * len(weights)), len(weights) - 1)
        texts, blocks = step_of(repositories, weights[part], number, options)
        queue.put((in_a_row(texts), blocks))
        number += options.processes


def read_lines(file):
    if not file:
        return set()
    with open(file, encoding="utf-8") as stream:
        return set(stream.read().split("\n"))


class Trainer:
    def __init__(self, options):
        self.options, self.device = options, device_of(options.device)
        torch.manual_seed(options.seed)
        self.encoder, self.stages, self.before = first(options)
        self.encoder.to(self.device)
        self.unpadded = Unpadded(self.encoder, self.device)
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
            row, blocks = drawn.get()
            losses.append(self.take_step(row, blocks))
            tokens += len(row.ids)
            if self.taken % LOG_STEPS == 0:
                self.log(losses, tokens / (time.time() - started))
                losses = []
        self.log(losses, tokens / (time.time() - started))
        state = {"shape": self.encoder.shape, "encoder": self.encoder.state_dict(), "averaged": self.averaged}
        save(self.options.run, {**state, "stages": self.stages, "step": self.before + self.taken})

    def progress(self, seconds):
        """Returns the progress of the training, from 0 to 1."""
        return self.taken / self.options.steps if self.options.steps else seconds / self.options.seconds

    def take_step(self, row, blocks):
        """Returns the loss, on the device. row: all texts. blocks: data of each repository, from step_of."""
        vectors, losses = self.unpadded.embed(row, self.options.dropout), []
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
    """Returns the encoder that training starts from, the stages of its training, and its number of steps."""
    state = load(options.start)
    if state is None:
        return read_start(options), [], 0
    encoder = Encoder(state["shape"])
    encoder.load_state_dict(state["averaged"])
    return encoder, state["stages"], state["step"]
