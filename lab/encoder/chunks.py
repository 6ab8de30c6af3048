"""What an encoder sees of a chunk, as src/engine/encode/kinds/bag.ts makes it: the texts of its four fields."""

import functools
import re

FIELDS = ["path", "signature", "body", "callees"]
CALLEES = 4
CALLEE_LINES = 3
CALLEE_CHARACTERS = 200

_BRACKETS = re.compile(r"[()\[\]{}]|#.*|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")


_HEADER = re.compile(r"^ *(?:async +)?(class|def) +(\w+)", re.M)


@functools.lru_cache(100_000)
def signature_end(text, name, kind):
    """Offset after the line that ends a definition's header. Mined chunks do not say it, the engine's do."""
    defined = ("class" if kind == "c" else "def", name)
    header = next((found for found in _HEADER.finditer(text) if found.groups() == defined), None)
    if not header:
        return text.find("\n") if "\n" in text else len(text)
    depth, start = 0, header.start()
    while True:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        for bracket in _BRACKETS.findall(text[start:end]):
            depth += (bracket in "([{") - (bracket in ")]}") if len(bracket) == 1 else 0
        if depth <= 0 or end == len(text):
            return end
        start = end + 1


def opening(text):
    """The first lines of a callee."""
    return "\n".join(text.split("\n", CALLEE_LINES)[:CALLEE_LINES])[:CALLEE_CHARACTERS]


def field_texts(path, text, end, callees):
    """The texts of FIELDS. end: where the signature ends. callees: texts, in order."""
    return [path, text[:end], text[end:], "\n".join(opening(callee) for callee in callees[:CALLEES])]
