"""Grows the trees of a ranker: LightGBM (Ke et al., NeurIPS 2017) under the likelihood that the linear ranker is fitted by.

    python3 lab/forest/grow.py < rows > grown.json

Standard input is a line of JSON and then the features as 64-bit floats, row by row, none of them missing. The line:
`features` (how many), `labels` (1 edited, 0 not, by row; the rows of an issue lie together), `groups` (rows of each issue),
`start` (scores that the trees correct, by row), `settings` (LightGBM's parameters),
`trees` (how many). Standard output is JSON: `trees` as src/engine/search/forest.ts reads them, and LightGBM's own `scores`
and `parts` (Shapley values, the last being the mean) of the first `shown` rows, which the test compares with the engine's.
"""

import json
import sys

import lightgbm
import numpy as np

# LightGBM's least Hessian of a row, so that no leaf divides by nothing.
LEAST_HESSIAN = 1e-9


class Likelihood:
    """-log of an edited candidate's share of the softmax over itself and those not edited; an issue's edited candidates
    count equally, and together as much as another issue's.

    labels: 0 or 1 [rows]. groups: rows of each issue [issues].
    """

    def __init__(self, labels, groups):
        self._edited = np.asarray(labels) == 1
        self._issue = np.repeat(np.arange(len(groups)), groups)
        self._starts = np.concatenate([[0], np.cumsum(groups)[:-1]])
        counts = self._sum(self._edited)
        if not counts.all():
            raise SystemExit("an issue without an edited candidate says nothing")
        self._weights = (1 / counts)[self._issue]

    def __call__(self, scores, _):
        """Gradient and Hessian (its diagonal), both [rows]."""
        odds = np.exp(scores - np.maximum.reduceat(scores, self._starts)[self._issue])
        others = self._sum(np.where(self._edited, 0, odds))[self._issue]
        # An edited candidate's share; of the others, the sum of their shares against each edited one.
        with np.errstate(divide="ignore"):
            inverse = np.where(self._edited, 1 / (others + odds), 0)
        share = odds * np.where(self._edited, inverse, self._sum(inverse)[self._issue])
        squares = odds**2 * np.where(self._edited, inverse**2, self._sum(inverse**2)[self._issue])
        gradient = np.where(self._edited, share - 1, share)
        return gradient * self._weights, np.maximum((share - squares) * self._weights, LEAST_HESSIAN)

    def _sum(self, values):
        return np.add.reduceat(np.asarray(values, float), self._starts)


def tree_of(node):
    """A tree as forest.ts reads it. node: the root in LightGBM's own form."""
    asks, numbers, rows = [], [], []

    def visit(node):
        if "leaf_value" in node:
            asks.append(-1)
            numbers.append(float(f"{node['leaf_value']:.8g}"))
            rows.append(node["leaf_count"])
            return
        asks.append(node["split_feature"])
        numbers.append(node["threshold"])
        rows.append(node["internal_count"])
        visit(node["left_child"])
        visit(node["right_child"])

    visit(node)
    return {"asks": asks, "numbers": numbers, "rows": rows}


def main():
    task = json.loads(sys.stdin.buffer.readline())
    rows = np.frombuffer(sys.stdin.buffer.read(), "<f8").reshape(-1, task["features"])
    if np.isnan(rows).any():
        raise SystemExit("a value is missing: which way LightGBM would send it is not known to forest.ts")
    data = lightgbm.Dataset(rows, task["labels"], group=task["groups"], init_score=task["start"])
    settings = {
        **task["settings"],
        "objective": Likelihood(task["labels"], task["groups"]),
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbose": -1,
    }
    booster = lightgbm.train(settings, data, task["trees"])
    shown = rows[: task["shown"]]
    json.dump(
        {
            "trees": [tree_of(tree["tree_structure"]) for tree in booster.dump_model()["tree_info"]],
            "scores": booster.predict(shown, raw_score=True).tolist() if len(shown) else [],
            "parts": booster.predict(shown, pred_contrib=True).tolist() if len(shown) else [],
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
