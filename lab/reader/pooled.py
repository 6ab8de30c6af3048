"""What match features do without a model that reads: a linear sum of their means and largest values over a candidate,
fitted to commits by likelihood, and measured as `evaluate` measures a reader.
"""

import json
import math
import random

import numpy as np
import torch

from corpus import training_names
from reader.corpus import Commits, fold, learned_lists, read_lists
from reader.evaluate import compared, write_scores
from reader.lexicon import Lexicon
from reader.train import list_loss

# Of L-BFGS, over all lists.
STEPS = 40


def add_options(add):
    add("--prepared", required=True)
    add("--lexicon", required=True)
    add("--commits", type=int, default=1000, help="to fit to")
    add("--decay", type=float, default=1e-3)
    add("--folds", type=int, nargs="*", help="of the learned issues; all without")
    add("--pool", help="instead of them, the name of a prepared pool")
    add("--out", help="JSON file for the scores, by issue")
    add("--seed", type=int, default=1)


def run(options):
    torch.set_num_threads(1)
    lexicon, rng = Lexicon(options.lexicon), random.Random(options.seed)
    repositories = [Commits(options.prepared, name, lexicon) for name in training_names(options.prepared)]
    drawn = rng.choices(repositories, [math.sqrt(len(of.commits)) for of in repositories], k=options.commits)
    made = [_list(repository, rng, lexicon) for repository in drawn]
    if options.pool:
        lists = list(read_lists(f"{options.prepared}/pools/{options.pool}", lexicon))
    else:
        lists = [of for of in learned_lists(options.prepared, lexicon) if options.folds is None or fold(of.family) in options.folds]
    weights, scale = fitted(made, options.decay)
    scores = [pooled(of.features(lexicon)) / scale @ weights for of in lists]
    for name, found in compared(lists, scores).items():
        print(f"{name:32}", json.dumps(found))
    if options.out:
        write_scores(options.out, lists, scores)


def _list(repository, rng, lexicon):
    """Pooled features of a commit's candidates, the edited ones first, and how many these are."""
    commit = rng.choice(repository.commits)
    numbers = list(dict.fromkeys([*commit["pos"], *commit["neg"], *commit["sib"]]))
    return pooled(repository.features(commit, numbers, rng, 0.3, lexicon)), len(commit["pos"])


def pooled(of):
    """float64 [candidates, features] of Features: of the words of the candidate and of the issue, means and largest values,
    and of the issue's the sums, each word counting as it is rare.
    """
    starts = np.cumsum(of.sizes) - of.sizes
    full = of.sizes > 0
    sums, most = (np.zeros((len(of.sizes), of.tokens.shape[1])) for _ in range(2))
    sums[full] = np.add.reduceat(of.tokens, starts[full])
    most[full] = np.maximum.reduceat(of.tokens, starts[full])
    issue = of.issue if of.issue.shape[1] else np.zeros((len(of.sizes), 1, of.issue.shape[2]))
    rare = issue[:, :, 5:6]  # One by the root of how many candidates have the word.
    parts = [sums / np.maximum(of.sizes, 1)[:, None], most, issue.mean(1), issue.max(1), (rare * issue).sum(1)]
    return np.column_stack([*parts, np.log1p(of.sizes)])


def fitted(made, decay):
    """Weights, float64 [features], of features divided by the second array, that make what was edited likeliest."""
    every = np.concatenate([features for features, _ in made])
    scale = every.std(0) + 1e-6
    lists = [(torch.from_numpy(features / scale), torch.arange(len(features)) < edited) for features, edited in made]
    weights = torch.zeros(every.shape[1], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss():
        optimizer.zero_grad()
        total = sum(list_loss(features @ weights, edited) for features, edited in lists) / len(lists)
        total = total + decay * weights.square().sum()
        total.backward()
        return total

    optimizer.step(loss)
    return weights.detach().numpy(), scale
