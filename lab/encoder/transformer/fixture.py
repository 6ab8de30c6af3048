"""Awkward texts with the tokens and embeddings that they have in Python, for the engine to be compared with."""

import torch

from issue_fields import split_issue
from transformer.corpus import pad
from transformer.inputs import document_of, query


def _document(path, text, callees=(), end=0):
    made = [{"path": path, "text": text} for path, text in callees]
    return {"path": path, "text": text, "signatureEnd": end, "doc": None, "callees": made}


_CART = (
    "class BaseCart(HTTPModel):\n    def total_price(self, *, with_tax=True):\n"
    '        """Sum of all prices, in cents."""\n        # Größe: naïve “quotes” 価格 🛒🏽\n'
    "        items = self.items_by_SKU[42].get__item or self.totalPrice2D()\n        return tax.add(items, 0x1F)"
)
DOCUMENTS = [
    _document("shop/cart/base_cart.py", _CART, [("shop/tax.py", "def add(items):\n    return 1"), ("a/ü.py", "x" * 900)], 73),
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
    # One that the signature's end parts; letters that change their length in lower case, and accents of their own.
    _document("parted.py", "🛒🛒 HTTPServerİ ẞtraße e\u0301t\u00e9 \u212aelvin ΣΑΣ ﬁn ½ utf8Codec", [], 3),
    _document("many.py", "f()", [(f"c{i}.py", f"def c{i}(): " + "return " * 60) for i in range(6)]),
]
ISSUES = [
    "total_price() is wrong with_tax=False",
    "Sum of BaseCart.total_price\n### Steps\r\n```python\n>>> BaseCart().total_price()\nKeyError: 42\n```\n\tgröße naïve 価格",
    "",
    " leading and trailing spaces  \n",
    "Long issue\n" + "some words of many " * 900,
    "🛒" * 9000,
    "Fails\n" + "prose " * 300 + "\n```\n" + "code(x)\n" * 200 + "```\nTraceback (most recent call last):\n"
    + "".join(f'  File "a{i}.py", line {i}, in f{i}\n    call{i}()\n' for i in range(60)) + "KeyError: last",
]


def fixture(encoder, tokenizer):
    """{"documents": [{"document", "tokens", "types", "embedding"}], "issues": [{"issue", ...}]}"""
    made = {"documents": [], "issues": []}
    for document in DOCUMENTS:
        made["documents"].append({"document": document, **_row(encoder, *document_of(tokenizer, document))})
    for issue in ISSUES:
        made["issues"].append({"issue": issue, **_row(encoder, *query(tokenizer, split_issue(issue)))})
    return made


def _row(encoder, ids, types):
    with torch.no_grad():
        embedding = encoder(*(torch.from_numpy(array) for array in pad([(ids, types)])))[0]
    return {"tokens": ids.tolist(), "types": types.tolist(), "embedding": [round(float(x), 6) for x in embedding]}
