"""Cuts files in pieces of less than 60 MB, and puts them back: how data, checkpoints and models travel in parts."""

import hashlib
import json
import os

INDEX = "pieces.json"


def split(paths, out, size):
    """Writes pieces 00000, 00001, ... of all files under the paths, and an index of files and digests, to a folder."""
    if os.path.exists(os.path.join(out, INDEX)):
        raise SystemExit(f"{out} holds pieces already")
    os.makedirs(out, exist_ok=True)
    files, pieces = [], []
    named = sorted(found(paths))
    if len({name for name, _ in named}) < len(named):
        raise SystemExit("two of the paths have the same last part")
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


def join(folder, out):
    """Puts the files of a folder of pieces back below out; stops at the first piece or file that is not as it was."""
    with open(os.path.join(folder, INDEX)) as stream:
        index = json.load(stream)
    digests = {piece["name"]: piece["sha256"] for piece in index["pieces"]}
    root = os.path.realpath(out)
    for file in index["files"]:
        path = os.path.realpath(os.path.join(root, file["path"]))
        if not path.startswith(root + os.sep):
            raise SystemExit(f"{file['path']} is outside {out}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        whole = hashlib.sha256()
        with open(path + ".tmp", "wb") as stream:
            for name in file["pieces"]:
                with open(os.path.join(folder, os.path.basename(name)), "rb") as piece:
                    content = piece.read()
                if hashlib.sha256(content).hexdigest() != digests[name]:
                    raise SystemExit(f"piece {name} of {file['path']} is damaged")
                whole.update(content)
                stream.write(content)
        if whole.hexdigest() != file["sha256"]:
            raise SystemExit(f"{file['path']} is not what was split")
        os.rename(path + ".tmp", path)


def found(paths):
    """(name, path) of each file under the paths; names begin with that of the path's last part."""
    for path in paths:
        path = os.path.realpath(path)
        if os.path.isfile(path):
            yield os.path.basename(path), path
        for folder, _, names in os.walk(path):
            for name in names:
                file = os.path.join(folder, name)
                yield os.path.relpath(file, os.path.dirname(path)), file
