"""Puts back what `split` cut; stops at the first piece or file that is not as it was."""

import hashlib
import json
import os

from transformer.split import INDEX


def add_options(add):
    add("pieces", help="folder of split")
    add("--out", required=True, help="folder for what was split")


def run(options):
    with open(os.path.join(options.pieces, INDEX)) as stream:
        index = json.load(stream)
    digests = {piece["name"]: piece["sha256"] for piece in index["pieces"]}
    root = os.path.realpath(options.out)
    for file in index["files"]:
        path = os.path.realpath(os.path.join(root, file["path"]))
        if not path.startswith(root + os.sep):
            raise SystemExit(f"{file['path']} is outside {options.out}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        whole = hashlib.sha256()
        with open(path + ".tmp", "wb") as stream:
            for name in file["pieces"]:
                with open(os.path.join(options.pieces, os.path.basename(name)), "rb") as piece:
                    content = piece.read()
                if hashlib.sha256(content).hexdigest() != digests[name]:
                    raise SystemExit(f"piece {name} of {file['path']} is damaged")
                whole.update(content)
                stream.write(content)
        if whole.hexdigest() != file["sha256"]:
            raise SystemExit(f"{file['path']} is not what was split")
        os.rename(path + ".tmp", path)
