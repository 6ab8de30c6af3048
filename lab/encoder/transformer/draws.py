"""What each stage of the training draws for a step."""

import math
import random
import re

import numpy as np

from queries import CODE, TEXT, TITLE, TRACE, issue_of
from steps import draw_step
from transformer.inputs import query_ids
from transformer.tokenizer import MASK

# Of the texts whose masked tokens are guessed, the share that are messages and docstrings.
QUERIES_AMONG_TEXTS = 0.15
# Of a pair's queries, the share that are docstrings.
DOCSTRINGS_AMONG_PAIRS = 0.5
# Of the queries made to look like issues, the share that fence their code.
FENCED = 0.5


class Draws:
    """repositories: TokenRepository each. The seed makes the draws."""

    def __init__(self, repositories, tokenizer, options, seed):
        self.repositories, self.tokenizer, self.options = repositories, tokenizer, options
        self.rng = random.Random(seed)
        self.numpy_rng = np.random.default_rng(seed)
        self.by_commits = [math.sqrt(len(r.commits)) for r in repositories]
        self.by_documents = [len(r.tokens.sizes) for r in repositories]

    def texts(self, tokens):
        """Texts of all repositories, of about so many tokens."""
        made, total = [], 0
        while total < tokens:
            for repository in self.rng.choices(self.repositories, self.by_documents, k=64):
                of = repository.tokens
                if self.rng.random() < QUERIES_AMONG_TEXTS and len(of.query_sizes):
                    made.append(of.query(self.rng.randrange(len(of.query_sizes))))
                else:
                    made.append(of.document(self.rng.randrange(len(of.sizes))))
                total += len(made[-1][0])
        return made

    def pairs(self, count):
        """Queries and the documents that answer them, of all repositories: texts, texts, and keys of the documents.

        Documents of one key are versions of one chunk.
        """
        queries, documents, keys = [], [], []
        for _ in range(count):
            number = self.rng.choices(range(len(self.repositories)), self.by_commits)[0]
            repository = self.repositories[number]
            of = repository.tokens
            if repository.docstrings and self.rng.random() < DOCSTRINGS_AMONG_PAIRS:
                pair = self.rng.randrange(len(repository.docstrings))
                query, document = repository.messages + pair, repository.chunks + pair
                key = repository.keys[repository.docstrings[pair][1]]
            elif repository.commits:
                commit = self.rng.choice(repository.commits)
                query, document = commit["row"], self.rng.choice(commit["pos"])
                key = repository.keys[document]
            else:
                continue
            queries.append(self.with_gaps(of.query(query)))
            documents.append(self.with_gaps(of.document(document)))
            keys.append((number, int(key)))
        return queries, documents, keys

    def step(self):
        """A step of one repository: texts of the queries, texts of the documents, and the steps.Step."""
        options = self.options
        while True:
            repository = self.rng.choices(self.repositories, self.by_commits)[0]
            drawn = draw_step(
                repository, self.rng, self.numpy_rng, options.commits, options.negatives, options.docstrings
            )
            if drawn is not None:
                break
        queries = [self.issue(commit, repository) for commit in drawn.commits]
        queries += [repository.tokens.query(repository.messages + i) for i in drawn.docstrings]
        documents = [repository.tokens.document(number) for number in drawn.documents]
        return [self.with_gaps(q) for q in queries], [self.with_gaps(d) for d in documents], drawn

    def issue(self, commit, repository):
        """A commit's message, made to look like an issue."""
        parts = issue_of(commit, repository, self.rng, self.options.plain)
        code = parts[CODE]
        if code and self.rng.random() < FENCED:
            code = f"```python\n{code}\n```"
        text = "\n".join(part for part in (parts[TITLE], parts[TEXT], code, parts[TRACE]) if part)
        text = re.sub(r"\n{3,}", "\n\n", text)  # Templates without headings leave their lines empty.
        ids = np.array(query_ids(self.tokenizer, text), np.uint16)
        return ids, np.zeros(len(ids), np.uint8)

    def with_gaps(self, text):
        """The text with some of its tokens masked, all but the first: no step sees quite the same text twice."""
        ids, types = text
        gaps = self.numpy_rng.random(len(ids)) < self.options.gaps
        gaps[0] = False
        return np.where(gaps, np.uint16(MASK), ids), types
