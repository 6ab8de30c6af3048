"""Compresses files, and decompresses those of a folder. `pack.ts` runs it: python3 lab/encoder/gpu/compress.py <file> ..."""

import concurrent.futures
import lzma
import os
import sys

ENDING = ".xz"


def compress(path):
    """Replaces a file by a compressed one. If it is stopped, the file remains."""
    with open(path, "rb") as stream:
        content = lzma.compress(stream.read())
    with open(path + ".partial", "wb") as stream:
        stream.write(content)
    os.replace(path + ".partial", path + ENDING)
    os.remove(path)


def decompress(path):
    """Replaces a compressed file by the original."""
    with lzma.open(path) as stream:
        content = stream.read()
    with open(path.removesuffix(ENDING), "wb") as stream:
        stream.write(content)
    os.remove(path)


def decompress_folder(folder):
    """Decompresses all files of a folder, on all processors. Does nothing if none is compressed."""
    found = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(ENDING)]
    on_all_processors(decompress, sorted(found, key=os.path.getsize, reverse=True))


def on_all_processors(work, paths):
    with concurrent.futures.ProcessPoolExecutor() as pool:
        list(pool.map(work, paths))


if __name__ == "__main__":
    on_all_processors(compress, sys.argv[1:])
