"""Trains the reader: a candidate that was edited is to be likelier than those that were not, a softmax over a list.

Commits that are made to look like issues teach it, and real issues, as large a share of the queries as --issues says. A
run may be stopped at any moment and goes on from its last checkpoint: what a step draws, its number and the seed say.
Started again with other options, it goes on with those: that is how stages follow each other. Issues of the families of
one fold are never learned from; where they are no longer ordered better, it stops.

The run folder keeps checkpoint.pt, best.pt (the averaged weights that did best) and log.jsonl.
"""

import math
import os
import random
import time

import numpy as np
import torch

from corpus import training_names, tuning_names
from reader.corpus import Commits, chosen, fold, learned_lists
from reader.evaluate import first_places, scores_of, summary
from reader.lexicon import Lexicon
from reader.model import SHAPE, Reader, batch
from training_run import average, log, note_stage, save

LOG_STEPS = 50
# Of each repository to tune on, measured on at most.
TUNING_COMMITS = 40


def add_options(add):
    add("--prepared", required=True)
    add("--lexicon", required=True)
    add("--run", required=True)
    add("--steps", type=int, help="of the run in all; without, it goes on until it is stopped, or stops by itself")
    add("--issues", type=float, default=0, help="share of queries that are real issues")
    add("--held", type=int, nargs="*", default=[0, 1], help="folds of issues that are not learned from; the first says when to stop")
    add("--queries", type=int, default=8, help="of a step")
    add("--positives", type=int, default=2, help="edited candidates of a query, at most")
    add("--negatives", type=int, default=12, help="of a commit's")
    add("--issue-negatives", type=int, default=24, help="of a real issue's; half of them are among the ranker's first")
    add("--rate", type=float, default=1e-3)
    add("--warm-up", type=int, default=100)
    add("--decay", type=float, default=0.01)
    add("--average", type=float, default=0.998)
    add("--gaps", type=float, default=0.3, help="share of words whose embeddings are left out")
    add("--plain", type=float, default=0.3, help="share of queries that stay commit messages")
    add("--dimensions", type=int, default=SHAPE["dimensions"])
    add("--measure-minutes", type=float, default=30)
    add("--patience", type=int, default=4, help="measures without a better one until it stops")
    add("--checkpoint-minutes", type=float, default=5)
    add("--float32", action="store_true", help="no matrix products in bfloat16")
    add("--seed", type=int, default=1)


def run(options):
    torch.set_num_threads(1)
    Trainer(options).train()


class Trainer:
    def __init__(self, options):
        self.options = options
        os.makedirs(options.run, exist_ok=True)
        torch.manual_seed(options.seed)
        self.reader = Reader({**SHAPE, "dimensions": options.dimensions})
        self.averaged = {name: value.clone() for name, value in self.reader.state_dict().items()}
        self.optimizer = torch.optim.AdamW(parameter_groups(self.reader, options), betas=(0.9, 0.98), fused=True)
        self.step, self.best, self.since_best, self.stages = 0, None, 0, []
        self.resume()
        if note_stage(self.stages, self.step, options, ("run", "steps")):
            self.since_best = 0
        self.lexicon = Lexicon(options.lexicon)
        self.repositories = self.load(training_names)
        self.tuning = self.load(tuning_names)
        lists = learned_lists(options.prepared, self.lexicon) if options.held or options.issues else []
        self.held = [of for of in lists if options.held and fold(of.family) == options.held[0]]
        self.issues = [of for of in lists if fold(of.family) not in options.held]
        self.by_commits = [math.sqrt(len(repository.commits)) for repository in self.repositories]
        print(
            f"{len(self.repositories)} repositories of commits and {len(self.issues)} issues to learn from, "
            f"{len(self.held)} issues and {len(self.tuning)} repositories to measure on",
            flush=True,
        )

        if not self.repositories or (options.issues and not self.issues):
            raise SystemExit(f"{options.prepared} has not what is to be learned from")

    def load(self, names_of):
        made = [Commits(self.options.prepared, name, self.lexicon) for name in names_of(self.options.prepared)]
        return [repository for repository in made if repository.commits]

    def train(self):
        last_save = last_measure = since = time.time()
        losses = []
        while not self.ended():
            losses.append(self.take_step())
            if self.step % LOG_STEPS == 0 or self.ended():
                self.log(loss=round(float(np.mean(losses)), 4), seconds=round((time.time() - since) / len(losses), 3))
                losses, since = [], time.time()
            if time.time() - last_measure > self.options.measure_minutes * 60 or self.ended():
                self.measure()
                last_measure = since = time.time()
            if time.time() - last_save > self.options.checkpoint_minutes * 60 or self.ended():
                self.save()
                last_save = time.time()

    def ended(self):
        return self.since_best > self.options.patience or (self.options.steps is not None and self.step >= self.options.steps)

    def take_step(self):
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.rate * min(1, (self.step + 1) / self.options.warm_up)
        rng = random.Random(self.options.seed * 1_000_003 + self.step)
        torch.manual_seed(self.options.seed * 1_000_003 + self.step)
        self.optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for _ in range(self.options.queries):
            made, positives = self.draw(rng)
            of = batch([made], self.reader.gap)
            known = (torch.rand(len(of.mask), 1) >= self.options.gaps).float()
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=not self.options.float32):
                scores = self.reader(of, known)
            loss = list_loss(scores, torch.from_numpy(positives)) / self.options.queries
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(self.reader.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        average(self.averaged, self.reader, self.step, self.options.average)
        if not math.isfinite(total):
            raise SystemExit(f"the loss is {total}; the last checkpoint is from before: try a lower --rate")
        return total

    def draw(self, rng):
        """Features of a list, and which of its candidates were edited, bool [candidates]."""
        if rng.random() < self.options.issues and self.issues:
            return self.draw_issue(rng)
        repository = rng.choices(self.repositories, self.by_commits)[0]
        commit = rng.choice(repository.commits)
        edited = rng.sample(commit["pos"], min(self.options.positives, len(commit["pos"])))
        others = list(dict.fromkeys(i for i in commit["neg"] + commit["sib"] if i not in commit["pos"]))
        others = rng.sample(others, min(self.options.negatives, len(others)))
        made = repository.features(commit, edited + others, rng, self.options.plain, self.lexicon)
        return made, np.arange(len(made.sizes)) < len(edited)

    def draw_issue(self, rng):
        of = rng.choice(self.issues)
        edited, others = np.flatnonzero(of.labels).tolist(), np.flatnonzero(~of.labels).tolist()
        half = self.options.issue_negatives // 2
        first, rest = others[: 2 * half], others[2 * half :]
        drawn = rng.sample(edited, min(self.options.positives, len(edited)))
        rows = drawn + rng.sample(first, min(half, len(first))) + rng.sample(rest, min(half, len(rest)))
        return chosen(of.features(self.lexicon), np.array(rows)), np.arange(len(rows)) < len(drawn)

    def measure(self):
        """The averaged weights, on commits of the repositories to tune on and on issues that are held out."""
        started = time.time()
        current = {name: value.clone() for name, value in self.reader.state_dict().items()}
        self.reader.load_state_dict(self.averaged)
        found = {}
        if self.tuning:
            found["commits"] = first_places(self.reader, self.tuning, TUNING_COMMITS, self.lexicon)
        if self.held:
            found["issues"] = summary(self.held, scores_of(self.reader, self.held, self.lexicon))
            self.keep_best(found["issues"]["MRR"])
        self.reader.load_state_dict(current)
        self.log(measured=found, took=round(time.time() - started, 1))

    def keep_best(self, quality):
        self.since_best += 1
        if self.best is None or quality > self.best:
            self.best, self.since_best = quality, 0
            save(self.options.run, "best.pt", {"shape": self.reader.shape, "reader": self.averaged})

    def log(self, **values):
        done = {"step": self.step, "time": time.strftime("%m-%d %H:%M:%S"), **values}
        log(self.options.run, done)

    def save(self):
        state = {"shape": self.reader.shape, "reader": self.averaged, "current": self.reader.state_dict()}
        state.update(optimizer=self.optimizer.state_dict(), step=self.step, stages=self.stages)
        state.update(best=self.best, since_best=self.since_best)
        save(self.options.run, "checkpoint.pt", state)

    def resume(self):
        file = os.path.join(self.options.run, "checkpoint.pt")
        if not os.path.exists(file):
            return
        state = torch.load(file)
        self.reader.load_state_dict(state["current"])
        self.averaged = state["reader"]
        self.optimizer.load_state_dict(state["optimizer"])
        for name in ("step", "best", "since_best", "stages"):
            setattr(self, name, state[name])
        print(f"goes on after step {self.step}", flush=True)


def list_loss(scores, positives):
    """The mean over what was edited of -log of its likelihood among itself and all that was not. scores: float32 [n]."""
    others = torch.logsumexp(scores[~positives], 0)
    return (torch.logaddexp(scores[positives], others) - scores[positives]).mean()


def parameter_groups(reader, options):
    """Matrices decay; vectors do not."""
    parameters = list(reader.parameters())
    return [
        {"params": [p for p in parameters if p.dim() > 1], "weight_decay": options.decay},
        {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0.0},
    ]
