"""Step 2: trains a bag encoder on rows.

    python3 lab/encoder/train.py --rows <folder of training-rows> --run <folder> --minutes 8

The schedule follows the wall clock. The run folder contains the words, checkpoint.pt and log.jsonl. A stopped run that is
started again with the same folder continues from its last checkpoint. If the rows have real issues, the run is measured on them
at intervals.
"""

import argparse
import math
import random
import time

import numpy as np
import torch
import torch.nn.functional as F

from evaluate import measure, summary
from loss import likelihood_loss
from model import CLASSES, FIELDS, Bag, Bags, Encoder, Vocabulary, balance, weigh, weight_table
from parts import shared_parts
from rows import OPTIONAL_FIELDS, TRAIN, Step, copy_tokenizer, draw_commits, joined, load_rows
from runs import load, log, save
from vectors import Teacher, soft_loss
from word_vectors import RowSteps, WordVectors

CHECKPOINT_SECONDS = 180
# Maximum number of edited chunks of a commit in a step
POSITIVES = 6


def parse():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = options.add_argument
    add("--rows", required=True)
    add("--run", required=True)
    add("--minutes", type=float, default=8)
    add("--measure-minutes", type=float, default=5)
    add("--dimensions", type=int, default=512)
    add("--commits", type=int, default=96, help="queries per step")
    add("--negatives", type=int, default=800, help="random chunks of the step's repository that all its queries share")
    add("--counted", type=int, default=0, help="number of these negatives that count for a query; 0: all")
    add("--steps", type=int, default=0, help="number of steps after which training ends, instead of --minutes")
    add("--docstrings", type=int, default=32, help="docstring pairs per step")
    add("--across", action="store_true", help="negatives from other repositories instead")
    add("--without", default="", help="comma-separated: path, callees, siblings, issues (queries stay commit messages)")
    add("--rate", type=float, default=3e-3, help="learning rate of the vectors")
    add("--weight-rate", type=float, default=2e-2, help="learning rate of the weights")
    add("--spread", type=int, default=16, help="number of repositories with a word from which on it learns at the full rate")
    add("--share", type=float, default=0.5, help="initial share of a word's vector that comes from parts it shares with other words")
    add("--power", type=float, default=0.5, help="exponent of a field's length, by which its weight is divided: 0 not at all, 1 completely")
    add("--bucket-share", type=float, default=0, help="share of a step that is applied to the vectors of buckets")
    add("--drop", type=float, default=0.25, help="share of a query's words that are dropped")
    add("--drop-code", type=float, default=0.25, help="share of a chunk's words that are dropped")
    add("--paraphrase", type=float, default=0.1, help="share of queries without words of the edited code")
    add("--plain", type=float, default=0.3, help="share of queries that stay commit messages")
    add("--start", help="folder of another run with the same vocabulary, whose encoder is the start")
    add("--seed", type=int, default=1, help="seed of the initial vectors; only runs with the same seed can be averaged")
    add("--draws", type=int, default=1, help="seed of the draws of steps")
    add("--teacher", help="folder of transformer/teach.py; also learns from its likelihoods; needs --docstrings 0")
    add("--soft", type=float, default=0.5, help="the teacher's share of the loss")
    add("--threads", type=int, default=1)
    return options.parse_args()


class Trainer:
    def __init__(self, options):
        self.options = options
        self.without = set(filter(None, options.without.split(",")))
        self.rng = random.Random(options.draws)
        self.numpy_rng = np.random.default_rng(options.draws)
        torch.set_num_threads(options.threads)
        copy_tokenizer(options.rows, options.run)
        self.vocabulary = Vocabulary(options.run)
        started = time.time()
        without = [OPTIONAL_FIELDS[name] for name in self.without if name in OPTIONAL_FIELDS]
        self.repositories = load_rows([options.rows], TRAIN, without=without)
        tokens = sum(len(r.documents.ids) for r in self.repositories)
        print(f"{len(self.repositories)} repositories, {tokens:,} tokens read in {time.time() - started:.0f} s", flush=True)
        if options.teacher and options.docstrings:
            raise SystemExit("A teacher has no targets for docstrings. Use --docstrings 0.")
        self.teacher = Teacher(options.teacher, self.repositories) if options.teacher else None
        shares = np.array([math.sqrt(len(r.commits)) for r in self.repositories])
        self.shares = shares / shares.sum()
        parts = torch.from_numpy(shared_parts(self.vocabulary.words, self.vocabulary.size))
        if options.share == 0:
            parts[:] = 0
        self.vectors = WordVectors(parts, options.dimensions, options.share, options.seed)
        spread, part_spread = self.count_repositories(parts.numpy())
        self.encoder = Encoder(self.classes(spread), self.vectors.own, options.power)
        self.encoder.token = self.initial_weights()
        share, self.weight_share = self.shares_of_steps(spread)
        self.own_rows, self.shared_rows = RowSteps(share), RowSteps(self.learning(part_spread))
        self.weight_squares = torch.zeros(2 + FIELDS, self.vocabulary.size)
        self.small_squares = torch.zeros(FIELDS * (1 + CLASSES) + 1)
        self.step, self.elapsed = 0, 0.0
        self.resume()

    def count_repositories(self, parts):
        """Counts the repositories of each token, and of each part of words; 0 for part 0."""
        spread, part_spread = np.zeros(len(parts)), np.zeros(parts.max() + 1)
        for repository in self.repositories:
            tokens = np.unique(repository.documents.ids)
            spread[tokens] += 1
            part_spread[np.unique(parts[tokens])] += 1
        part_spread[0] = 0
        return spread, part_spread

    def classes(self, spread):
        """Returns the class of each token: words by their number of repositories, buckets of words, buckets of pairs, and marks."""
        words = np.arange(self.vocabulary.size) < len(self.vocabulary.words)
        classes = np.where(words, np.minimum(1.6 * np.log2(1 + spread), CLASSES - 4), CLASSES - 3).astype(np.int64)
        classes[len(self.vocabulary.words) + self.vocabulary.word_buckets :] = CLASSES - 2
        classes[self.vocabulary.issue :] = CLASSES - 1
        return torch.from_numpy(classes)

    def shares_of_steps(self, spread):
        """Returns the shares of a step for the vectors and the weights of tokens: float [tokens] each.

        Tokens of few repositories would memorize them and would not generalize to others. Their vectors stay random, which
        still matches the same token; so do the vectors of buckets.
        """
        vectors, weights = self.learning(spread), self.learning(spread)
        vectors[self.vocabulary.buckets] = self.options.bucket_share
        vectors[self.vocabulary.issue :] = weights[self.vocabulary.issue :] = 1
        return vectors, weights

    def learning(self, spread):
        """Returns the share of a step for tokens by their number of repositories: float32, of the shape of spread."""
        share = np.clip((spread - self.options.spread / 4) / self.options.spread, 0, 1)
        return torch.from_numpy(share.astype(np.float32))

    def initial_weights(self):
        """Returns the initial weights: the inverse document frequency, through the inverse of softplus."""
        frequency, documents = np.zeros(self.vocabulary.size), 0
        for repository in self.repositories[::4]:
            frequency += np.bincount(repository.documents.ids, minlength=self.vocabulary.size)
            documents += repository.chunks
        idf = np.log(1 + documents / (1 + frequency)) / 4
        # A bucket contains many rare words.
        buckets = slice(len(self.vocabulary.words), None)
        idf[buckets] = np.maximum(idf[buckets], 1.5)
        idf[self.vocabulary.issue :] = 0.1
        weights = np.log(np.expm1(np.maximum(idf, 0.02)))
        return torch.from_numpy(np.stack([weights, weights]).astype(np.float32))

    def train(self):
        options = self.options
        last_save = last_measure = time.time()
        losses = []
        while self.progress() < 1:
            started = time.time()
            progress = self.progress()
            rate = min(1, self.step / 100) * 0.5 * (1 + math.cos(math.pi * progress)) + 1e-3
            loss = self.take_step(rate)
            losses.append(loss)
            self.step += 1
            now = time.time()
            self.elapsed += now - started
            if self.step % 200 == 0:
                self.log(loss=float(np.mean(losses)), temperature=float(self.encoder.temperature.exp()), rate=rate)
                losses = []
            if now - last_save > CHECKPOINT_SECONDS:
                self.save()
                last_save = now
            if now - last_measure > options.measure_minutes * 60:
                self.measure()
                last_measure = time.time()
        self.save()
        self.measure()

    def progress(self):
        options = self.options
        return self.step / options.steps if options.steps else self.elapsed / (options.minutes * 60)

    def take_step(self, rate):
        texts = self.draw()
        if texts is None:
            return math.nan
        queries, documents, positives, allowed, targets = texts
        ids = torch.cat([documents.ids, queries.ids])
        rows, inverse = torch.unique(ids, return_inverse=True)
        encoder = self.encoder
        taken = self.vectors.take(rows)
        token = torch.cat([encoder.token[:, rows], encoder.change[:, rows]]).requires_grad_()
        small = torch.cat([encoder.shared.reshape(-1), encoder.field, encoder.temperature[None]]).requires_grad_()
        shared, field = small[: FIELDS * CLASSES].reshape(FIELDS, CLASSES), small[-FIELDS - 1 : -1]
        table = weight_table(token[:2], token[2:], shared, encoder.classes[rows])
        norms = taken.vectors.norm(dim=1)
        many = len(documents.ids)

        def embed(bag, of_rows):
            weights = weigh(bag, table, field, of_rows)
            weights = balance(weights, norms[of_rows], bag, encoder.power)
            return F.normalize(Bags.apply(taken.vectors, weights, of_rows, bag.offsets, bag.bag), dim=1)

        codes = embed(documents, inverse[:many])
        issues = embed(queries, inverse[many:])
        scores = issues @ codes.T / torch.exp(small[-1])
        loss = likelihood_loss(scores, positives, allowed)
        if targets is not None:
            loss = loss + self.options.soft * (soft_loss(scores, targets, positives | allowed) - loss)
        loss.backward()
        self.update_vectors(taken, self.options.rate * rate)
        self.update_weights(rows, token.grad, small.grad, rate)
        return loss.item()

    def update_vectors(self, taken, rate):
        """Updates the vectors of tokens and of their parts."""
        self.vectors.own.index_add_(0, taken.rows, self.own_rows.steps(taken.rows, taken.own.grad, rate))
        self.vectors.shared.index_add_(0, taken.parts, self.shared_rows.steps(taken.parts, taken.shared.grad, rate))

    def update_weights(self, rows, of_token, of_small, rate):
        """Updates the weights by RMSprop, with means over the steps that contain the token."""
        options, encoder = self.options, self.encoder
        share, trust = self.own_rows.memory(rows)
        squares = self.weight_squares[:, rows]
        squares = squares + (of_token.square() - squares) * share
        self.weight_squares[:, rows] = squares
        change = trust * self.weight_share[rows] * options.weight_rate * rate * of_token / (squares.sqrt() + 1e-10)
        encoder.token.index_add_(1, rows, -change[:2])
        encoder.change.index_add_(1, rows, -0.5 * change[2:])
        self.small_squares += (of_small.square() - self.small_squares) / min(self.step + 1, 200)
        change = 0.2 * options.weight_rate * rate * of_small / (self.small_squares.sqrt() + 1e-10)
        encoder.shared -= change[: FIELDS * CLASSES].reshape(FIELDS, CLASSES)
        encoder.field -= change[FIELDS * CLASSES : -1]
        encoder.temperature -= change[-1]
        encoder.temperature.clamp_(min=math.log(0.02))

    def draw(self):
        """Draws the texts of a step: queries, documents, [queries, documents] masks of positives and of allowed negatives, and
        the teacher's targets.
        """
        options = self.options
        repository = self.rng.choices(self.repositories, self.shares)[0]
        step = self.draw_step(repository)
        if step is None:
            return None
        parts = [repository.documents.take(step.documents)] + (self.elsewhere(repository) if options.across else [])
        documents = joined(parts)
        documents = documents.kept(self.numpy_rng.random(len(documents.ids)) >= options.drop_code)

        others = [(0, 0), (0, len(documents) - len(step.documents))]
        positives = np.pad(step.positives, others)
        allowed = np.pad(step.allowed, others, constant_values=True)
        queries = self.drop_words(repository.queries.take(step.queries), positives, documents)
        if options.counted:
            order = np.where(allowed, self.numpy_rng.random(allowed.shape), 2)
            allowed &= order <= np.sort(order, axis=1)[:, [min(options.counted, order.shape[1]) - 1]]
        targets = None
        if self.teacher:  # It has no targets for documents of other repositories.
            targets = F.pad(self.teacher.targets(step), others[1])
        return Bag(queries), Bag(documents), torch.from_numpy(positives), torch.from_numpy(allowed), targets

    def draw_step(self, repository):
        """Draws a Step of commits of one snapshot, random chunks of it, and docstring pairs. Returns None without a commit."""
        options, rng = self.options, self.rng
        snapshot, commits = draw_commits(repository, rng, options.commits)
        if not commits:
            return None
        answers = [rng.sample(c["pos"], min(POSITIVES, len(c["pos"]))) for c in commits]
        pairs = rng.sample(range(len(repository.docstrings)), min(options.docstrings, len(repository.docstrings)))
        pool = repository.pools[snapshot]
        siblings = [] if "siblings" in self.without else [c["sib"] for c in commits]
        sources = [*answers, *siblings, [repository.chunks + i for i in pairs]]
        negatives = 0 if options.across else options.negatives
        sources.append(self.numpy_rng.choice(pool, min(negatives, len(pool)), replace=False).tolist())
        documents = np.array(list(dict.fromkeys(i for source in sources for i in source)))
        plain = 1 if "issues" in self.without else options.plain
        queries = [repository.query(c, rng, plain) for c in commits] + [repository.docstring(i) for i in pairs]
        return Step(repository, commits, queries, answers + [[repository.chunks + i] for i in pairs], documents)

    def elsewhere(self, repository):
        """Draws negatives of other repositories, to compare with those of the same one."""
        others = [of for of in self.rng.choices(self.repositories, self.shares, k=8) if of is not repository]
        count = self.options.negatives // 8
        return [of.documents.take(self.numpy_rng.choice(of.chunks, min(count, of.chunks), replace=False)) for of in others]

    def drop_words(self, queries, positives, documents):
        """Removes words from queries: random ones from all, and from some queries also words of the edited code."""
        rng, query = self.numpy_rng, queries.text()
        drop = np.full(len(query), self.options.drop)
        document = documents.text()
        for q in np.flatnonzero(rng.random(len(positives)) < self.options.paraphrase):
            of_query = query == q
            shared = np.isin(queries.ids[of_query], documents.ids[np.isin(document, np.flatnonzero(positives[q]))])
            drop[of_query] = np.where(shared, rng.choice([0.3, 0.6, 0.9]), self.options.drop)
        return queries.kept((rng.random(len(query)) >= drop) | (queries.ids == self.vocabulary.issue))

    def measure(self):
        started = time.time()
        self.encoder.use(self.vectors.joined())
        measured = {kind: summary(ranks) for kind, ranks in measure(self.encoder, self.options.rows, self.without).items()}
        self.log(measured=measured, took=time.time() - started)

    def log(self, **values):
        log(self.options.run, {"step": self.step, "minutes": round(self.elapsed / 60, 2), **values})

    STATE = ["weight_squares", "small_squares", "step", "elapsed"]
    PARTS = ["encoder", "vectors", "own_rows", "shared_rows"]

    def save(self):
        state = {name: getattr(self, name) for name in self.STATE}
        state.update({name: getattr(self, name).state() for name in self.PARTS})
        state.update(parts=self.vectors.parts, options=vars(self.options))
        save(self.options.run, state)

    def resume(self):
        state = load(self.options.run)
        if state is None:
            if self.options.start:
                state = load(self.options.start)
                self.encoder.load(state["encoder"])
                self.vectors.load(state["vectors"])
            return
        for name in self.PARTS:
            getattr(self, name).load(state[name])
        for name in self.STATE:
            setattr(self, name, state[name])
        # Different draws than before the checkpoint.
        self.rng.seed(self.options.draws + self.step)
        self.numpy_rng = np.random.default_rng(self.options.draws + self.step)
        print(f"continues after step {self.step}", flush=True)


if __name__ == "__main__":
    Trainer(parse()).train()
