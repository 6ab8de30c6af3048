"""Reads rows of tokens that the task `training-rows` writes. docs/reference/training.md describes the format."""

import json
import os
import shutil
import struct

import numpy as np

# Token types: fields of a chunk, then fields of an issue
PATH, SIGNATURE, BODY, CALLEES, TITLE, TEXT, CODE, TRACE = range(8)
TYPES, FIELDS = 8, 4
# Fields that a training may leave out, by name.
OPTIONAL_FIELDS = {"path": PATH, "callees": CALLEES}
TRAIN, TUNE = "train", "tune"
ENDING = ".safetensors"

_DTYPES = {"U8": np.uint8, "U16": np.uint16, "I32": np.int32, "I64": np.int64, "F16": np.float16, "F32": np.float32}


def read_tensors(file):
    """Returns the metadata and the arrays of a safetensors file, {name: text} and {name: array}. Arrays are read on use."""
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
    """Texts of one kind, in one array. ids, types, counts: values for each token; counts is None if tokens have none. sizes: number
    of tokens of each text.
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
        """Returns the ids and types of a text."""
        part = slice(self.starts[number], self.starts[number] + self.sizes[number])
        return self.ids[part], self.types[part]

    def take(self, numbers):
        """Returns the texts with these numbers."""
        sizes = self.sizes[numbers]
        at = np.repeat(self.starts[numbers] - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
        return Texts(self.ids[at], self.types[at], None if self.counts is None else self.counts[at], sizes)

    def kept(self, keep):
        """Returns the texts with only the tokens for which keep, bool [tokens], is true."""
        sizes = np.bincount(self.text()[keep], minlength=len(self))
        counts = None if self.counts is None else self.counts[keep]
        return Texts(self.ids[keep], self.types[keep], counts, sizes)

    def text(self):
        """Returns the number of each token's text: int64 [tokens]."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def place(self):
        """Returns each token's position in its text: int64 [tokens]."""
        return np.arange(len(self.ids)) - np.repeat(self.starts, self.sizes)


def joined(parts):
    """Concatenates several Texts."""
    return Texts(*(np.concatenate([getattr(of, name) for of in parts]) for name in ("ids", "types", "counts", "sizes")))


class Repository:
    """Chunks of a repository, and the commits or issues that they answer. about, arrays: metadata and arrays of its file.

    tokens: maximum number of tokens of a chunk. without: types of tokens to remove from chunks. If tokens have no counts, the
    first token of a chunk stays, since it is the mark of a chunk.

    documents: Texts of the chunks, then of the chunks of docstring pairs without their docstrings. queries: `variants` texts for
    each commit, its message and issues made from it, then the docstrings. commits: [{"row", "snap", "pos", "sib", "neg",
    "candidates"}], with lists of numbers of chunks. Ranked lists also have "scores", float32 [candidates], and "edited", the number of
    all edited chunks. pools: numbers of the chunks of each snapshot. keys: one key for all versions
    of a chunk. docstrings: the chunk of each pair. instances: ids of issues.
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
        if "scores" in arrays:
            lists = np.split(arrays["scores"], np.cumsum(arrays["candidates_sizes"])[:-1])
            for commit, scores, edited in zip(self.commits, lists, arrays["edited"].tolist()):
                commit.update(scores=scores, edited=edited)
        self.by_snapshot = [[row for row, of in enumerate(snaps) if of == snapshot] for snapshot in range(3)]

    def documents_keys(self):
        """Returns the keys of all documents: int64."""
        return np.concatenate([self.keys, self.keys[self.docstrings]]).astype(np.int64)

    def messages(self):
        """Returns the numbers of the queries that are unchanged messages: int64 [commits]."""
        return np.arange(len(self.commits)) * self.variants

    def query(self, commit, rng, plain):
        """Returns the number of a query of a commit: its message with probability `plain`, else an issue made from it."""
        is_plain = self.variants == 1 or rng.random() < plain
        return commit["row"] * self.variants + (0 if is_plain else rng.randrange(1, self.variants))

    def docstring(self, pair):
        """Returns the number of the query for a pair's docstring."""
        return len(self.commits) * self.variants + pair


def load_rows(folders, part, **options):
    """Returns the repositories of a part of the split that have data to learn from. options: those of Repository."""
    made = []
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            if name.endswith(ENDING):
                about, arrays = read_tensors(os.path.join(folder, name))
                if about["part"] == part and len(arrays["snap"]):
                    made.append(Repository(about, arrays, **options))
    return made


def load_issues(folder, **options):
    """Yields the repositories of a folder that are only for measurement."""
    issues = os.path.join(folder, "issues")
    for name in sorted(os.listdir(issues) if os.path.exists(issues) else []):
        if name.endswith(ENDING):
            yield Repository(*read_tensors(os.path.join(issues, name)), **options)


def read_start(folder):
    """Returns the settings of the tokenizer from model.json, in a folder of rows, a run or a model."""
    with open(os.path.join(folder, "model.json"), encoding="utf-8") as stream:
        return json.load(stream)


def copy_tokenizer(source, target):
    """Copies the tokenizer and its settings into a run, unless it has them."""
    if os.path.exists(os.path.join(target, "model.json")):
        return
    os.makedirs(target, exist_ok=True)
    for name in (read_start(source)["tokenizer"]["file"], "model.json"):
        shutil.copyfile(os.path.join(source, name), os.path.join(target, name))


class Step:
    """Queries of a training step, with documents that answer them and others.

    repository: source of the step. queries: numbers of its queries. documents: int64 [documents], numbers of its documents.
    positives: bool [queries, documents], the edited documents. allowed: bool [queries, documents], their negatives, which
    exclude edited documents and other versions of them. commits: those of the first queries.
    """

    def __init__(self, repository, commits, queries, answers, documents):
        self.repository, self.commits, self.queries, self.documents = repository, commits, queries, documents
        keys = repository.documents_keys()
        self.positives = np.stack([np.isin(documents, answer) for answer in answers])
        self.allowed = np.stack([~np.isin(keys[documents], keys[answer]) for answer in answers])


def draw_commits(repository, rng, most):
    """Draws a snapshot and at most `most` of its commits. Returns None if the snapshot has no commits."""
    snapshot = rng.choices(range(3), [len(of) + 1e-9 for of in repository.by_snapshot])[0]
    eligible = repository.by_snapshot[snapshot]
    commits = [repository.commits[i] for i in rng.sample(eligible, min(most, len(eligible)))]
    return snapshot, commits
