"""Draws what a training step on one repository is about: queries, and the documents that answer them or do not."""

import numpy as np

POSITIVES = 6


class Step:
    """repository: that it is of. commits: those whose messages are queries. docstrings: numbers of docstring pairs, whose
    docstrings are queries after them. documents: int64 [documents], numbers of chunks, or chunks + number of the docstring
    pair. positives and allowed: bool [queries, documents], the edited ones and what counts against them; neither they nor
    other versions of them do.
    """

    def __init__(self, repository, commits, docstrings, answers, documents):
        self.repository, self.commits, self.docstrings, self.documents = repository, commits, docstrings, documents
        all_keys = repository.documents_keys()
        self.positives = np.stack([np.isin(documents, answer) for answer in answers])
        self.allowed = np.stack([~np.isin(all_keys[documents], all_keys[answer]) for answer in answers])


def draw_step(repository, rng, numpy_rng, commits, negatives, docstrings, siblings=True):
    """A Step with so many commits of one snapshot, so many chunks of it at random and so many docstring pairs.

    siblings: whether unedited chunks of the edited files are among the documents. None when the snapshot has no commit.
    """
    snapshot = rng.choices(range(3), [len(s) + 1e-9 for s in repository.by_snapshot])[0]
    eligible = repository.by_snapshot[snapshot]
    if not eligible:
        return None
    drawn = [repository.commits[i] for i in rng.sample(eligible, min(commits, len(eligible)))]
    answers = [rng.sample(c["pos"], min(POSITIVES, len(c["pos"]))) for c in drawn]
    pairs = rng.sample(repository.pairs, min(docstrings, len(repository.pairs)))
    pool = repository.pools[snapshot]
    sources = [*answers, *([c["sib"] for c in drawn] if siblings else [])]
    sources.append([repository.chunks + i for i in pairs])
    sources.append(numpy_rng.choice(pool, min(negatives, len(pool)), replace=False).tolist())
    documents = np.array(list(dict.fromkeys(i for source in sources for i in source)))
    answers += [[repository.chunks + i] for i in pairs]
    return Step(repository, drawn, pairs, answers, documents)
