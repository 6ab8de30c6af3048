/** Comments, attributes and decorators on the same row as their definition. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parserFor } from '../languages/helpers.ts';
import { assertSound, chunkOf, dedent, outline } from './helpers.ts';

const DOCS = /^(?:\/\*.*\*\/|\/\/.*)$/s;

/** Language, source, and chunks besides the module's. */
const TABLE: [string, string, string[]][] = [
  [
    'typescript',
    dedent`
      class Cart {
        @computed get a() { return 1; }
        @computed get b() { return 2; }
        @action c() { add(); }
        d() { drop(); }
        @observable size = 1;
        e() {}
        @one @two(
          2) f() {}
        @one @two
        // About the next.
        @three
        g() {}
      }
    `,
    [
      'class Cart 1-14',
      'method Cart.a 2-2',
      'method Cart.b 3-3',
      'method Cart.c 4-4',
      'method Cart.d 5-5',
      'method Cart.e 7-7',
      'method Cart.f 8-9',
      'method Cart.g 10-13',
    ],
  ],
  [
    'javascript',
    '/** a */ export function a() {}\n/** b */ module.exports.b = function () {};\nfunction c() {}\n',
    ['function a 1-1', 'function b 2-2', 'function c 3-3'],
  ],
  [
    'rust',
    dedent`
      #[inline] fn a() {}
      #[derive(Debug)] struct S;
      #[allow(unused)] use shop::cart;
      fn b() {}
      #[cold] #[inline] // Why.
      #[must_use] fn c() {}
    `,
    ['function a 1-1', 'class S 2-2', 'function b 4-4', 'function c 5-6'],
  ],
  [
    'java',
    dedent`
      class Cart {
        /** a */ int a() { return 1; }
        int b() { return 2; }
        /** The size. */ private int size;
        int c() { return size; }
        int most; // The most.
        /** Cart
          * of two rows. */ int d() { return 3; }
      }
    `,
    [
      'class Cart 1-9',
      'method Cart.a 2-2',
      'method Cart.b 3-3',
      'method Cart.c 5-5',
      'method Cart.d 7-8',
    ],
  ],
  [
    'c',
    dedent`
      /* a */ int a(void) { return 1; }
      /* size */ static int size;
      int b(void) { return 2; }
      #ifdef C /* c */
      /* c */ static int c(int x, /* the x */
        /* the y */ int y) {
        return x + y;
      }
      #endif
    `,
    ['function a 1-1', 'function b 3-3', 'function c 5-8'],
  ],
  [
    'go',
    'package shop\n\n/* a */ func a() {}\n/* size */ var size = 1\nfunc b() {}\n',
    ['function a 3-3', 'function b 5-5'],
  ],
];

for (const [language, text, expected] of TABLE)
  test(`${language}: a comment before a definition on its row belongs to it`, async () => {
    const source = (await parserFor(language))(text);
    assert.equal(source.errors, 0);
    assert.deepEqual(outline(source), expected);
    assertSound(source, DOCS);
  });

test('a comment on the row of its definition is the docstring, and stays in the signature', async () => {
  const source = (await parserFor('java'))(dedent`
    class Cart {
      /** Adds up. */ int total() {
        return 1;
      }
      /** Empties
       * it. */ @Override public void clear() {
      }
    }
  `);
  const signatureAndDoc = (name: string) => {
    const { text, signatureEnd, doc } = chunkOf(source, name);
    return [text.slice(0, signatureEnd), doc && text.slice(...doc)];
  };
  assert.deepEqual(signatureAndDoc('Cart.total'), [
    'class Cart {\n    /** Adds up. */ int total() {',
    '/** Adds up. */',
  ]);
  assert.deepEqual(signatureAndDoc('Cart.clear'), [
    'class Cart {\n    /** Empties\n    * it. */ @Override public void clear() {',
    '/** Empties\n    * it. */',
  ]);
});

test('a comment after an attribute describes the attribute', async () => {
  const source = (await parserFor('rust'))('/// A cart.\n#[cold] // Why.\nfn cart() {}\n');
  const { text, doc } = chunkOf(source, 'cart');
  assert.equal(doc && text.slice(...doc), '/// A cart.');
});
