"""Awkward issues and candidates with the features and scores that they have in Python, for the engine to be compared
with.
"""

import base64

import numpy as np
import torch

from issue_fields import split_issue
from reader import tokens
from reader.features import features, issue_words
from reader.model import batch
from reader.prepare import candidate_texts


def _candidate(path, name, text, end=0, doc=None, callees=()):
    made = [{"path": "callee.py", "text": callee} for callee in callees]
    return {"path": path, "name": name, "text": text, "signatureEnd": end, "doc": doc, "callees": made}


_HEAD = "class BaseCart(HTTPModel):\n    def total_price(self, *, with_tax=True):"
_DOC = '"""Sum of all prices, in cents. 🛒🏽"""'
_CART = (
    f"{_HEAD}\n        {_DOC}\n        # Größe: naïve “quotes” 価格 🛒\n"
    "        items = self.items_by_SKU[42].get__item or self.totalPrice2D()\n        return tax.add(items, 0x1F)"
)
# In UTF-16 units, of which each of the two emoji in the docstring takes two.
_CART_DOC = [len(_HEAD) + 9, len(_HEAD) + 9 + len(_DOC) + 2]
CANDIDATES = [
    _candidate("shop/cart/base_cart.py", "BaseCart.total_price", _CART, len(_HEAD), _CART_DOC, ["def add(items):\n    return 1"]),
    _candidate("a.py", "", ""),
    _candidate("", "", "..."),
    _candidate("shop/tax.py", "add_tax", "def add_tax(price):\n\r\n\treturn price\u2028+ tax_", 19, None, ["f()", "g()", "h()", "i()", "never read"]),
    # A docstring that is said to begin within the signature, and emoji cut in half.
    _candidate("halves.py", "halves", "def halves():\n    'doc'\ud83d\n    \udc00pass", 18, [10, 23]),
    _candidate("a/b/c/d/e/f/g/h/i/j_k/lower_mixedCase/HTTPServer2.py", "Deep.HTTPServer2", "x = 1", 5),
    _candidate("_x/of_a_long_identifier_that_is_cut_somewhere_in_its_middle_part.py", "f", "def f(): pass", 9),
    _candidate("long.py", "TABLE", "TABLE = [" + "12, aB_c, deleted_prices, " * 300 + "]", 9, None, ["x" * 4000]),
    _candidate("stems.py", "Classes", "operations relation settings string unions session queries applied helpers classes added getter editor quickly dress cached empty is as"),
    _candidate("same.py", "total", "price price price prices priced pricing total_price total-price total.price total__price total___price"),
]
ISSUES = [
    "total_price() is wrong with_tax=False\n\nSumming prices of deleted items crashes\n```python\n>>> BaseCart().total_price()\n"
    "KeyError: 42\n```\nTraceback (most recent call last):\n  File \"shop/cart/base_cart.py\", line 3, in total_price\n"
    "    items = self.items_by_SKU\nKeyError: 42\n",
    "größe naïve 価格 🛒 ẞtraße\n" + "word " * 300 + "\n" + " ".join(f"w{chr(97 + i % 26)}{chr(97 + i // 26)}x" for i in range(240)),
    "Price",
    "Operating on a relational setting of unified queries\n\napplying a helper class adds quick dresses to the cache of emptied sessions as it is",
    "价格",
]


def fixture(reader, lexicon):
    """{"candidates", "issues": [{"issue", "fields", "kinds", "scores", and the float32 "tokens" and "words" as base64}]}"""
    words, sizes = tokens.candidates([candidate_texts(candidate) for candidate in CANDIDATES], lexicon)
    return {"candidates": CANDIDATES, "issues": [_row(reader, lexicon, issue, words, sizes) for issue in ISSUES]}


def _row(reader, lexicon, issue, words, sizes):
    made = features(issue_words(tokens.issue(split_issue(issue), lexicon)), words, sizes, lexicon)
    scores = np.zeros(len(sizes))
    if made.issue.shape[1]:  # Of an issue without a word, nothing is known.
        with torch.no_grad():
            scores = reader(batch([made], reader.gap)).numpy()
    return {
        "issue": issue,
        "sizes": made.sizes.tolist(),
        "kinds": made.kinds.tolist(),
        "tokens": _base64(made.tokens),
        "words": _base64(made.issue),
        "scores": [round(float(score), 6) for score in scores],
    }


def _base64(array):
    return base64.b64encode(np.ascontiguousarray(array, "<f4").tobytes()).decode()
