"""Trains the transformer on rows: issues find what was edited among the chunks of one repository, CoRet's
equation 2.

Every step is drawn from the seed and its number, and the rate rises, then stays: a run may be stopped at any moment, goes
on from its last checkpoint to the same weights, and is as long as one likes. Started again with other data or options, it
goes on with those: that is how stages follow each other. `cool` makes a model of it at any time.

The run folder keeps model.json, tokenizer.json, checkpoint.pt and log.jsonl.
"""

import math
import os
import time

import numpy as np
import torch

from rows import OPTIONAL_FIELDS, TRAIN, TUNE, copy_start, load_rows
from runs import load, log, save
from train import likelihood_loss
from transformer.beside import Beside
from transformer.draws import Draws, add_draw_options
from transformer.embed import device_of, embed_texts, mixed_precision
from transformer.graph import read_exported
from transformer.measure import first_places
from transformer.model import POSITIONS, Encoder, pretrained, vocabulary_of

LOG_STEPS = 20
# The temperature learns faster than what it scales.
TEMPERATURE_RATE = 1e-3


def add_options(add):
    add("--rows", required=True, nargs="+", help="folders of training-rows")
    add("--run", required=True)
    add("--start", help="folder of a pretrained BERT, config.json and model.safetensors, or of a model that export wrote; without, weights are random")
    add("--steps", type=int, help="of the run in all; without, it goes on until it is stopped")
    add("--layers", type=int, default=2, help="of random weights")
    add("--dimensions", type=int, default=32, help="of random weights")
    add("--heads", type=int, default=2, help="of random weights, and of a model that export wrote")
    add("--rate", type=float, default=5e-5)
    add("--warm-up", type=int, default=100, help="steps in which the rate rises")
    add("--decay", type=float, default=0.01)
    add("--average", type=float, default=0.998, help="of the mean of the weights, what a step leaves")
    add("--batch-tokens", type=int, default=4096, help="tokens, padding included, that are embedded at once")
    add_draw_options(add, texts=100, hard=1)
    add("--tokens", type=int, default=192, help="of a chunk, with its callees")
    add("--issues", type=float, help="share of steps with real issues; without, as the roots of their numbers have it")
    add("--without", choices=sorted(OPTIONAL_FIELDS), help="what is left out of all chunks")
    add("--others", action="store_true", help="queries and negatives of other repositories: to see what CoRet's are worth")
    add("--beside", help="folder of `beside`: learns what BM25 and a bag encoder do not see")
    add("--measure-minutes", type=float, default=30)
    add("--checkpoint-minutes", type=float, default=5)
    add("--threads", type=int, default=1)
    add("--float32", action="store_true", help="no matrix products in bfloat16")
    add("--seed", type=int, default=1)
    add("--device", help="cpu or cuda")


def run(options):
    if options.beside and options.others:
        raise SystemExit("--beside knows of one repository at a time, --others draws from several")
    torch.set_num_threads(options.threads)
    Trainer(options).train()


class Trainer:
    def __init__(self, options):
        self.options = options
        self.device = device_of(options.device)
        copy_start(options.rows[0], options.run)
        torch.manual_seed(options.seed)
        self.encoder = first_encoder(options).to(self.device)
        self.averaged = {name: value.clone() for name, value in self.encoder.state_dict().items()}
        self.optimizer = torch.optim.AdamW(parameter_groups(self.encoder, options), betas=(0.9, 0.98), fused=True)
        self.step, self.queries, self.tokens, self.cooling = 0, 0, 0, None
        self.stages = []
        self.resume()
        note_stage(self.stages, self.step, options, ("run", "steps", "threads"))
        self.draws = Draws(load_repositories(options, TRAIN), options)
        self.beside = self.load_beside()
        self.tuning = load_repositories(options, TUNE)
        print(f"{len(self.draws.repositories)} repositories to train on, {len(self.tuning)} to tune on", flush=True)

    def load_beside(self):
        if not self.options.beside:
            return None
        beside = Beside(self.options.beside, self.draws.repositories, self.options.seed)
        bag, words = beside.weights.tolist()
        print(f"beside it: {bag:.2f} of the bag's cosine, {words:.2f} of BM25", flush=True)
        return beside

    def train(self):
        if self.step == 0:
            self.measure()
        last_save = last_measure = time.time()
        losses, sizes, since = [], [], time.time()
        while not self.ended():
            self.set_rate()
            loss, tokens = self.take_step()
            losses.append(loss)
            sizes.append(tokens)
            if self.step % LOG_STEPS == 0 or self.ended():
                seconds = time.time() - since
                self.log(loss=float(np.mean(losses)), speed=round(sum(sizes) / seconds))
                losses, sizes, since = [], [], time.time()
            if time.time() - last_measure > self.options.measure_minutes * 60 or self.ended():
                self.measure()
                last_measure = since = time.time()
            if time.time() - last_save > self.options.checkpoint_minutes * 60 or self.ended():
                self.save()
                last_save = time.time()

    def ended(self):
        last = self.cooling["start"] + self.cooling["steps"] if self.cooling else self.options.steps
        return last is not None and self.step >= last

    def set_rate(self):
        share = min(1, (self.step + 1) / self.options.warm_up)
        if self.cooling:
            share = 1 - (self.step - self.cooling["start"]) / self.cooling["steps"]
        for group in self.optimizer.param_groups:
            group["lr"] = group["peak"] * share

    def take_step(self):
        """Returns the loss, and how many tokens were embedded."""
        queries, documents, drawn = self.draws.step(self.step)
        positives = torch.from_numpy(drawn.positives).to(self.device)
        allowed = torch.from_numpy(drawn.allowed).to(self.device)
        self.optimizer.zero_grad(set_to_none=True)
        with mixed_precision(self.device, not self.options.float32):
            made = embed_texts(self.encoder, queries + documents, self.options.batch_tokens, self.device)
        scores = made[: len(queries)] @ made[len(queries) :].T / self.encoder.temperature()
        if self.beside:
            scores = scores + self.beside.scores(drawn).to(self.device)
        loss = likelihood_loss(scores, positives, allowed)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.encoder.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        average(self.averaged, self.encoder, self.step, self.options.average)
        if not math.isfinite(loss.item()):
            raise SystemExit(f"the loss is {loss.item()}; the last checkpoint is from before: try a lower --rate")
        tokens = sum(len(ids) for ids, _ in queries + documents)
        self.queries += len(queries)
        self.tokens += tokens
        return loss.item(), tokens

    def measure(self):
        """The averaged weights, on commits and real issues of the repositories to tune on."""
        if not self.tuning:
            return
        started = time.time()
        current = {name: value.clone() for name, value in self.encoder.state_dict().items()}
        self.encoder.load_state_dict(self.averaged)
        found = {}
        for kind, real in (("commits", False), ("issues", True)):
            of = [repository for repository in self.tuning if repository.real == real]
            if of:
                found[kind] = first_places(self.encoder, of, self.options.batch_tokens, self.device)
        self.encoder.load_state_dict(current)
        self.log(measured=found, took=round(time.time() - started, 1))

    def log(self, **values):
        done = {"step": self.step, "queries": self.queries, "tokens": self.tokens, "time": time.strftime("%m-%d %H:%M:%S")}
        done.update(temperature=round(self.encoder.temperature().item(), 4), **values)
        log(self.options.run, done)

    def save(self):
        state = {"shape": self.encoder.shape, "encoder": self.encoder.state_dict(), "averaged": self.averaged}
        state.update(optimizer=self.optimizer.state_dict(), cooling=self.cooling, stages=self.stages)
        state.update(step=self.step, queries=self.queries, tokens=self.tokens)
        save(self.options.run, state)

    def resume(self):
        state = load(self.options.run, self.device)
        if state is None:
            return
        self.encoder.load_state_dict(state["encoder"])
        self.averaged = state["averaged"]
        peaks = [group["peak"] for group in self.optimizer.param_groups]
        self.optimizer.load_state_dict(state["optimizer"])
        for group, peak in zip(self.optimizer.param_groups, peaks):
            group["peak"] = peak
        self.step, self.queries, self.tokens = state["step"], state["queries"], state["tokens"]
        self.cooling, self.stages = state["cooling"], state["stages"]
        print(f"goes on after step {self.step}", flush=True)


def first_encoder(options):
    if options.start:
        return read_start(options)
    shape = {"vocabulary": vocabulary_of(options.run), "dimensions": options.dimensions, "layers": options.layers}
    return Encoder({**shape, "heads": options.heads, "positions": POSITIONS})


def read_start(options):
    """The encoder that training starts from: a pretrained one, or a model that export wrote."""
    is_exported = os.path.exists(os.path.join(options.start, "model.json"))
    return read_exported(options.start, options.heads) if is_exported else pretrained(options.start)


def parameter_groups(encoder, options):
    """Matrices decay; vectors and the temperature do not. "peak" is each group's rate after the warm-up."""
    named = [(name, p) for name, p in encoder.named_parameters() if name != "log_temperature"]
    return [
        {"params": [p for _, p in named if p.dim() > 1], "weight_decay": options.decay, "peak": options.rate},
        {"params": [p for _, p in named if p.dim() <= 1], "weight_decay": 0.0, "peak": options.rate},
        {"params": [encoder.log_temperature], "weight_decay": 0.0, "peak": TEMPERATURE_RATE},
    ]


def load_repositories(options, part):
    without = [OPTIONAL_FIELDS[options.without]] if options.without else []
    return load_rows(options.rows, part, tokens=options.tokens, without=without)


def note_stage(stages, step, options, unlike):
    """Adds the options to the stages, with the step that they begin at, where they are not those of the last; says
    whether they are not. unlike: names of options that make no stage.
    """
    stage = {name: value for name, value in vars(options).items() if name not in unlike}
    if stages and stages[-1]["options"] == stage:
        return False
    stages.append({"step": step, "options": stage})
    return True


@torch.no_grad()
def average(averaged, module, step, most):
    """Moves a mean of the module's weights, {name: tensor}, on by a step: over all steps while they are few, then over the
    last ones, of what a step leaves being `most`.
    """
    kept = min(most, 1 - 1 / (step + 1))
    state = module.state_dict()
    torch._foreach_lerp_([averaged[name] for name in state], list(state.values()), 1 - kept)
