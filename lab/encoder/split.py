"""Which part of the split a repository belongs to; lab/split/split.ts says the same to what is written in TypeScript.

A repository belongs where its family does: renames, forks and copies are one family. They share the last part of their
names, or are in the table of names.
"""

import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SPLIT = os.path.normpath(os.path.join(HERE, "../split/split.json"))
EXCLUDED = os.path.join(HERE, "../mining/excluded-repositories.json")
TRAIN, TUNE, TEST, NEVER = "train", "tune", "test", "never"
# Keys of the excluded repositories that are no list, and a list that is tuned on.
WHY, HELD_OUT = "why", "held out for development"


class Split:
    """parts: {name of a part: repositories, "owner/name"}; a repository in none of them is to be trained on.

    names: {family: other names of it}. apart: repositories that only share the last part of a name that is listed.
    """

    def __init__(self, parts, names, apart):
        self._names = {other.lower(): family.lower() for family, others in names.items() for other in others}
        self._apart = {repository.lower() for repository in apart}
        self._families, self._last = {}, {}
        for part, repositories in parts.items():
            for repository in repositories:
                family = self.family(repository)
                self._families[family] = part
                self._last[family.split("/")[1]] = part

    @staticmethod
    def read(chosen=True):
        """The project's split; chosen: with what choose.py chose."""
        with open(SPLIT, encoding="utf-8") as stream:
            split = json.load(stream)
        with open(EXCLUDED, encoding="utf-8") as stream:
            lists = json.load(stream)
        never = [repository for why, of in lists.items() if why not in (WHY, HELD_OUT) for repository in of]
        parts = {NEVER: never, TUNE: [*lists[HELD_OUT], *split[TUNE]], TEST: split[TEST]}
        return Split(parts if chosen else {**parts, TUNE: lists[HELD_OUT], TEST: []}, split["names"], split["apart"])

    def family(self, repository):
        """The name of a repository's family. repository: "owner/name" or "owner+name", in any case."""
        name = repository.replace("+", "/", 1).lower()
        return self._names.get(name, name)

    def listed(self, repository):
        """The part that names the repository's family; None where none does, and it is to be trained on."""
        family = self.family(repository)
        if family in self._families:
            return self._families[family]
        return None if family in self._apart else self._last.get(family.split("/")[-1])

    def part(self, repository):
        """train, tune, test or never."""
        return self.listed(repository) or TRAIN


def of_part(names, part):
    """Those of the repositories that are of the part, in their order."""
    split = Split.read()
    return [name for name in names if split.part(name) == part]


def refuse_breaches(names, parts=(TRAIN,)):
    """Stops the program when one of the repositories is of no such part."""
    split = Split.read()
    wrong = [f"{name} ({split.part(name)})" for name in names if split.part(name) not in parts]
    if wrong:
        raise SystemExit(f"only for what is {' or '.join(parts)} by {SPLIT}: {', '.join(wrong)}; take these files away")


def read_zst(file):
    """The lines of a zstd-compressed JSON Lines file, read."""
    command = ["zstd", "-dcq", os.path.realpath(file)]  # zstd takes no links
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            yield json.loads(line)
    if process.returncode != 0:
        raise SystemExit(f"{file} cannot be decompressed")
