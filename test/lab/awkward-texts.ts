/*
 * Texts that are difficult to tokenize: emoji cut in half, lone surrogates, letters that change their length in lower
 * case, CRLF, control characters, empty and long texts, more callees than count.
 */
import type { EncoderDocument } from '../../src/engine/encode/types.ts';

function document(
  path: string,
  text: string,
  callees: [path: string, text: string][] = [],
  signatureEnd = 0,
): EncoderDocument {
  const called = callees.map(([path, text]) => ({ path, text }));
  return { path, text, signatureEnd, doc: null, callees: called };
}

const CART = `class BaseCart(HTTPModel):
    def total_price(self, *, with_tax=True):
        """Sum of all prices, in cents."""
        # Größe: naïve “quotes” 価格 🛒🏽
        items = self.items_by_SKU[42].get__item or self.totalPrice2D()
        return tax.add(items, 0x1F)`;

export const AWKWARD_DOCUMENTS: readonly EncoderDocument[] = [
  document(
    'shop/cart/base_cart.py',
    CART,
    [
      ['shop/tax.py', 'def add(items):\n    return 1'],
      ['a/ü.py', 'x'.repeat(900)],
    ],
    73,
  ),
  document('a.py', ''),
  document('', ''),
  document('a.py', 'x'),
  document(
    'tabs.py',
    "\tif x:\r\n\t\treturn 'y'  \r\n\r\n\x0b\x0c\x00\x7f\x85\u00a0\u2003\ufeff end\n\n\n        ",
  ),
  document('special.py', '[C] [DOWN] [Q] [PAD] [UNK] [MASK] x[C](y) <s> </s> Ġ Ċ'),
  document('long/table.py', `TABLE = [${'12, aB_c, '.repeat(900)}]`, [['b.py', 'never reached']]),
  document(
    'long/word.py',
    `${'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'.repeat(40)}${'Az'.repeat(40)}${'='.repeat(99)}${' '.repeat(120)}${'é'.repeat(80)}`,
  ),
  // An emoji that the cut before tokenizing splits, in the text and in that of a callee.
  document('e.py', '🛒'.repeat(4000), [['f.py', `aa${'🛒'.repeat(500)}`]]),
  document('halves.py', 'a\ud83db\udc00c\ud83d', [['h.py', '\udc00\ud83d']]),
  // An emoji that the end of the signature splits, letters that change their length in lower case, and combining accents.
  document(
    'parted.py',
    '🛒🛒 HTTPServerİ ẞtraße e\u0301t\u00e9 \u212aelvin ΣΑΣ ﬁn ½ utf8Codec',
    [],
    3,
  ),
  document(
    'many.py',
    'f()',
    Array.from({ length: 6 }, (_, i) => [`c${i}.py`, `def c${i}(): ${'return '.repeat(60)}`]),
  ),
];

const FRAMES = Array.from(
  { length: 60 },
  (_, i) => `  File "a${i}.py", line ${i}, in f${i}\n    call${i}()\n`,
);

export const AWKWARD_ISSUES: readonly string[] = [
  'total_price() is wrong with_tax=False',
  'Sum of BaseCart.total_price\n### Steps\r\n```python\n>>> BaseCart().total_price()\nKeyError: 42\n```\n\tgröße naïve 価格',
  '',
  ' leading and trailing spaces  \n',
  `Long issue\n${'some words of many '.repeat(900)}`,
  '🛒'.repeat(9000),
  `Fails\n${'prose '.repeat(300)}\n\`\`\`\n${'code(x)\n'.repeat(200)}\`\`\`\nTraceback (most recent call last):\n${FRAMES.join('')}KeyError: last`,
];
