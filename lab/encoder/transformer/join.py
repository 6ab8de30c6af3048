"""Joins the pieces that `split` wrote. Stops at the first damaged piece or file."""

import hashlib
import json
import os

from transformer.split import INDEX


def add_options(add):
    add("pieces", help="folder of split")
    add("--out", required=True, help="folder for the joined files")


def run(options):
    with open(os.path.join(options.pieces, INDEX)) as stream:
        index = json.load(stream)
    digests = {piece["name"]: piece["sha256"] for piece in index["pieces"]}
    root = os.path.realpath(options.out)
    for file in index["files"]:
        path = os.path.realpath(os.path.join(root, file["path"]))
        if not path.startswith(root + os.sep):
            raise SystemExit(f"{file['path']} is outside {options.out}.")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        whole = hashlib.sha256()
        with open(path + ".tmp", "wb") as stream:
            for name in file["pieces"]:
                with open(os.path.join(options.pieces, os.path.basename(name)), "rb") as piece:
                    content = piece.read()
                if hashlib.sha256(content).hexdigest() != digests[name]:
                    raise SystemExit(f"Piece {name} of {file['path']} is damaged. Copy it again.")
                whole.update(content)
                stream.write(content)
        if whole.hexdigest() != file["sha256"]:
            raise SystemExit(f"{file['path']} differs from the original. Copy its pieces again.")
        os.rename(path + ".tmp", path)
