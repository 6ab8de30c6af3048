import { execFileSync } from 'node:child_process';
import { git, gitRepository, writeFiles } from '../../support/repository.ts';

export const CART = `"""Carts."""
from shop.price import rounded


class Cart:
    """What a customer is about to buy."""

    def __init__(self):
        self.items = []

    def total(self):
        """The sum of the prices of all items."""
        return rounded(sum(item.price for item in self.items))

    def clear(self):
        self.items = []


def checkout(cart):
    if not cart.items:
        raise ValueError("nothing to buy")
    return Cart.total(cart)
`;
export const PRICE = `def rounded(amount):
    """An amount in cents."""
    return round(amount, 1)


def vat(amount):
    return amount * 0.19
`;

/** Commits these files. */
export function commit(
  root: string,
  message: string,
  files: Record<string, string>,
  author = 'Test <test@example.com>',
): string {
  writeFiles(root, files);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', message, '--author', author);
  return git(root, 'rev-parse', 'HEAD');
}

export const FIXES = {
  price: 'Round prices to two digits, not to one\n\nCents were lost at the till.',
  cart: 'Clear also forgets the vouchers of a cart',
};

/** Creates a small shop with a history: two fixes among other commits. */
export function shop(): string {
  const root = gitRepository({
    'shop/__init__.py': '',
    'shop/cart.py': CART,
    'shop/price.py': PRICE,
    'tests/test_price.py': 'def test_nothing():\n    pass\n',
  });
  const price = PRICE.replace('round(amount, 1)', 'round(amount, 2)');
  commit(root, `${FIXES.price}\n\nSigned-off-by: Test <test@example.com>`, {
    'shop/price.py': price,
    'tests/test_price.py': 'def test_cents():\n    assert rounded(1.239) == 1.24\n',
  });
  const cart = CART.replace(
    'def clear(self):\n        self.items = []',
    'def clear(self):\n        self.items, self.vouchers = [], []',
  );
  commit(root, FIXES.cart, { 'shop/cart.py': cart });
  commit(root, 'Give the formatter what it wants to see', {
    'shop/price.py': price.replace(
      'round(amount, 2)',
      'round(\n        amount,\n        2,\n    )',
    ),
  });
  commit(root, 'Bump version to 1.2.3 for the next release', {
    'shop/cart.py': cart.replace('nothing to buy', 'nothing'),
  });
  commit(
    root,
    'Update the dependencies of everything in here',
    { 'shop/cart.py': cart.replace('nothing to buy', 'no thing') },
    'dependabot[bot] <support@github.com>',
  );
  commit(root, 'Oops', { 'shop/cart.py': cart });
  commit(root, 'Write down what this shop is all about', { 'README.md': 'A shop.\n' });
  return root;
}

/** Adds commits that each write one file, newest last, in a single run of git. */
export function manyCommits(
  root: string,
  edits: { message: string; path: string; text: string }[],
): void {
  const stream = edits.map(({ message, path, text }, i) => {
    const data = (content: string) => `data ${Buffer.byteLength(content)}\n${content}\n`;
    const from = i === 0 ? 'from refs/heads/main^0\n' : '';
    const head = `commit refs/heads/main\ncommitter Test <test@example.com> ${1.7e9 + i} +0000\n`;
    return `${head}${data(message)}${from}M 100644 inline ${path}\n${data(text)}`;
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: stream.join('\n') });
}
