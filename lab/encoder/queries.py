"""Makes training queries of commits that look like issues, and the tokens of queries."""

import re

import numpy as np

from issue_fields import CODE, TEXT, TITLE, TRACE, split_issue
from traces import runtime_of
from words import read_features

QUERY_WORDS = 1500

_NOISE = re.compile(
    r"\(?#\d+\)?|\b(?:fix(?:es|ed)?|close[sd]?|refs?|resolve[sd]?|see|gh-?)\s*(?::\s*)?#?\d+\b|https?://\S+|\b[0-9a-f]{7,40}\b"
    r"|^(?:signed-off-by|co-authored-by|reviewed-by|change-id|closes-bug|cherry picked from).*$",
    re.I | re.M,
)
_PREFIX = re.compile(r"^\s*(?:\[[^\]]{1,20}\]|(?:fix|feat|bug|bugfix|chore|refactor|perf|enh|tst|doc|mnt|maint)(?:\([^)]*\))?:)\s*", re.I)

_HEADINGS = [
    ["### Describe the bug", "### Steps to Reproduce", "### Expected behavior", "### Actual behavior", "### Environment"],
    ["**Describe the bug**", "**To Reproduce**", "**Expected behavior**", "**Screenshots**", "**Additional context**"],
    ["#### Description", "#### Steps/Code to Reproduce", "#### Expected Results", "#### Actual Results", "#### Versions"],
    ["Description", "", "", "", ""],
    ["### Bug summary", "### Code for reproduction", "### Actual outcome", "### Expected outcome", "### Matplotlib Version"],
    ["#### Code Sample, a copy-pastable example if possible", "#### Problem description", "#### Expected Output", "", "#### Output of show_versions()"],
    ["", "", "", "", ""],
]
_PROSE = [
    "I get the following error:", "This is the output I get", "Here is a minimal example", "It would be nice if this worked.",
    "A clear and concise description of what the bug is.", "I would expect this to work.", "Is this a bug or am I doing something wrong?",
    "What you expected to happen", "This used to work in the previous version.", "I think this is a regression.",
    "I have checked that this issue has not already been reported.", "The documentation says that this should work",
    "Thanks for the great project!", "I'm happy to open a pull request.", "Example code", "the following code fails",
    "Minimal reproducible example", "Not sure if this is intended behaviour.", "I found this while working on something else.",
    "Hello, I noticed the following problem", "last modified by", "any ideas?", "Steps to reproduce the behavior:",
]
_SYSTEMS = [
    "OS: Ubuntu 20.04.3 LTS", "macOS 10.15.7", "Windows 10 Pro 64 bit", "Linux-4.15.0-52-generic-x86_64-with-debian-stretch-sid",
    "Operating system: Debian 11", "platform linux -- Python 3.8.10, pytest-5.4.1, py-1.8.1, pluggy-0.13.1", "OS-release: 3.10.0",
]
_PACKAGES = [
    "numpy", "scipy", "pandas", "pip", "setuptools", "matplotlib", "cython", "dask", "requests", "pytest", "sphinx", "docutils",
    "jinja2", "netCDF4", "h5py", "six", "attrs", "pluggy", "django", "ipython", "conda", "distributed", "sklearn", "seaborn",
]
_ERRORS = [
    "TypeError", "ValueError", "AttributeError", "KeyError", "IndexError", "RuntimeError", "AssertionError", "NotImplementedError",
    "ImportError", "UnicodeDecodeError", "RecursionError", "OSError", "ZeroDivisionError", "NameError", "UnboundLocalError",
]
_LIBRARY_FRAMES = [
    ("/usr/lib/python3.8/runpy.py", "_run_module_as_main", "return _run_code(code, main_globals, None,"),
    ("/usr/lib/python3.7/site-packages/IPython/core/interactiveshell.py", "run_code", "exec(code_obj, self.user_global_ns, self.user_ns)"),
    ("/usr/lib/python3.6/threading.py", "run", "self._target(*self._args, **self._kwargs)"),
    ("/usr/lib/python3.9/importlib/__init__.py", "import_module", "return _bootstrap._gcd_import(name[level:], package, level)"),
    ("<ipython-input-3-4d5e1c>", "<module>", "main()"),
    ("test.py", "<module>", "main()"),
]


def environment(rng, runtime=None):
    """Lines about the reporter's machine. runtime: that of the edited code; None for Python's."""
    if runtime:
        return [rng.choice(runtime.versions), rng.choice(_SYSTEMS[:3])]
    lines = [f"Python {rng.choice('23')}.{rng.randint(3, 11)}.{rng.randint(0, 12)}", rng.choice(_SYSTEMS)]
    for package in rng.sample(_PACKAGES, rng.randint(0, 12)):
        lines.append(f"{package}{rng.choice(['==', ': ', ' '])}{rng.randint(0, 6)}.{rng.randint(0, 30)}.{rng.randint(0, 9)}")
    return lines


def chain_of(commit, repository, rng):
    """Chunks that a trace goes through, the outermost first: to an edited one, or past it."""
    chain = [rng.choice(commit["pos"])]
    while len(chain) < 4 and rng.random() < 0.75:
        callers = [c for c in repository.callers.get(chain[0], []) if c not in chain]
        if not callers:
            break
        chain.insert(0, rng.choice(callers))
    if commit["sib"] and rng.random() < 0.4:
        chain.append(rng.choice(commit["sib"]))
    if len(chain) > 1 and rng.random() < 0.35:
        chain = [c for c in chain if c not in commit["pos"]] or chain
    return chain


def foreign_trace(commit, repository, rng, runtime):
    """Texts of the query fields of a trace of another runtime than Python's, whose frames no encoder tells apart yet."""
    chain = reversed(chain_of(commit, repository, rng))
    lines = runtime.trace([repository.frames[c][:2] for c in chain if c in repository.frames], rng)
    fence = ["```"] if rng.random() < 0.5 else []
    return split_issue("\n".join(["", *fence, *lines, *fence]))


def traceback(commit, repository, rng):
    """The traceback that was mined with the commit, or one that leads to an edited chunk, or past it."""
    if commit.get("trace") and rng.random() < 0.5:
        return commit["trace"].split("\n")
    chain = chain_of(commit, repository, rng)
    lines = ["Traceback (most recent call last):"]
    frames = []
    for path, name, code in rng.sample(_LIBRARY_FRAMES, rng.randint(0, 2)):
        frames.append((path, name, code))
    for chunk in chain:
        frame = repository.frames.get(chunk)
        if frame:
            path, qualified, code = frame
            frames.append((path, qualified.rsplit(".", 1)[-1], rng.choice(code) if code else ""))
    prefix = rng.choice(["", "", "/home/user/", "/usr/lib/python3.7/site-packages/"])
    for path, name, code in frames:
        lines.append(f'  File "{prefix if path[0] not in "/<" else ""}{path}", line {rng.randint(10, 1500)}, in {name}')
        if code:
            lines.append(f"    {code}")
    lines.append(f"{rng.choice(_ERRORS)}: {''.join(rng.choice(['', 'invalid value', 'expected a string', 'object is not callable', 'must be']))}")
    return lines


def reproduction(tests, rng):
    """A run of the lines that the commit added to tests."""
    lines = [line for line in tests if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        return []
    size = rng.randint(3, 15)
    start = rng.randint(0, max(0, len(lines) - size))
    return lines[start : start + size]


def split_message(message):
    """A commit's title and the rest, without what only commits have."""
    title, _, rest = message.strip().partition("\n")
    title = _PREFIX.sub("", _NOISE.sub(" ", title)).strip()
    return title, _NOISE.sub(" ", rest).strip()


def as_it_is(commit):
    """Texts of the query fields of a real issue, or of a message that is not made to look like one."""
    if commit.get("issue"):
        return split_issue(commit["m"])
    return dict(zip((TITLE, TEXT), split_message(commit["m"])))


def issue_of(commit, repository, rng, plain=0.3):
    """Texts of the four query fields. plain: the share of messages that stay as they are. A real issue stays as it is."""
    if commit.get("issue"):
        return as_it_is(commit)
    title, text = split_message(commit["m"])
    parts = {TITLE: title, TEXT: text, CODE: "", TRACE: ""}
    if rng.random() < plain:
        return parts
    runtime = runtime_of(repository.frames.get(commit["pos"][0], ("",))[0])
    headings = rng.choice(_HEADINGS) if rng.random() < 0.4 else [""] * 5
    code = reproduction(commit["t"], rng) if rng.random() < 0.6 else []
    traced = rng.random() < 0.35
    trace = traceback(commit, repository, rng) if traced and not runtime else []
    foreign = foreign_trace(commit, repository, rng, runtime) if traced and runtime else {}
    prose = rng.sample(_PROSE, rng.randint(0, 4)) if rng.random() < 0.4 else []
    system = environment(rng, runtime) if rng.random() < 0.25 else []
    loose = [headings[0], text, *prose, *headings[1:], *system, *foreign.get(TEXT, "").split("\n")]
    # Many issues do not fence their code.
    if rng.random() < 0.3:
        loose += code
        code = []
    parts[TEXT] = "\n".join(loose)
    parts[CODE] = "\n".join([*code, *foreign.get(CODE, "").split("\n")])
    parts[TRACE] = "\n".join(trace)
    return parts


def query_tokens(vocabulary, queries, keep=None):
    """Tokens of queries, each a dict of texts by field: ids, fields, counts, and how many each has.

    keep(query, ids): which of the tokens stay, bool [tokens], of each token's query and id.
    """
    fields = [TITLE, TEXT, CODE, TRACE]
    texts = [query.get(field, "") for query in queries for field in fields]
    features = read_features(texts, QUERY_WORDS)
    if (features.words.reshape(-1, len(fields)).sum(1) > QUERY_WORDS).any():
        # The words of a query are limited together, in the order of its fields.
        words = features.words.reshape(-1, len(fields))
        before = np.cumsum(words, 1) - words
        features = read_features(texts, np.maximum(QUERY_WORDS - before, 0).reshape(-1))
    query = features.text // len(fields)
    ids = vocabulary.ids(features.hash, features.pair)
    stay = ids >= 0
    if keep is not None:
        stay &= keep(query, ids)
    query, ids, counts = query[stay], ids[stay], features.count[stay]
    field = features.text[stay] % len(fields) + TITLE
    # Every query ends with the token of queries.
    ends = np.searchsorted(query, np.arange(1, len(queries) + 1))
    return (
        np.insert(ids, ends, vocabulary.issue).astype(np.int32),
        np.insert(field, ends, TITLE).astype(np.uint8),
        np.insert(counts, ends, 1),
        np.bincount(query, minlength=len(queries)) + 1,
    )
