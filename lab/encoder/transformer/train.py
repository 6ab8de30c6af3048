"""Trains a transformer encoder on prepared repositories, in three stages that share the minutes:

    masked      tokens of chunks and queries are guessed from the others
    pairs       docstrings find their functions and messages what they edited, among all pairs of a step
    repository  issues find what was edited among the chunks of one repository: CoRet, equation 2

The schedule follows the wall clock. The run folder keeps tokenizer.json, checkpoint.pt, best.pt and log.jsonl; started
again with the same folder, a run that was stopped goes on from its last checkpoint. best.pt is what did best on commits of
the repositories that were held out and, where they are prepared, on real issues.
"""

import json
import math
import os
import shutil
import time

import numpy as np
import torch

from corpus import training_names
from evaluate import summary
from train import likelihood_loss
from transformer.corpus import TokenRepository
from transformer.draws import Draws
from transformer.embed import backward, device_of, groups, mixed_precision
from transformer.evaluate import measure
from transformer.inputs import MAX_QUERY_TOKENS, MAX_TOKENS
from transformer.model import Encoder, matryoshka
from transformer.tokenizer import Tokenizer

STAGES = ["masked", "pairs", "repository"]
LOG_STEPS = 20
# Of a stage, the share in which the rate rises, and what is left of the rate at the end.
WARM_UP, LAST_RATE = 0.05, 0.05


def add_options(add):
    add("--prepared", required=True)
    add("--run", required=True)
    add("--minutes", type=float, default=20, help="of all stages together, measuring included")
    add("--shares", default="0.35,0.2,0.45", help="of the minutes that each stage takes")
    add("--steps", help="of each stage, with commas: it ends after so many, rather than by the clock")
    add("--layers", type=int, default=6)
    add("--dimensions", type=int, default=512)
    add("--heads", type=int, default=8)
    add("--rates", default="1e-3,5e-4,2e-4", help="highest learning rate of each stage")
    add("--decay", type=float, default=0.01)
    add("--batch-tokens", type=int, default=65_536, help="tokens, padding included, that are on the device at once")
    add("--step-tokens", type=int, default=262_144, help="tokens of a step of the first stage")
    add("--masked", type=float, default=0.3, help="share of tokens that are guessed")
    add("--pairs", type=int, default=1024, help="of a step of the second stage")
    add("--commits", type=int, default=96, help="queries of a step of the third stage")
    add("--negatives", type=int, default=560, help="random chunks of the repository that they share; about 1,000 with others")
    add("--docstrings", type=int, default=32, help="docstring pairs of a step of the third stage")
    add("--gaps", type=float, default=0.1, help="share of tokens that are masked in the second and third stage")
    add("--plain", type=float, default=0.3, help="share of queries that stay commit messages")
    add("--measure-minutes", type=float, default=3, help="between two measurements in the third stage")
    add("--checkpoint-minutes", type=float, default=3)
    add("--seed", type=int, default=1)
    add("--device", help="cpu or cuda")


def run(options):
    Trainer(options).train()


class Trainer:
    def __init__(self, options):
        self.options = options
        self.device = device_of(options.device)
        os.makedirs(options.run, exist_ok=True)
        self.tokenizer = self.take_tokenizer()
        torch.manual_seed(options.seed)
        shape = {"vocabulary": self.tokenizer.size, "dimensions": options.dimensions, "layers": options.layers}
        shape.update(heads=options.heads, positions=max(MAX_TOKENS, MAX_QUERY_TOKENS))
        self.encoder = Encoder(shape).to(self.device)
        self.optimizer = torch.optim.AdamW(parameter_groups(self.encoder, options.decay), betas=(0.9, 0.98))
        self.shares = [float(share) for share in options.shares.split(",")]
        self.rates = [float(rate) for rate in options.rates.split(",")]
        self.limits = [int(steps) for steps in options.steps.split(",")] if options.steps else None
        # What was done of each stage.
        self.steps, self.seconds = [0] * len(STAGES), [0.0] * len(STAGES)
        self.best = 0.0
        self.resume()
        started = time.time()
        repositories = load_repositories(options.prepared)
        self.draws = Draws(repositories, self.tokenizer, options, options.seed + sum(self.steps))
        tokens = sum(int(r.tokens.sizes.sum()) for r in repositories)
        print(f"{len(repositories)} repositories, {tokens:,} tokens read in {time.time() - started:.0f} s", flush=True)

    def take_tokenizer(self):
        file = os.path.join(self.options.run, "tokenizer.json")
        if not os.path.exists(file):
            shutil.copy(os.path.join(self.options.prepared, "tokenizer.json"), file)
        return Tokenizer.read(file)

    def train(self):
        for stage, name in enumerate(STAGES):
            if self.progress(stage) < 1:
                self.train_stage(stage, name)
                self.save()

    def train_stage(self, stage, name):
        take_step = {"masked": self.masked_step, "pairs": self.pairs_step, "repository": self.repository_step}[name]
        last_save = last_measure = last = time.time()
        losses = []
        while True:
            self.set_rate(stage)
            self.optimizer.zero_grad(set_to_none=True)
            losses.append(take_step())
            torch.nn.utils.clip_grad_norm_(self.encoder.parameters(), 1.0)
            self.optimizer.step()
            self.steps[stage] += 1
            ended = self.progress(stage, time.time() - last) >= 1
            if self.steps[stage] % LOG_STEPS == 0 or ended:
                # Reading the losses waits for the device, so that the clock tells its time.
                self.log(name, torch.stack(losses).mean().item())
                losses = []
            if ended or time.time() - last_measure > self.options.measure_minutes * 60:
                if name != "masked":
                    self.measure(name)
                last_measure = time.time()
            self.seconds[stage] += time.time() - last
            last = time.time()
            if ended:
                return
            if last - last_save > self.options.checkpoint_minutes * 60:
                self.save()
                last_save = last

    def progress(self, stage, more=0.0):
        """From 0 to 1. more: seconds that are not counted yet."""
        if self.limits:
            return self.steps[stage] / self.limits[stage] if self.limits[stage] else 1
        whole = self.options.minutes * 60 * self.shares[stage]
        return (self.seconds[stage] + more) / whole if whole else 1

    def set_rate(self, stage):
        progress = min(1, self.progress(stage))
        falling = LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * progress))
        rising = min(1, (progress + 1e-3) / WARM_UP)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rates[stage] * rising * falling

    def masked_step(self):
        texts = self.draws.texts(self.options.step_tokens)
        total, losses = sum(len(ids) for ids, _ in texts), []
        for numbers, inputs in groups(texts, self.options.batch_tokens, self.device):
            share = sum(len(texts[n][0]) for n in numbers) / total
            with mixed_precision(self.device):
                loss = self.encoder.masked_loss(*inputs, self.options.masked) * share
            loss.backward()
            losses.append(loss.detach())
        return sum(losses)

    def pairs_step(self):
        queries, documents, keys = self.draws.pairs(self.options.pairs)
        numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        of = torch.tensor([numbers[key] for key in keys])
        return self.contrast(queries, documents, torch.eye(len(keys), dtype=torch.bool), of[:, None] != of[None])

    def repository_step(self):
        queries, documents, step = self.draws.step()
        return self.contrast(queries, documents, torch.from_numpy(step.positives), torch.from_numpy(step.allowed))

    def contrast(self, queries, documents, positives, allowed):
        """Gradients of CoRet's loss at all prefixes. positives, allowed: bool [queries, documents], see likelihood_loss."""
        positives, allowed = positives.to(self.device), allowed.to(self.device)

        def loss_of(made):
            def loss(similarities):
                return likelihood_loss(similarities / self.encoder.temperature(), positives, allowed)

            return matryoshka(loss, made[: len(queries)], made[len(queries) :])

        return backward(self.encoder, queries + documents, loss_of, self.options.batch_tokens, self.device)

    def measure(self, stage):
        started = time.time()
        self.encoder.eval()
        found = measure(self.encoder, self.options.prepared, self.options.batch_tokens, self.device)
        self.encoder.train()
        measured = {name: summary(ranks) for name, ranks in found.items()}
        merit = float(np.mean([of["MRR"] for of in measured.values()])) if measured else 0.0
        self.write_log(stage, measured=measured, took=round(time.time() - started, 1))
        if merit >= self.best:
            self.best = merit
            self.write("best.pt", {})

    def log(self, stage, loss):
        if not math.isfinite(loss):
            raise SystemExit(f"the loss is {loss}; the last checkpoint is from before: try lower --rates")
        rate = self.optimizer.param_groups[0]["lr"]
        self.write_log(stage, loss=round(loss, 4), temperature=float(self.encoder.temperature()), rate=rate)

    def write_log(self, stage, **values):
        done = {"stage": stage, "steps": self.steps, "minutes": [round(s / 60, 2) for s in self.seconds]}
        line = json.dumps({**done, **values})
        print(line, flush=True)
        with open(os.path.join(self.options.run, "log.jsonl"), "a") as stream:
            stream.write(line + "\n")

    def save(self):
        state = {"optimizer": self.optimizer.state_dict(), "steps": self.steps, "seconds": self.seconds}
        self.write("checkpoint.pt", {**state, "best": self.best, "options": vars(self.options)})

    def write(self, name, state):
        file = os.path.join(self.options.run, name)
        torch.save({"shape": self.encoder.shape, "encoder": self.encoder.state_dict(), **state}, file + ".tmp")
        os.rename(file + ".tmp", file)

    def resume(self):
        file = os.path.join(self.options.run, "checkpoint.pt")
        if not os.path.exists(file):
            return
        state = torch.load(file, map_location=self.device)
        self.encoder.load_state_dict(state["encoder"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps, self.seconds, self.best = state["steps"], state["seconds"], state["best"]
        print(f"goes on after {self.steps} steps", flush=True)


def parameter_groups(encoder, decay):
    """Matrices decay; vectors and the temperature do not."""
    parameters = list(encoder.parameters())
    return [
        {"params": [p for p in parameters if p.dim() > 1], "weight_decay": decay},
        {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0.0},
    ]


def load_repositories(prepared):
    return [TokenRepository(prepared, name) for name in training_names(prepared)]
