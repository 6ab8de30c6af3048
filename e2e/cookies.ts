/** A repository of three functions, and an issue about one of them, for several specs. */
export const FILES = {
  'shop/cookies.py': `def parse_cookie(header):
    """Split a Cookie header into names and values."""
    return dict(part.split("=", 1) for part in header.split(";"))


def quote_cookie(value):
    """Put the value of a cookie between quotes."""
    return '"' + value + '"'
`,
  'shop/cart.py': 'def total(items):\n    """The sum of all prices."""\n    return sum(items)\n',
};

export const ISSUE =
  'parse_cookie cuts a quoted cookie value\n\nThe value of a cookie is cut at a comma.';
