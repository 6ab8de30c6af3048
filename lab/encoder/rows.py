"""Rows of tokens that the task `training-rows` writes, as trainings draw from them. docs/reference/training.md has the format."""

import json
import os
import shutil
import struct

import numpy as np

# Types of tokens: fields of a chunk, then those of an issue.
PATH, SIGNATURE, BODY, CALLEES, TITLE, TEXT, CODE, TRACE = range(8)
TYPES, FIELDS = 8, 4
# Fields that a training may leave out, by name.
OPTIONAL_FIELDS = {"path": PATH, "callees": CALLEES}
TRAIN, TUNE = "train", "tune"
ENDING = ".safetensors"

_DTYPES = {"U8": np.uint8, "U16": np.uint16, "I32": np.int32, "I64": np.int64, "F16": np.float16, "F32": np.float32}


def read_tensors(file):
    """The metadata and the arrays of a safetensors file, {name: text} and {name: array}; arrays are read when they are used."""
    with open(file, "rb") as stream:
        (size,) = struct.unpack("<Q", stream.read(8))
        header = json.loads(stream.read(size))
    content = np.memmap(file, np.uint8, "r", 8 + size)
    about, arrays = header.pop("__metadata__", {}), {}
    for name, of in header.items():
        start, end = of["data_offsets"]
        arrays[name] = content[start:end].view(np.ndarray).view(_DTYPES[of["dtype"]]).reshape(of["shape"])
    return about, arrays


class Texts:
    """Texts of one kind, in one array. ids, types, counts: of each token, counts None where tokens have none. sizes: tokens
    of each text.
    """

    def __init__(self, ids, types, counts, sizes):
        self.ids, self.types, self.counts = ids, types, counts
        self.sizes = np.asarray(sizes, np.int64)
        self.starts = np.cumsum(self.sizes) - self.sizes

    @staticmethod
    def read(arrays, name, first_type):
        sizes = arrays[f"{name}_sizes"]
        kinds = np.arange(first_type, first_type + FIELDS, dtype=np.uint8)
        types = np.repeat(np.tile(kinds, len(sizes)), sizes.ravel())
        return Texts(arrays[f"{name}_ids"], types, arrays.get(f"{name}_counts"), sizes.sum(1, dtype=np.int64))

    def __len__(self):
        return len(self.sizes)

    def of(self, number):
        """Ids and types of a text."""
        part = slice(self.starts[number], self.starts[number] + self.sizes[number])
        return self.ids[part], self.types[part]

    def take(self, numbers):
        """Some texts."""
        sizes = self.sizes[numbers]
        at = np.repeat(self.starts[numbers] - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
        return Texts(self.ids[at], self.types[at], None if self.counts is None else self.counts[at], sizes)

    def kept(self, keep):
        """The texts without the tokens that keep, bool [tokens], leaves out."""
        sizes = np.bincount(self.text()[keep], minlength=len(self))
        counts = None if self.counts is None else self.counts[keep]
        return Texts(self.ids[keep], self.types[keep], counts, sizes)

    def text(self):
        """The number of each token's text, int64 [tokens]."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def place(self):
        """Each token's place in its text, int64 [tokens]."""
        return np.arange(len(self.ids)) - np.repeat(self.starts, self.sizes)


def joined(parts):
    """The texts of several Texts, one after the other."""
    return Texts(*(np.concatenate([getattr(of, name) for of in parts]) for name in ("ids", "types", "counts", "sizes")))


class Repository:
    """One repository's chunks, and the commits or issues that they answer. about, arrays: of its file.

    tokens: of a chunk, at most. without: types of tokens that chunks lack. The first token of a chunk stays where tokens
    have no counts: it is the mark that opens it.

    documents: Texts of the chunks, then of the chunks of the docstring pairs without their docstrings. queries: of each
    commit `variants` texts, its message and issues made of it, then the docstrings. commits: [{"row", "snap", "pos", "sib",
    "neg", "candidates"}], the lists being numbers of chunks. pools: numbers of the chunks of each snapshot. keys: chunks of
    one place, in whatever version, have one. docstrings: the chunk of each pair. instances: ids of issues.
    """

    def __init__(self, about, arrays, tokens=None, without=()):
        self.name, self.variants = about["name"], int(about["variants"])
        self.real, self.learned = "real" in about, "learned" in about
        self.instances = json.loads(about["instances"])
        documents, self.queries = Texts.read(arrays, "documents", PATH), Texts.read(arrays, "queries", TITLE)
        if without:
            marks = (documents.counts is None) & (documents.place() == 0)
            documents = documents.kept(~np.isin(documents.types, without) | marks)
        self.documents = documents if tokens is None else documents.kept(documents.place() < tokens)
        self.keys, self.docstrings, self.chunks = arrays["keys"], arrays["docstrings"], len(arrays["keys"])
        self.pools = [np.flatnonzero(arrays["snapshots"] & (1 << snapshot)) for snapshot in range(3)]
        snaps = arrays["snap"].tolist()
        self.commits = [{"row": row, "snap": snap} for row, snap in enumerate(snaps)]
        for key in ("pos", "sib", "neg", "candidates"):
            lists = np.split(arrays[key], np.cumsum(arrays[f"{key}_sizes"])[:-1])
            for commit, numbers in zip(self.commits, lists):
                commit[key] = numbers.tolist()
        self.by_snapshot = [[row for row, of in enumerate(snaps) if of == snapshot] for snapshot in range(3)]

    def documents_keys(self):
        """Keys of all documents, int64."""
        return np.concatenate([self.keys, self.keys[self.docstrings]]).astype(np.int64)

    def messages(self):
        """Numbers of the queries that are messages as they are, int64 [commits]."""
        return np.arange(len(self.commits)) * self.variants

    def query(self, commit, rng, plain):
        """The number of a query of a commit: its message, in the share `plain` of the calls, or an issue made of it."""
        is_plain = self.variants == 1 or rng.random() < plain
        return commit["row"] * self.variants + (0 if is_plain else rng.randrange(1, self.variants))

    def docstring(self, pair):
        """The number of the query that is a pair's docstring."""
        return len(self.commits) * self.variants + pair


def load_rows(folders, part, **options):
    """The repositories of a part of the split in some folders that have something to learn from. options: of Repository."""
    made = []
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            if name.endswith(ENDING):
                about, arrays = read_tensors(os.path.join(folder, name))
                if about["part"] == part and len(arrays["snap"]):
                    made.append(Repository(about, arrays, **options))
    return made


def load_issues(folder, **options):
    """The repositories in a folder that are only measured on, one after the other."""
    issues = os.path.join(folder, "issues")
    for name in sorted(os.listdir(issues) if os.path.exists(issues) else []):
        if name.endswith(ENDING):
            yield Repository(*read_tensors(os.path.join(issues, name)), **options)


def read_start(folder):
    """Returns the settings of the tokenizer from model.json, in a folder of rows, a run or a model."""
    with open(os.path.join(folder, "model.json"), encoding="utf-8") as stream:
        return json.load(stream)


def copy_start(source, target):
    """Gives a run what tells how texts become tokens, unless it has that."""
    if os.path.exists(os.path.join(target, "model.json")):
        return
    os.makedirs(target, exist_ok=True)
    for name in (read_start(source)["tokenizer"]["file"], "model.json"):
        shutil.copyfile(os.path.join(source, name), os.path.join(target, name))


class Step:
    """Queries, and documents that answer them or do not.

    repository: that it is of. queries: numbers of its queries. documents: int64 [documents], numbers of its documents.
    positives and allowed: bool [queries, documents], the edited ones and what counts against them; neither they nor other
    versions of them do. commits: of the first queries.
    """

    def __init__(self, repository, commits, queries, answers, documents):
        self.repository, self.commits, self.queries, self.documents = repository, commits, queries, documents
        keys = repository.documents_keys()
        self.positives = np.stack([np.isin(documents, answer) for answer in answers])
        self.allowed = np.stack([~np.isin(keys[documents], keys[answer]) for answer in answers])


def draw_commits(repository, rng, most):
    """A snapshot, and at most so many commits of it; None where the snapshot drawn has none."""
    snapshot = rng.choices(range(3), [len(of) + 1e-9 for of in repository.by_snapshot])[0]
    eligible = repository.by_snapshot[snapshot]
    commits = [repository.commits[i] for i in rng.sample(eligible, min(most, len(eligible)))]
    return snapshot, commits
