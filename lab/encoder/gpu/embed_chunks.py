"""Embeds chunks with one model and provider, in a process of its own, and prints the speed as JSON.

    python3 gpu/embed_chunks.py <library> <model> <provider> <chunks> <chunks at once> <seconds> <vectors to write>
"""

import json
import os
import sys
import time

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

import numpy as np

from gpu.onnx_c import Library, Session
from rows import PATH, Texts, read_tensors

# As the engine encodes: tokens of a batch with padding, and more tokens on a GPU
BATCH_TOKENS, GPU_FACTOR = 2048, 8
DIMENSIONS = 384


def main():
    path, model, provider, chunks, at_once, seconds, target = sys.argv[1:]
    texts = Texts.read(read_tensors(chunks)[1], "documents", PATH)
    since = time.time()
    with open(model, "rb") as stream:
        session = Session(Library(path), stream.read(), provider)
    start = time.time() - since
    most = BATCH_TOKENS * (1 if provider == "CPU" else GPU_FACTOR)
    # The first chunks are embedded twice: the first time compiles and is not timed.
    slices = list(drawn_slices(len(texts), int(at_once)))
    vectors = embed(session, texts, slices[0], most)
    np.save(target, vectors)
    since, done = time.time(), 0
    for numbers in slices:
        embed(session, texts, numbers, most)
        done += len(numbers)
        if time.time() - since > float(seconds):
            break
    speed = done / (time.time() - since)
    print(json.dumps({"chunks per second": round(speed, 1), "chunks": done, "start": round(start, 1)}))


def drawn_slices(count, at_once):
    """Yields the numbers of the chunks in random order, as many as are encoded at once."""
    order = np.random.default_rng(0).permutation(count)
    for at in range(0, count, at_once):
        yield order[at : at + at_once]


def embed(session, texts, numbers, most):
    """Returns unit vectors, float32 [numbers, DIMENSIONS]."""
    vectors = np.empty((len(numbers), DIMENSIONS), np.float32)
    for batch in batches(texts.sizes[numbers], most):
        given = [texts.of(numbers[i]) for i in batch]
        ids, types, mask = pad(given)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        vectors[batch] = session.run(inputs, "embedding", DIMENSIONS)
    return vectors


def batches(sizes, most):
    """Yields batches as the engine makes them: by length, at most `most` tokens with padding."""
    batch = []
    for i in np.argsort(sizes, kind="stable"):
        if batch and (len(batch) + 1) * sizes[i] > most:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def pad(texts):
    """Returns ids, types and mask, int64 [texts, length]."""
    shape = len(texts), max(len(ids) for ids, _ in texts)
    ids, types, mask = (np.zeros(shape, np.int64) for _ in range(3))
    for row, (of, kinds) in enumerate(texts):
        ids[row, : len(of)], types[row, : len(of)], mask[row, : len(of)] = of, kinds, 1
    return ids, types, mask


if __name__ == "__main__":
    try:
        main()
    except (OSError, RuntimeError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
