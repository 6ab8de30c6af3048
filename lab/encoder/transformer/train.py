"""Trains the transformer on rows: for each issue, it has to find the edited chunks among those of one repository (CoRet,
equation 2).

The draws of a step depend only on the seed and the number of the step. The learning rate rises, then stays. So a run can be
stopped at any time, continues from its last checkpoint to the same weights, and has any length. Started again with other data or
options, it continues with those as the next stage. `cool` makes a model of it at any time.

The run folder contains model.json, tokenizer.json, checkpoint.pt and log.jsonl.
"""

import math
import os
import time

import numpy as np
import torch

from loss import likelihood_loss
from rows import OPTIONAL_FIELDS, TRAIN, TUNE, copy_tokenizer, load_rows
from runs import load, log, save
from transformer.beside import Beside
from transformer.draws import Draws, add_draw_options
from transformer.embed import device_of, embed_texts, mixed_precision
from transformer.graph import read_exported
from transformer.measure import first_places
from transformer.model import POSITIONS, Encoder, pretrained, vocabulary_of

LOG_STEPS = 20
# The temperature learns faster than the weights.
TEMPERATURE_RATE = 1e-3


def add_options(add):
    add("--rows", required=True, nargs="+", help="folders of training-rows")
    add("--run", required=True)
    add("--start", help="folder of a pretrained BERT, config.json and model.safetensors, or of an exported model; by default, random weights")
    add("--steps", type=int, help="total steps of the run; by default, it continues until it is stopped")
    add("--layers", type=int, default=2, help="layers of random weights")
    add("--dimensions", type=int, default=32, help="dimensions of random weights")
    add("--heads", type=int, default=2, help="attention heads of random weights or of an exported model")
    add("--rate", type=float, default=5e-5)
    add("--warm-up", type=int, default=100, help="steps during which the rate rises")
    add("--decay", type=float, default=0.01)
    add("--average", type=float, default=0.998, help="factor of the previous mean of the weights in each step")
    add("--batch-tokens", type=int, default=4096, help="number of tokens to embed at once, padding included")
    add_draw_options(add, texts=100, hard=1)
    add("--tokens", type=int, default=192, help="maximum number of tokens of a chunk, with its callees")
    add("--issues", type=float, help="share of steps with real issues; by default, proportional to the roots of their numbers")
    add("--without", choices=sorted(OPTIONAL_FIELDS), help="field to leave out of all chunks")
    add("--others", action="store_true", help="queries and negatives from different repositories, to compare with CoRet's")
    add("--beside", help="folder of `beside`: learns what BM25 and a bag encoder miss")
    add("--measure-minutes", type=float, default=30)
    add("--checkpoint-minutes", type=float, default=5)
    add("--threads", type=int, default=1)
    add("--float32", action="store_true", help="no matrix products in bfloat16")
    add("--seed", type=int, default=1)
    add("--device", help="cpu or cuda")


def run(options):
    if options.beside and options.others:
        raise SystemExit("--beside and --others cannot be combined. --beside needs steps of one repository.")
    torch.set_num_threads(options.threads)
    Trainer(options).train()


class Trainer:
    def __init__(self, options):
        self.options = options
        self.device = device_of(options.device)
        copy_tokenizer(options.rows[0], options.run)
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
        print(f"weights of --beside: {bag:.2f} for the bag's cosine, {words:.2f} for BM25", flush=True)
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
        """Returns the loss and the number of embedded tokens."""
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
            raise SystemExit(f"The loss is {loss.item()}. The last checkpoint is older and still good. Try a lower --rate.")
        tokens = sum(len(ids) for ids, _ in queries + documents)
        self.queries += len(queries)
        self.tokens += tokens
        return loss.item(), tokens

    def measure(self):
        """Measures the averaged weights on commits and real issues of the repositories to tune on."""
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
        print(f"continues after step {self.step}", flush=True)


def first_encoder(options):
    if options.start:
        return read_encoder(options)
    shape = {"vocabulary": vocabulary_of(options.run), "dimensions": options.dimensions, "layers": options.layers}
    return Encoder({**shape, "heads": options.heads, "positions": POSITIONS})


def read_encoder(options):
    """Reads the encoder that training starts from: a pretrained one, or an exported model."""
    is_exported = os.path.exists(os.path.join(options.start, "model.json"))
    return read_exported(options.start, options.heads) if is_exported else pretrained(options.start)


def parameter_groups(module, options):
    """Groups the parameters. Matrices have weight decay; vectors and the temperature do not. "peak" is a group's rate after warm-up."""
    named = [(name, p) for name, p in module.named_parameters() if not name.endswith("log_temperature")]
    temperature = [p for name, p in module.named_parameters() if name.endswith("log_temperature")]
    return [
        {"params": [p for _, p in named if p.dim() > 1], "weight_decay": options.decay, "peak": options.rate},
        {"params": [p for _, p in named if p.dim() <= 1], "weight_decay": 0.0, "peak": options.rate},
        {"params": temperature, "weight_decay": 0.0, "peak": TEMPERATURE_RATE},
    ]


def load_repositories(options, part):
    without = [OPTIONAL_FIELDS[options.without]] if options.without else []
    return load_rows(options.rows, part, tokens=options.tokens, without=without)


def note_stage(stages, step, options, unlike):
    """Adds the options as a new stage that starts at this step if they differ from the last stage. Returns true if they do.
    unlike: names of options that do not define a stage.
    """
    stage = {name: value for name, value in vars(options).items() if name not in unlike}
    if stages and stages[-1]["options"] == stage:
        return False
    stages.append({"step": step, "options": stage})
    return True


@torch.no_grad()
def average(averaged, module, step, most):
    """Updates a mean of the module's weights, {name: tensor}, by a step. In the first steps it is the mean of all; later the factor
    of the previous mean is `most`.
    """
    kept = min(most, 1 - 1 / (step + 1))
    state = module.state_dict()
    torch._foreach_lerp_([averaged[name] for name in state], list(state.values()), 1 - kept)
