"""What the transformer sees, token by token as src/engine/encode/kinds/sequence.ts makes it."""

import numpy as np

from chunks import CALLEES as MAX_CALLEES
from issue_fields import CODE, TEXT, TITLE, TRACE
from transformer.tokenizer import CHUNK, DOWN, QUERY, cut

MAX_TOKENS = 256
MAX_QUERY_TOKENS = 320
MAX_CALLEE_TOKENS = 24
# Text this much longer than a limit in tokens is cut before it is tokenized.
CHARACTERS_PER_TOKEN = 16
# Token types: the fields of a chunk; those of an issue are issue_fields', after them.
PATH, SIGNATURE, BODY, CALLEE = range(4)
TYPES = 8


def own(tokenizer, path, signature, body):
    """Ids of a chunk's path, signature and body, a list each; the first opens the chunk."""
    return [[CHUNK, *_encode(tokenizer, path, MAX_TOKENS)], *(_encode(tokenizer, t, MAX_TOKENS) for t in (signature, body))]


def callee_ids(tokenizer, path, text):
    return [DOWN, *_encode(tokenizer, f"{path}\n{text}", MAX_CALLEE_TOKENS)][:MAX_CALLEE_TOKENS]


def document(parts, callees, limit=MAX_TOKENS):
    """Ids and types, int64 [tokens] each, of a chunk with its callees, from what own and callee_ids make."""
    ids = [*parts, *callees[:MAX_CALLEES]]
    types = np.repeat([PATH, SIGNATURE, BODY, *[CALLEE] * (len(ids) - 3)], [len(of) for of in ids])
    return np.concatenate(ids).astype(np.int64)[:limit], types[:limit]


def query(tokenizer, parts, limit=MAX_QUERY_TOKENS):
    """Ids and types of an issue. parts: texts by field, of which any may be missing.

    Where there are more tokens than the limit, the longest fields are cut to the same length; of a traceback, its two
    ends are kept.
    """
    fields = [TITLE, TEXT, CODE, TRACE]
    ids = [_encode(tokenizer, parts.get(field, ""), limit) for field in fields]
    ids[0].insert(0, QUERY)
    sizes = fitting([len(of) for of in ids], limit)
    kept = [of[:size] for of, size in zip(ids[:-1], sizes)]
    trace, last = ids[-1], sizes[-1] // 2
    kept.append([*trace[: sizes[-1] - last], *trace[len(trace) - last :]])
    return np.array([i for of in kept for i in of], np.int64), np.repeat(fields, sizes)


def fitting(sizes, limit):
    """What is left of each size when the largest are cut to the same, so that all together are at most the limit."""
    left, made = limit, [0] * len(sizes)
    for rank, place in enumerate(sorted(range(len(sizes)), key=lambda i: sizes[i])):
        made[place] = min(sizes[place], left // (len(sizes) - rank))
        left -= made[place]
    return made


def document_of(tokenizer, made):
    """Ids and types of a document as the engine gives it to encoders: {"path", "text", "signatureEnd", "callees"}."""
    callees = [callee_ids(tokenizer, c["path"], c["text"]) for c in made["callees"][:MAX_CALLEES]]
    return document(own(tokenizer, made["path"], *signature_and_body(made)), callees)


def signature_and_body(made):
    """The two parts of a document's text, which the engine parts by UTF-16 units."""
    text = made["text"].encode("utf-16-le", "surrogatepass")
    end = 2 * made["signatureEnd"]
    return [part.decode("utf-16-le", "surrogatepass") for part in (text[:end], text[end:])]


def _encode(tokenizer, text, limit):
    return tokenizer.encode(cut(text, limit * CHARACTERS_PER_TOKEN))
