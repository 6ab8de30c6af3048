"""Trains a cross-encoder on ranked lists, distills it into the shipped encoder, and measures both on repositories to tune on.

Writes train.json, train.md and checkpoints in half precision, of at most 15 MB a file, to --out. A phase that exceeds its time ends,
and the others follow.
"""

import argparse
import os
import time

from gpu.compress import decompress_folder
from gpu.report import Report
from rows import TRAIN, TUNE, load_rows

# Seconds for everything of a phase besides training
SLACK = 60


def add_options(add):
    add("--pack", default=os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), help="folder `train` of gpu-pack")
    add("--out", required=True)
    add("--cross-seconds", type=float, default=230, help="training of the cross-encoder")
    add("--distill-seconds", type=float, default=120)
    add("--measure-seconds", type=float, default=60, help="most for one measurement")
    add("--issues", type=float, default=0.4, help="share of lists of real issues")
    add("--processes", type=int, default=8, help="processes that draw steps")
    add("--rehearse", action="store_true", help="few small steps, on any machine")


def run(options):
    report = Report(options.out, "train")
    if options.rehearse:  # The machine may be slow.
        options.measure_seconds *= 5
    with report.phase("data", SLACK * 3) as values:
        data = Data(options, values)
    if report.failed("data"):
        raise SystemExit(1)
    cross = student = None
    with report.phase("start", options.measure_seconds + SLACK) as values:
        data.measure_start(values)
    with report.phase("cross-encoder", options.cross_seconds + SLACK) as values:
        cross = data.train_cross(values)
    if cross:
        with report.phase("cross-encoder measured", options.measure_seconds) as values:
            data.measure_cross(cross, values)
        with report.phase("teacher", options.measure_seconds + SLACK) as values:
            data.teach(cross)
    if not report.failed("teacher"):
        with report.phase("distilled", options.distill_seconds + SLACK) as values:
            student = data.distill(values)
    if student:
        with report.phase("distilled measured", options.measure_seconds) as values:
            data.measure_student(student, values)


class Data:
    """Lists of a pack, and the scores of what was measured on them."""

    def __init__(self, options, values):
        import torch

        from gpu.lists import Measured
        from transformer import unpadded
        from transformer.embed import device_of

        self.options, self.scores = options, {}
        self.device = device_of()
        values.update(torch=torch.__version__, device=str(self.device))
        if self.device.type == "cuda":
            values["gpu"] = torch.cuda.get_device_name()
        decompress_folder(options.pack)
        folder = os.path.join(options.pack, "rows")
        tokens = 32 if options.rehearse else None
        self.learned = [of for of in load_rows([folder], TRAIN, tokens=tokens) if keep_decided(of)]
        self.tuning = load_rows([folder], TUNE, tokens=tokens)
        if options.rehearse:
            self.shrink()
        self.measured = Measured(self.tuning)
        for name, of in (("learned", self.learned), ("measured", self.tuning)):
            values[name] = count_lists(of)
        # Number of tokens to read at once. Attention on a CPU pads them.
        self.budget = 400_000
        if self.device.type == "cpu":
            self.budget = 4_096
            unpadded.KEPT = torch.float32  # Products in bfloat16 are slow on most CPUs.

    def shrink(self):
        """Keeps two short lists of each repository."""
        for of in self.learned + self.tuning:
            of.commits = of.commits[:2]
            for commit in of.commits:
                kept = [i for i, number in enumerate(commit["candidates"]) if i < 6 or number in commit["pos"]]
                commit.update(candidates=[commit["candidates"][i] for i in kept], scores=commit["scores"][kept])

    def options_of(self, name, **more):
        """Returns the options of a trainer."""
        from transformer import train_gpu

        parser = argparse.ArgumentParser()
        train_gpu.add_options(parser.add_argument)
        given = parser.parse_args(["--rows", "", "--run", self.options.out, "--start", ""])
        small = {"processes": 1, "warm_up": 2, "average": 0.5} if self.options.rehearse else {"processes": self.options.processes}
        for key, value in {**small, **more}.items():
            setattr(given, key, value)
        given.name, given.out, given.model = name, self.options.out, os.path.join(self.options.pack, "model")
        given.positions = os.path.join(self.options.pack, "positions.safetensors")
        given.checkpoint_seconds = 60
        return given

    def weights(self):
        """Returns the share of each repository. Those of capped.txt are at most a quarter of the real issues."""
        from transformer.draws import compute_weights
        from transformer.train_gpu import read_names

        file = os.path.join(self.options.pack, "capped.txt")
        capped = read_names(file if os.path.exists(file) else None)
        return compute_weights(self.learned, self.options.issues, capped, 0.25)

    def train_with(self, trainer, draws):
        """Trains. Returns the module with the mean of its weights."""
        from transformer.train_gpu import StepQueue

        with StepQueue(draws, trainer.options.processes) as steps:
            trainer.train(steps)
        trainer.module.load_state_dict(trainer.averaged)
        return trainer.module.eval()

    def measure_start(self, values):
        from gpu.cross import start_encoder

        self.take_cosines("coret-1", start_encoder(os.path.join(self.options.pack, "model")).to(self.device).eval())
        values.update(self.measured.measure(self.scores))

    def train_cross(self, values):
        from gpu.cross import CrossTrainer
        from gpu.lists import PairDraws

        size = {"lists": 48, "candidates": 16, "seconds": self.options.cross_seconds}
        if self.options.rehearse:
            size = {"lists": 2, "candidates": 4, "steps": 2}
        given = self.options_of("cross", **size, unscored=0.3, rate=1e-4)
        trainer = CrossTrainer(given)
        since = time.time()
        module = self.train_with(trainer, PairDraws(self.learned, self.weights(), given))
        values.update(steps=trainer.steps_taken, lists_per_second=round(trainer.steps_taken * given.lists / (time.time() - since), 1))
        return module

    def measure_cross(self, module, values):
        from gpu.cross import read_lists

        self.scores["cross-encoder"] = read_lists(module, self.tuning, self.budget, False)
        self.scores["cross-encoder with scores"] = read_lists(module, self.tuning, self.budget, True)
        values.update(self.measured.measure(self.scores))

    def teach(self, module):
        """Adds the cross-encoder's scores to all lists to learn from. Without the initial scores, since the encoder lacks them too."""
        from gpu.cross import read_lists

        read = read_lists(module, self.learned, self.budget, False)
        for of in self.learned:
            for commit in of.commits:
                commit["teacher"] = read[of.name, of.real, commit["row"]]

    def distill(self, values):
        from gpu.distill import Distiller
        from gpu.lists import TargetDraws

        size = {"queries": 8, "seconds": self.options.distill_seconds}
        if self.options.rehearse:
            size = {"queries": 1, "repositories_per_step": 1, "steps": 2}
        given = self.options_of("distilled", **size, rate=5e-5, soft=0.5)
        trainer = Distiller(given)
        module = self.train_with(trainer, TargetDraws(self.learned, self.weights(), given))
        values["steps"] = trainer.steps_taken
        return module

    def measure_student(self, module, values):
        self.take_cosines("distilled", module)
        values.update(self.measured.measure(self.scores))

    def take_cosines(self, name, encoder):
        from gpu.lists import cosines
        from transformer.unpadded import Unpadded

        self.scores[name] = cosines(Unpadded(encoder, self.device), self.tuning, self.budget)


def keep_decided(repository):
    """Keeps the lists of a repository that have edited and unedited candidates. Returns false if none is left."""
    repository.commits = [commit for commit in repository.commits if 0 < len(commit["pos"]) < len(commit["candidates"])]
    return bool(repository.commits)


def count_lists(repositories):
    """Returns a description of the number of lists."""
    real = sum(len(of.commits) for of in repositories if of.real)
    return f"{sum(len(of.commits) for of in repositories) - real} commits and {real} issues of {len(repositories)} repositories"
