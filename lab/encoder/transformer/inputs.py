"""What the transformer sees, token by token as src/engine/encode/kinds/sequence.ts makes it."""

from transformer.tokenizer import CHUNK, DOWN, QUERY, cut

MAX_TOKENS = 384
MAX_QUERY_TOKENS = 512
MAX_CALLEES = 4
MAX_CALLEE_TOKENS = 48
# Text this much longer than a limit in tokens is cut before it is tokenized.
CHARACTERS_PER_TOKEN = 16
# Token types: the chunk itself, and the context that its callees are.
OWN, CONTEXT = 0, 1


def own_ids(tokenizer, path, text):
    """The ids of a chunk, not yet cut to MAX_TOKENS."""
    return _opened(tokenizer, CHUNK, f"{path}\n{text}", MAX_TOKENS)


def callee_ids(tokenizer, path, text):
    return _opened(tokenizer, DOWN, f"{path}\n{text}", MAX_CALLEE_TOKENS)[:MAX_CALLEE_TOKENS]


def query_ids(tokenizer, issue):
    return _opened(tokenizer, QUERY, issue, MAX_QUERY_TOKENS)[:MAX_QUERY_TOKENS]


def document(own, callees):
    """Ids and types of a chunk with its callees, from what own_ids and callee_ids make."""
    context = [i for ids in callees[:MAX_CALLEES] for i in ids]
    ids = [*own, *context][:MAX_TOKENS]
    own_count = min(len(own), MAX_TOKENS)
    return ids, [OWN] * own_count + [CONTEXT] * (len(ids) - own_count)


def document_of(tokenizer, made):
    """Ids and types of a document as the engine gives it to encoders: {"path", "text", "callees"}."""
    callees = [callee_ids(tokenizer, c["path"], c["text"]) for c in made["callees"][:MAX_CALLEES]]
    return document(own_ids(tokenizer, made["path"], made["text"]), callees)


def _opened(tokenizer, opening, text, limit):
    return [opening, *tokenizer.encode(cut(text, limit * CHARACTERS_PER_TOKEN))]
