import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FileSpecs, MemoryIndex, queryVectors, search, unit, WORDS_ALONE } from './support.ts';

const FILES = {
  'shop/cart.py': [
    { name: 'checkout', text: 'def checkout(cart): pay(cart)', calls: ['pay', 'guessed?'] },
    { name: 'pay', text: 'def pay(cart): charge(cart)', calls: ['charge'] },
    { name: 'charge', text: 'def charge(cart): raise Refused("card has expired")' },
    { name: 'guessed', text: 'def guessed(): pass' },
    { name: 'Basket', kind: 'class' as const, text: 'class Basket: ...' },
    { name: 'Basket.__init__', text: 'def __init__(self): ...' },
    { name: 'Basket.empty', text: 'def empty(self): ...' },
  ],
};
const ISSUE = `Paying fails
\`\`\`
from shop.cart import checkout, Basket
checkout(Basket())
\`\`\`
It says \`PaymentError: card has expired\`.`;

const { results } = search(new MemoryIndex(FILES), null, { issue: ISSUE }, { ranker: WORDS_ALONE });
const evidence = (name: string, signal: string) =>
  results.find(({ qualifiedName }) => qualifiedName === name)!.evidence[signal];

test('a call in a script is evidence, with its location in the script', () => {
  const { value, spans } = evidence('checkout', 'repro');
  assert.equal(value, 1);
  assert.deepEqual(
    spans?.map(({ start, end }) => ISSUE.slice(start, end)),
    ['checkout', 'checkout'],
  );
  assert.equal(evidence('pay', 'repro'), undefined);
});

test('creating an object counts as a call of its constructor', () => {
  assert.equal(evidence('Basket.__init__', 'repro').value, 1);
  assert.equal(evidence('Basket.empty', 'repro'), undefined);
});

test('indirect calls count less with every step, and guessed calls do not count', () => {
  assert.deepEqual(
    ['pay', 'charge'].map((name) => evidence(name, 'reproCalls').value),
    [0.5, 0.25],
  );
  assert.equal(
    evidence('pay', 'reproCalls').sentence,
    'called by `checkout`, which the code in the issue calls',
  );
  assert.equal(evidence('guessed', 'reproCalls'), undefined);
});

test("an exception's message finds the code that raises it", () => {
  const { value, spans, words } = evidence('charge', 'message');
  assert.ok(value > 0);
  assert.deepEqual(
    spans?.map(({ text }) => text.replace(/`.*/, '')),
    ['card has expired'],
  );
  assert.ok(words?.some(({ word }) => word === 'expired'));
  assert.equal(evidence('guessed', 'message'), undefined);
});

test('the embedding of the prose is separate evidence', () => {
  const files = {
    'a.py': [
      { name: 'f', vector: [1, 0, 0] },
      { name: 'g', vector: [0, 1, 0] },
    ],
  };
  const vectors = { ...queryVectors(unit([1, 0, 0])), prose: unit([0, 1, 0]) };
  const { results } = search(new MemoryIndex(files), vectors, { issue: 'x' });
  const contribution = (wanted: string) =>
    results.find(({ name }) => name === wanted)!.evidence.denseProse?.value ?? 0;
  assert.deepEqual(
    ['f', 'g'].map((name) => Math.round(contribution(name))),
    [0, 1],
  );
});

test('a keyword of the chunk’s language is never a reason, even if it is rare', () => {
  const files = (extension: string): FileSpecs => ({
    [`shop/cart.${extension}`]: [{ name: 'f', text: 'async total' }],
    [`shop/other.${extension}`]: [{ name: 'g', text: 'nothing' }],
  });
  const wordsIn = (extension: string) => {
    const index = new MemoryIndex(files(extension));
    const [first] = search(
      index,
      null,
      { issue: 'an async total' },
      { ranker: WORDS_ALONE },
    ).results;
    return (first.evidence.bm25?.words ?? []).map(({ word }) => word);
  };
  assert.ok(!wordsIn('js').includes('async') && wordsIn('js').includes('total'));
  assert.ok(wordsIn('py').includes('async'));
});
