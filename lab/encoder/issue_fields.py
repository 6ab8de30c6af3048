"""Cuts issues into the fields of a query, as src/engine/issue/queries.ts does."""

import re

TITLE, TEXT, CODE, TRACE = 4, 5, 6, 7

_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_PROMPT = re.compile(r"[ \t]*(?:>>>|\.\.\.|In \[[0-9]*\]:|\$ )")
_INDENTED = re.compile(r" {4}|\t")
# JavaScript has more line ends that a dot does not stand for.
_FRAME = re.compile(
    r'[ \t]*File "[^\r\u2028\u2029]*?", line [0-9]|[^ \t]+\.py:[0-9]|[ \t]*(?:>[ \t]*)?[^ \t]+\.py in '
    r"|-+> *[0-9]|[ \t]*Traceback \(most recent"
)


def split_issue(issue):
    """Texts of the four query fields of an issue."""
    title, *lines = issue.split("\n")
    parts = {TEXT: [], CODE: [], TRACE: []}
    fenced = traced = False
    for line in lines:
        if _FENCE.match(line):
            fenced, traced = not fenced, False
            continue
        traced = bool(_FRAME.match(line)) or (traced and line[:1] in (" ", "\t"))
        code = fenced or _PROMPT.match(line) or _INDENTED.match(line)
        parts[TRACE if traced else CODE if code else TEXT].append(line)
    return {TITLE: title, **{field: "\n".join(lines) for field, lines in parts.items()}}
