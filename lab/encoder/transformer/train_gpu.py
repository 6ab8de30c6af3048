"""Trains the transformer on a GPU, with the loss of `train` and several repositories per step, each with its own negatives.
On one H100, a step of 5 repositories, 2,240 texts and 240,000 tokens takes 0.1 s.

The learning rate rises, then falls to a hundredth of its peak over the given seconds or steps. So the run needs no `cool` at the
end, but it cannot be continued if it is stopped early. The run folder contains model.json, tokenizer.json, log.jsonl and, at the
end, checkpoint.pt for export.
"""

import math
import multiprocessing
import time

import torch

from loss import likelihood_loss
from rows import TRAIN, copy_tokenizer, load_rows
from runs import load, log, save
from transformer.draws import add_draw_options, compute_weights, draw_joint_step
from transformer.embed import device_of
from transformer.model import Encoder
from transformer.train import average, note_stage, parameter_groups, read_encoder
from transformer.unpadded import Unpadded, concatenate

LOG_STEPS = 50
# Maximum number of drawn steps in the queue, for each process
MAX_QUEUED = 2
# Maximum number of seconds to wait for a step
WAIT_SECONDS = 120


def add_options(add):
    add("--rows", required=True, nargs="+", help="folders that `training-rows` wrote")
    add("--run", required=True, help="folder to write the run to")
    add("--start", required=True, help="folder of a pretrained BERT, of an exported model, or of a run to continue")
    add("--seconds", type=float, help="duration of the training; give this or --steps")
    add("--steps", type=int, help="number of steps")
    add("--heads", type=int, default=12, help="number of attention heads if --start is an exported model")
    add("--rate", type=float, default=1e-4, help="peak of the learning rate")
    add("--warm-up", type=int, default=150, help="number of steps in which the learning rate rises")
    add("--decay", type=float, default=0.01, help="weight decay of matrices")
    add("--dropout", type=float, default=0.1, help="dropout rate after attention and feed-forward layers")
    add("--average", type=float, default=0.998, help="factor of the previous mean of the weights in each step")
    add("--repositories-per-step", type=int, default=5)
    add_draw_options(add, texts=448, queries=40, hard=3)
    add("--tokens", type=int, default=256, help="maximum number of tokens of a chunk, with its callees")
    add("--issues", type=float, nargs="+", default=[0.1, 0.18, 0.28], help="shares of repositories with real issues, each for an equal time")
    add("--capped", help="file with names of repositories, one per line, that have the share --cap of those with real issues")
    add("--cap", type=float, default=0.4)
    add("--processes", type=int, default=6, help="processes that draw steps")
    add("--seed", type=int, default=1)
    add("--device", help="cpu or cuda")


def run(options):
    if (options.seconds is None) == (options.steps is None):
        raise SystemExit("The length of the training is missing. Give --seconds or --steps.")
    copy_tokenizer(options.rows[0], options.run)
    repositories = load_rows(options.rows, TRAIN, tokens=options.tokens)
    issues = sum(len(repository.commits) for repository in repositories if repository.real)
    print(f"{len(repositories)} repositories, {issues} real issues", flush=True)
    with StepQueue(JointDraws(repositories, options), options.processes) as steps:
        Trainer(options).train(steps)


class JointDraws:
    """Draws steps of several repositories."""

    def __init__(self, repositories, options):
        capped = read_names(options.capped)
        self.weights = [compute_weights(repositories, share, capped, options.cap) for share in options.issues]
        self.repositories, self.options = repositories, options

    def draw(self, number, progress):
        """Returns the texts and the blocks of a step, as draw_joint_step does. progress: that of the training, from 0 to 1."""
        phase = min(int(progress * len(self.weights)), len(self.weights) - 1)
        return draw_joint_step(self.repositories, self.weights[phase], number, self.options)


class StepQueue:
    """Queue of steps that several processes draw in advance. `progress` is set by the trainer, as in Trainer.progress."""

    def __init__(self, draws, processes):
        """draws: has `draw`, as JointDraws. processes: number of processes."""
        context = multiprocessing.get_context("fork")
        self.progress = context.Value("d", 0.0)
        self.queue = context.Queue(MAX_QUEUED * processes)
        shared = (processes, draws, self.progress, self.queue)
        self.processes = [context.Process(target=draw_steps, args=(i, *shared), daemon=True) for i in range(processes)]

    def __enter__(self):
        for process in self.processes:
            process.start()
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()

    def get(self):
        """Returns the texts of the next step as a Row, and its blocks as from `draw`. Raises queue.Empty if no process draws steps."""
        return self.queue.get(timeout=WAIT_SECONDS)


def draw_steps(number, processes, draws, progress, queue):
    """Puts steps on the queue until the process is killed: the one with this number, and every n-th after it, where n is the number
    of processes.
    """
    while True:
        texts, blocks = draws.draw(number, progress.value)
        queue.put((concatenate(texts), blocks))
        number += processes


def read_names(file):
    """Returns the lines of a file: set of str, empty if file is None."""
    if not file:
        return set()
    with open(file, encoding="utf-8") as stream:
        return set(stream.read().split("\n"))


class Trainer:
    """Trains `module`, an encoder or something that contains one. A subclass may open another module and compute another loss."""

    def __init__(self, options):
        self.options, self.device = options, device_of(options.device)
        torch.manual_seed(options.seed)
        self.module, self.stages, self.previous_steps = self.open(options)
        self.module.to(self.device)
        self.encoder = self.module if isinstance(self.module, Encoder) else self.module.encoder
        self.unpadded = Unpadded(self.encoder, self.device)
        self.steps_taken = 0
        note_stage(self.stages, self.previous_steps, options, ("run", "processes"))
        self.averaged = {name: value.clone() for name, value in self.module.state_dict().items()}
        self.optimizer = torch.optim.AdamW(parameter_groups(self.module, options), betas=(0.9, 0.98), fused=True)

    def open(self, options):
        """Returns the module to train, the stages of its training so far, and the number of its steps so far."""
        return load_start(options)

    def train(self, steps):
        """Trains until the given seconds or steps are over, then saves the checkpoint. steps: StepQueue."""
        started, tokens, losses = time.time(), 0, []
        while (progress := self.progress(time.time() - started)) < 1:
            steps.progress.value = progress
            factor = min(1, (self.steps_taken + 1) / self.options.warm_up) * (1 - 0.99 * progress)
            for group in self.optimizer.param_groups:
                group["lr"] = group["peak"] * factor
            row, blocks = steps.get()
            losses.append(self.take_step(row, blocks))
            tokens += len(row.ids)
            self.after_step(time.time() - started)
            if self.steps_taken % LOG_STEPS == 0:
                self.log_progress(losses, tokens / (time.time() - started))
                losses = []
        self.log_progress(losses, tokens / (time.time() - started))
        self.save()

    def after_step(self, seconds):
        """Does nothing. Called after each step, with the seconds of training so far."""

    def save(self):
        state = {"shape": self.encoder.shape, "encoder": self.encoder.state_dict(), "averaged": self.averaged}
        save(self.options.run, {**state, "stages": self.stages, "step": self.previous_steps + self.steps_taken})

    def progress(self, seconds):
        """Returns the progress of the training, from 0 to 1."""
        return self.steps_taken / self.options.steps if self.options.steps else seconds / self.options.seconds

    def take_step(self, row, blocks):
        """Updates the weights and their mean. Returns the loss: float [], on the device. row, blocks: as from StepQueue.get."""
        loss = self.compute_loss(row, blocks)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.module.parameters(), 1.0)
        self.optimizer.step()
        self.steps_taken += 1
        average(self.averaged, self.module, self.steps_taken, self.options.average)
        return loss.detach()

    def compute_loss(self, row, blocks):
        """Returns the loss of a step, float [], with gradients."""
        vectors, losses = self.unpadded.embed(row, self.options.dropout), []
        for start, queries, documents, *masks in blocks:
            end = start + queries
            scores = vectors[start:end] @ vectors[end : end + documents].T / self.encoder.temperature()
            losses.append(self.block_loss(scores, *self.on_device(masks)))
        return torch.stack(losses).mean()

    def block_loss(self, scores, positives, allowed):
        return likelihood_loss(scores, positives, allowed)

    def on_device(self, arrays):
        return [torch.from_numpy(array).to(self.device, non_blocking=True) for array in arrays]

    def log_progress(self, losses, speed):
        """Logs the mean of losses, NaN if there are none. speed: tokens per second."""
        loss = float(torch.stack(losses).mean()) if losses else math.nan
        temperature = round(self.encoder.temperature().item(), 4)
        values = {"step": self.previous_steps + self.steps_taken, "loss": round(loss, 4)}
        values.update(temperature=temperature, speed=round(speed))
        log(self.options.run, values)


def load_start(options):
    """Returns the encoder that training starts from, the stages of its training so far, and the number of its steps so far."""
    state = load(options.start)
    if state is None:
        return read_encoder(options), [], 0
    encoder = Encoder(state["shape"])
    encoder.load_state_dict(state["averaged"])
    return encoder, state["stages"], state["step"]
