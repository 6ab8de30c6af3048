"""Makes a table of related words: words of issues, each with the words that code uses for the same thing.

    python3 lab/encoder/related_words.py --rows <folder that training-rows --model models/bag-1 wrote>
        --model models/bag-1 --out models/related-words-1

Writes <out>/related-words.json, with the last part of <out> as its id. A word w of issues and a word v of code are related if
two conditions hold, since each alone relates many words by chance. Their vectors in a bag encoder are near, and commits with w
in the title edit code with v more often than expected by chance. The expectation is computed within each repository, so that
the topic of a repository does not relate all of its words. This follows the strata of Mantel & Haenszel, "Statistical aspects
of the analysis of data from retrospective studies of disease" (1959).
"""

import argparse
import collections
import json
import os

import numpy as np

from onnx_file import read_constants
from rows import BODY, SIGNATURE, TITLE, TRAIN, load_rows

LEAST_COSINE = 0.18
# Logarithm of the ratio of observed to expected commits. PRIOR is added to both, so that few commits have little effect.
LEAST_LIFT = 0.2
PRIOR = 2
MOST_RELATED = 8
# Maximum number of chunks read of a commit. A commit of many chunks would have every word.
CHUNKS = 6
# Above this number of commits, the weight of each commit falls with the square root, so that a few large repositories do not dominate.
FULL_WEIGHT = 200

BITS_SET = np.array([bin(byte).count("1") for byte in range(256)], np.uint8)

# Distinct words of texts, in the order of the texts. text, word: int [n], an entry for each word of a text.
Words = collections.namedtuple("Words", "text word")
# Data of a repository: number of commits, Words of their titles, and Words of the code they edit.
Repository = collections.namedtuple("Repository", "commits titles code")
# said, meant: int [pairs], the words w and v; cosine: float32 [pairs].
Pairs = collections.namedtuple("Pairs", "said meant cosine")


def read_encoder(model):
    """Returns the words of a bag encoder's vocab.txt, and their unit vectors: float32 [words, d].

    Numbers and single letters have no vector. The file has int8 vectors with a scale for each row, which normalizing the rows
    makes irrelevant.
    """
    vocabulary, graph = os.path.join(model, "vocab.txt"), os.path.join(model, "model.int8.onnx")
    try:
        with open(vocabulary) as stream:
            words = stream.read().splitlines()
        with open(graph, "rb") as stream:
            vectors = read_constants(stream.read())["vectors"]
    except (OSError, KeyError, ValueError) as error:
        raise SystemExit(f"{model} is not a bag encoder: {error}") from None
    if len(vectors) < len(words):
        raise SystemExit(f"{model} has {len(vectors)} vectors for {len(words)} words")
    vectors = vectors[: len(words)].astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    vectors[[len(word) < 2 or word.isdigit() for word in words]] = 0
    return words, vectors


def read_repository(size, repository):
    """Reads the words of titles and of edited code that have vectors. size: number of words in the vocabulary."""
    titles = words_of(repository.queries.take(repository.messages()), [TITLE], size)
    edited = [(row, number) for row, commit in enumerate(repository.commits) for number in commit["pos"][:CHUNKS]]
    commits, numbers = (np.array(of, np.int64) for of in zip(*edited))
    code = words_of(repository.documents.take(numbers), [SIGNATURE, BODY], size)
    return Repository(len(repository.commits), titles, distinct(commits[code.text], code.word))


def words_of(texts, types, size):
    """Returns the Words of texts in tokens of these types, without buckets and marks."""
    words = (texts.ids < size) & np.isin(texts.types, types)
    return distinct(texts.text()[words], texts.ids[words])


def distinct(text, word):
    return Words(*np.unique(np.stack([text, word]), axis=1))


def spread_words(parts, least):
    """Returns the words that at least `least` parts have: int [words]. parts: Words of each repository."""
    words, repositories = np.unique(np.concatenate([np.unique(part.word) for part in parts]), return_counts=True)
    return words[repositories >= least]


def near_pairs(vectors, said, meant):
    """Returns Pairs of different words, one of `said` and one of `meant`, whose vectors are near."""
    cosines = vectors[said] @ vectors[meant].T
    cosines[said[:, None] == meant] = 0
    rows, columns = np.nonzero(cosines > LEAST_COSINE)
    return Pairs(said[rows], meant[columns], cosines[rows, columns])


def lifts(repositories, pairs, size):
    """Returns how much more often than by chance a commit has both words of a pair: float64 [pairs], a logarithm.

    size: number of words in the vocabulary.
    """
    observed, expected = np.zeros(len(pairs.said)), np.zeros(len(pairs.said))
    for repository in repositories:
        commits, titles, code = repository
        said = np.bincount(titles.word, minlength=size)[pairs.said]
        meant = np.bincount(code.word, minlength=size)[pairs.meant]
        here = np.flatnonzero((said > 0) & (meant > 0))
        weight = 1 / np.sqrt(max(commits / FULL_WEIGHT, 1))
        observed[here] += weight * commits_with_both(repository, pairs.said[here], pairs.meant[here])
        expected[here] += weight * said[here] * meant[here] / commits
    return np.log((observed + PRIOR) / (expected + PRIOR))


def commits_with_both(repository, said, meant):
    """Counts the commits with one word in the title and the other in the code: int64 [pairs]. said, meant: int64 [pairs]."""
    title_rows, titles = commit_bits(repository.commits, repository.titles)
    code_rows, code = commit_bits(repository.commits, repository.code)
    both = titles[np.searchsorted(title_rows, said)] & code[np.searchsorted(code_rows, meant)]
    return BITS_SET[both].sum(1, dtype=np.int64)


def commit_bits(commits, words):
    """Returns distinct words, ascending, and the commits with each word: uint8 [words, commits / 8], a bit for each commit."""
    distinct, rows = np.unique(words.word, return_inverse=True)
    has = np.zeros((len(distinct), commits), bool)
    has[rows, words.text] = True
    return distinct, np.packbits(has, axis=1)


def best_related(pairs, spelled):
    """Returns {word: [[related word, cosine], ...]}, nearest first, with the words sorted. spelled: words by id."""
    related = {}
    for i in np.lexsort((pairs.meant, -pairs.cosine)):
        of = related.setdefault(spelled[pairs.said[i]], [])
        if len(of) < MOST_RELATED:
            of.append([spelled[pairs.meant[i]], round(float(pairs.cosine[i]), 3)])
    return dict(sorted(related.items()))


def write_table(out, head, words):
    """Writes <out>/related-words.json, a word on each line. The file gets its name when it is complete."""
    os.makedirs(out, exist_ok=True)
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    of = ",\n".join(f"    {json.dumps(word)}: {json.dumps(related)}" for word, related in words.items())
    lines.append(f'  "words": {{\n{of}\n  }}')
    target = os.path.join(out, "related-words.json")
    with open(target + ".tmp", "w") as stream:
        stream.write("{\n" + ",\n".join(lines) + "\n}\n")
    os.rename(target + ".tmp", target)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", required=True)
    options.add_argument("--model", required=True, help="folder of a bag encoder")
    options.add_argument("--out", required=True)
    options.add_argument("--version", default="1.0.0")
    options.add_argument("--least-repositories", type=int, default=20, help="minimum number of repositories with a related word in code")
    options.add_argument("--least-titles", type=int, default=8, help="minimum number of repositories with a word in titles")
    options = options.parse_args()
    words, vectors = read_encoder(options.model)
    with open(os.path.join(options.rows, "vocab.txt")) as stream:
        if stream.read().splitlines() != words:
            raise SystemExit(f"{options.rows} has no rows of {options.model}. Run training-rows --model {options.model}.")
    repositories = [read_repository(len(words), of) for of in load_rows([options.rows], TRAIN)]
    if not repositories:
        raise SystemExit(f"{options.rows} has no repositories to learn from.")
    said = spread_words([of.titles for of in repositories], options.least_titles)
    meant = spread_words([of.code for of in repositories], options.least_repositories)
    pairs = near_pairs(vectors, said, meant)
    often = lifts(repositories, pairs, len(vectors)) > LEAST_LIFT
    related = best_related(Pairs(*(of[often] for of in pairs)), words)
    if not related:
        raise SystemExit(f"No words are related in {len(repositories)} repositories. Try a smaller --least-repositories.")
    encoder = os.path.basename(os.path.normpath(options.model))
    head = {
        "id": os.path.basename(os.path.normpath(options.out)),
        "version": options.version,
        "origin": f"Made by lab/encoder/related_words.py of the commits of {len(repositories)} public repositories "
        f"and the vectors of {encoder}.",
    }
    write_table(options.out, head, related)
    print(len(related), "words", sum(map(len, related.values())), "pairs of", len(repositories), "repositories")


if __name__ == "__main__":
    main()
