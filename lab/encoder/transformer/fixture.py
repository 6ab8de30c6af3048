"""Awkward texts with the tokens and embeddings that they have in Python, for the engine to be compared with."""

import torch

from transformer.corpus import pad
from transformer.inputs import document_of, query_ids


def _document(path, text, callees=()):
    made = [{"path": path, "text": text} for path, text in callees]
    return {"path": path, "text": text, "signatureEnd": 0, "doc": None, "callees": made}


_CART = (
    "class BaseCart(HTTPModel):\n    def total_price(self, *, with_tax=True):\n"
    '        """Sum of all prices, in cents."""\n        # Größe: naïve “quotes” 価格 🛒🏽\n'
    "        items = self.items_by_SKU[42].get__item or self.totalPrice2D()\n        return tax.add(items, 0x1F)"
)
DOCUMENTS = [
    _document("shop/cart/base_cart.py", _CART, [("shop/tax.py", "def add(items):\n    return 1"), ("a/ü.py", "x" * 900)]),
    _document("a.py", ""),
    _document("", ""),
    _document("a.py", "x"),
    _document("tabs.py", "\tif x:\r\n\t\treturn 'y'  \r\n\r\n\x0b\x0c\x00\x7f\x85\u00a0\u2003\ufeff end\n\n\n        "),
    _document("special.py", "[C] [DOWN] [Q] [PAD] [UNK] [MASK] x[C](y) <s> </s> Ġ Ċ"),
    _document("long/table.py", "TABLE = [" + "12, aB_c, " * 900 + "]", [("b.py", "never reached")]),
    _document("long/word.py", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo" * 40 + "Az" * 40 + "=" * 99 + " " * 120 + "é" * 80),
    # An emoji whose halves stand on both sides of the cut before tokenizing, in the text and in a callee's.
    _document("e.py", "🛒" * 4000, [("f.py", "a" * 2 + "🛒" * 500)]),
    _document("halves.py", "a\ud83db\udc00c\ud83d", [("h.py", "\udc00\ud83d")]),
    _document("many.py", "f()", [(f"c{i}.py", f"def c{i}(): " + "return " * 60) for i in range(6)]),
]
ISSUES = [
    "total_price() is wrong with_tax=False",
    "Sum of BaseCart.total_price\n### Steps\r\n```python\n>>> BaseCart().total_price()\nKeyError: 42\n```\n\tgröße naïve 価格",
    "",
    " leading and trailing spaces  \n",
    "Long issue\n" + "some words of many " * 900,
    "🛒" * 9000,
]


def fixture(encoder, tokenizer):
    """{"documents": [{"document", "tokens", "types", "embedding"}], "issues": [{"issue", ...}]}"""
    made = {"documents": [], "issues": []}
    for document in DOCUMENTS:
        made["documents"].append({"document": document, **_row(encoder, *document_of(tokenizer, document))})
    for issue in ISSUES:
        ids = query_ids(tokenizer, issue)
        made["issues"].append({"issue": issue, **_row(encoder, ids, [0] * len(ids))})
    return made


def _row(encoder, ids, types):
    with torch.no_grad():
        embedding = encoder(*(torch.from_numpy(array) for array in pad([(ids, types)])))[0]
    return {"tokens": ids, "types": types, "embedding": [round(float(x), 6) for x in embedding]}
