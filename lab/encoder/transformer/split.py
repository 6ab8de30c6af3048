"""Splits data, checkpoints and models into pieces of less than 60 MB, to transfer them. `join` joins the pieces."""

import hashlib
import json
import os

INDEX = "pieces.json"


def add_options(add):
    add("paths", nargs="+", help="files and folders")
    add("--out", required=True, help="folder for the pieces")
    add("--megabytes", type=float, default=59, help="size of a piece")


def run(options):
    """Writes pieces 00000, 00001, ... of all files under the paths, and an index of files and digests."""
    out, size = options.out, int(options.megabytes * 1e6)
    if os.path.exists(os.path.join(out, INDEX)):
        raise SystemExit(f"{out} already contains pieces. Choose another folder.")
    os.makedirs(out, exist_ok=True)
    files, pieces = [], []
    named = sorted(found(options.paths))
    if len({name for name, _ in named}) < len(named):
        raise SystemExit("Two of the paths have the same last part. Rename one.")
    for name, path in named:
        whole, names = hashlib.sha256(), []
        with open(path, "rb") as stream:
            while content := stream.read(size):
                whole.update(content)
                names.append(f"{len(pieces):05}")
                pieces.append({"name": names[-1], "sha256": hashlib.sha256(content).hexdigest()})
                with open(os.path.join(out, names[-1]), "wb") as piece:
                    piece.write(content)
        files.append({"path": name, "sha256": whole.hexdigest(), "pieces": names})
    with open(os.path.join(out, INDEX), "w") as stream:
        json.dump({"files": files, "pieces": pieces}, stream, indent=1)


def found(paths):
    """Yields (name, path) of each file under the paths. Names start with the last part of the path."""
    for path in paths:
        path = os.path.realpath(path)
        if os.path.isfile(path):
            yield os.path.basename(path), path
        for folder, _, names in os.walk(path):
            for name in names:
                file = os.path.join(folder, name)
                yield os.path.relpath(file, os.path.dirname(path)), file
