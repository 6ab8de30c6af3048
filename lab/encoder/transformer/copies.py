"""Digests of the functions of repositories, so that copies of them (vendored code) are left out of training."""

import ast
import hashlib
import json
import os
import subprocess

import numpy as np

# What is compared of a function: the first lines of its body, without indentation, comments and empty lines, where
# they are so many characters.
LINES, CHARACTERS = 12, 100
# Commits of a repository that are looked at, evenly over those of its issues.
COMMITS = 6


def add_options(add):
    add("--dataset", required=True, help="JSON Lines of issues, of whose repositories nothing is learned")
    add("--clones", required=True, help="folder of clones: owner__name, or that of a fork")
    add("--out", required=True, help=".npy")


def run(options):
    with open(options.dataset, encoding="utf-8") as stream:
        issues = [json.loads(line) for line in stream]
    clones = {name.rpartition("__")[2]: os.path.join(options.clones, name) for name in sorted(os.listdir(options.clones))}
    digests, seen = set(), set()
    for repository in sorted({issue["repo"] for issue in issues}):
        clone = clones[repository.split("/")[1]]
        commits = sorted({issue["base_commit"] for issue in issues if issue["repo"] == repository})
        for commit in ["HEAD", *commits[:: -(-len(commits) // COMMITS)]]:
            for source in sources(clone, commit, seen):
                digests.update(functions(source))
        print(repository, len(digests), "digests so far", flush=True)
    np.save(options.out, np.array(sorted(digests), np.uint64))


def sources(clone, commit, seen):
    """The Python files of a commit, each content once."""
    listed = subprocess.run(["git", "-C", clone, "ls-tree", "-r", commit], capture_output=True, check=True, text=True)
    blobs = [line.split()[2] for line in listed.stdout.split("\n") if line.endswith(".py")]
    blobs = [blob for blob in dict.fromkeys(blobs) if blob not in seen]
    seen.update(blobs)
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    answer = subprocess.run(["git", "-C", clone, "cat-file", "--batch"], input=asked, capture_output=True, check=True).stdout
    at = 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        size = int(answer[at:end].split()[2])
        yield answer[end + 1 : end + 1 + size].decode("utf-8", "replace")
        at = end + size + 2


def functions(source):
    """The digests of a file's functions; of one that is not Python 3, none."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = source.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            made = digest(lines[node.body[0].lineno - 1 : node.end_lineno])
            if made is not None:
                yield made


def digest(body):
    """Of the lines after a function's header; None where they are too few to tell functions apart."""
    lines = [line.strip() for line in body]
    text = "\n".join([line for line in lines if line and not line.startswith("#")][:LINES])
    if len(text) < CHARACTERS:
        return None
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")
