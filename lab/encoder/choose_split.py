"""Chooses the families that issues are tuned and tested on: lab/split/split.json has what this printed.

    python3 lab/encoder/choose_split.py <train.python.jsonl.zst of published data sets of issues>

Families come in the order of the SHA-256 of their names, so that nobody's taste is in the choice: first those of *test*,
then those of *tune*, each until there are issues enough. Only sure issues count: linked to one change, written by
people, whole, about Python; of one family at most so many.
"""

import collections
import hashlib
import json
import sys

from split import Split, read_zst

SURE = {"exact", "key single", "pr-or-log single"}
WRITTEN_BY_PEOPLE = {"issue", "jira", "bugzilla"}
# What is too large to be brought to where models are trained, and what has few scripts in Python.
TOO_LARGE = {"tensorflow", "pytorch", "opencv", "ray", "linux", "paddle", "openvino", "onnxruntime", "tvm", "oneflow", "cntk"}
OTHER_LANGUAGES = {"hadoop-common", "storm", "zookeeper"}
MOST, LEAST = 25, 3
TEST_ISSUES, TUNE_ISSUES = 360, 80


def counted(lines, split):
    """{family: sure issues}, of families that are neither kept out nor tuned on."""
    counts = collections.Counter()
    for issue in lines:
        sure = issue["link"] in SURE and issue["text_kind"] in WRITTEN_BY_PEOPLE and not issue.get("title_only")
        files = issue.get("files") or []
        python = 2 * sum(file.endswith(".py") for file in files) >= max(1, len(files))
        if sure and python and split.listed(issue["repo"]) is None:
            counts[split.family(issue["repo"])] += 1
    unfit = TOO_LARGE | OTHER_LANGUAGES
    return {family: n for family, n in counts.items() if n >= LEAST and family.split("/")[1] not in unfit}


def take(families, counts, issues):
    """Takes families from the list until they have so many issues; returns their names, in order."""
    taken, total = [], 0
    while total < issues:
        taken.append(families.pop(0))
        total += min(MOST, counts[taken[-1]])
    return sorted(taken)


def main():
    split = Split.read(chosen=False)
    counts = counted(read_zst(sys.argv[1]), split)
    families = sorted(counts, key=lambda family: hashlib.sha256(family.encode()).hexdigest())
    for part, issues in (("test", TEST_ISSUES), ("tune", TUNE_ISSUES)):
        taken = take(families, counts, issues)
        print(json.dumps({part: taken}, indent=2))
        print(part, len(taken), "families", sum(min(MOST, counts[f]) for f in taken), "of", sum(counts[f] for f in taken))
    print("left to train on:", len(families), "families", sum(counts[family] for family in families))


if __name__ == "__main__":
    main()
