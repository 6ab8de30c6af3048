"""WordPiece (Wu et al., 2016; Devlin et al., NAACL 2019) for text and code, with the vocabulary of the encoder that
training starts from.

A tokenizer is written as a Hugging Face tokenizer.json, and cuts every text as that library does.
"""

import itertools
import json
import re
import unicodedata

PAD, CHUNK, DOWN, QUERY, UNKNOWN = 0, 1, 2, 3, 100
# Rows of the vocabulary that no text uses. They are no added tokens of the tokenizer: "[C]" in a text is text.
MARKS = {CHUNK: "[C]", DOWN: "[DOWN]", QUERY: "[Q]"}
# What follows within a word begins so in the vocabulary.
CONTINUES = "##"

# Before a text is cut into words, it is decomposed and loses its accents, and identifiers come apart at camelCase humps.
ACCENTS = r"[\u0300-\u036f]"
HUMPS = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
# Words, in lower case: letters and digits, and characters beyond ASCII by themselves. Punctuation is left out: it is a
# third of code's tokens, and the mean over a text tells it better from others without it. Only ASCII is told apart, by
# explicit ranges, so that no two Unicode tables can disagree; lengths are bounded, which bounds the work on a text
# without spaces.
WORDS = r"[a-z0-9]{1,24}|[^\x00-\x7f]"

_without_accents = re.compile(ACCENTS).sub
_apart = re.compile(HUMPS).sub
_find_words = re.compile(WORDS).findall


def cut(text, units):
    """A text's first UTF-16 units, as the engine cuts; halves of characters become U+FFFD, which no token has either."""
    if len(text) <= units and text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "replace")


def words(text):
    """The words of a text without halves of characters, see cut."""
    if not text.isascii():
        text = _without_accents("", unicodedata.normalize("NFD", text))
    return _find_words(_apart(" ", text).lower())


class Tokenizer:
    """vocabulary: the tokens, in the order of their ids."""

    CACHED_WORDS = 500_000

    def __init__(self, vocabulary):
        self.vocabulary = [MARKS.get(number, token) for number, token in enumerate(vocabulary)]
        self.ids = {token: number for number, token in enumerate(self.vocabulary)}
        self.size = len(self.vocabulary)
        self._cache = _Cache(self._encode_word)

    @staticmethod
    def read(file):
        with open(file, encoding="utf-8") as stream:
            ids = json.load(stream)["model"]["vocab"]
        return Tokenizer(sorted(ids, key=ids.get))

    def write(self, file):
        with open(file, "w", encoding="utf-8") as stream:
            json.dump(self._huggingface(), stream, ensure_ascii=False)

    def _huggingface(self):
        normalizers = [
            {"type": "NFD"},
            {"type": "Replace", "pattern": {"Regex": ACCENTS}, "content": ""},
            {"type": "Replace", "pattern": {"Regex": HUMPS}, "content": " "},
            {"type": "Lowercase"},
        ]
        model = {"type": "WordPiece", "unk_token": self.vocabulary[UNKNOWN], "continuing_subword_prefix": CONTINUES}
        return {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": {"type": "Sequence", "normalizers": normalizers},
            "pre_tokenizer": {"type": "Split", "pattern": {"Regex": WORDS}, "behavior": "Removed", "invert": True},
            "post_processor": None,
            "decoder": {"type": "WordPiece", "prefix": CONTINUES, "cleanup": False},
            "model": {**model, "max_input_chars_per_word": 100, "vocab": self.ids},
        }

    def encode(self, text):
        """The token ids of a text without halves of characters, see cut."""
        if len(self._cache) > self.CACHED_WORDS:
            self._cache.clear()
        return list(itertools.chain.from_iterable(map(self._cache.__getitem__, words(text))))

    def _encode_word(self, word):
        """The longest token that the word begins with, and so on; a word that is not made of tokens is unknown."""
        made, start = [], 0
        while start < len(word):
            prefix = CONTINUES if start else ""
            ends = (end for end in range(len(word), start, -1) if prefix + word[start:end] in self.ids)
            end = next(ends, None)
            if end is None:
                return [UNKNOWN]
            made.append(self.ids[prefix + word[start:end]])
            start = end
        return made


class _Cache(dict):
    def __init__(self, encode):
        self.encode = encode

    def __missing__(self, word):
        self[word] = made = self.encode(word)
        return made
