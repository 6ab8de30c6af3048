import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LexicalIndex } from '../../src/engine/lexical/lexical-index.ts';
import { countQueryTerms, countTerms, FIELDS } from '../../src/engine/lexical/tokenize.ts';
import type { ParsedChunk } from '../../src/engine/parse/types.ts';

/** A dictionary that assigns ids, like the store's. */
class Dictionary {
  readonly ids = new Map<string, number>();
  idOf(term: string) {
    return this.ids.get(term);
  }
  termOf(id: number) {
    return [...this.ids.keys()][id];
  }
  intern(term: string): number {
    const id = this.ids.get(term) ?? this.ids.size;
    this.ids.set(term, id);
    return id;
  }
}

const dictionary = new Dictionary();

/** Returns the entries of a function with this body. */
function createEntries(path: string, name: string, text: string): Uint32Array {
  const rest = { ordinal: 0, startLine: 1, endLine: 1, parent: -1, signatureEnd: 0, doc: null };
  const chunk: ParsedChunk = { qualifiedName: name, name, kind: 'function', text, ...rest };
  const counts = countTerms(path, [chunk]);
  return counts.entries.map((entry) => {
    return (dictionary.intern(counts.terms[entry >>> 11]!) << 11) | (entry & 0x7ff);
  });
}

function search(index: LexicalIndex, text: string): [slot: number, score: number][] {
  return [...index.score(index.createQuery(countQueryTerms(text)))]
    .map((score, slot): [number, number] => [slot, score])
    .filter(([, score]) => score > 0)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

const WORDS = 'read write cookie header token parse url date cache key path name self value'.split(
  ' ',
);

/** Returns the entries of a random function, always the same for the same seed. */
function randomEntries(seed: number): Uint32Array {
  let state = seed * 2654435761 + 1;
  const next = (n: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % n;
  };
  const words = Array.from({ length: 5 + next(30) }, () => WORDS[next(WORDS.length)]!);
  return createEntries(`${words[0]}/${words[1]}.py`, `${words[2]}_${words[3]}`, words.join(' '));
}

test('ranks the most relevant chunk first', () => {
  const index = new LexicalIndex(dictionary);
  index.add(0, createEntries('http/url.py', 'quote', 'return escape(text)'));
  index.add(1, createEntries('http/cookie.py', 'parse_cookie', 'for part in text.split(";"): ...'));
  index.add(2, createEntries('http/date.py', 'parse', 'return strptime(text)'));
  const found = search(index, 'a cookie is not parsed: parse_cookie fails');
  assert.deepEqual(
    found.map(([slot]) => slot),
    [1, 2],
  );
  assert.deepEqual(search(index, 'nothing known'), []);
  assert.deepEqual(search(index, ''), []);
});

test('computes BM25F as by hand', () => {
  const field = { path: 0, name: 0, signature: 0, docstring: 0, body: 1 };
  const weights = { ...field, name: 3 };
  const index = new LexicalIndex(dictionary, {
    k1: 1.2,
    weights,
    lengthNorms: { ...field, body: 0.5 },
  });
  index.add(0, createEntries('m.py', 'alpha', 'alpha alpha beta'));
  index.add(1, createEntries('m.py', 'gamma', 'beta'));
  const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5));
  const tf = 3 * 1 + 2 / (1 - 0.5 + (0.5 * 3) / 2);
  assert.ok(Math.abs(search(index, 'alpha')[0]![1] - (idf * tf) / (1.2 + tf)) < 1e-6);
});

test('scores after edits like a new index, with and without a tail', () => {
  const edited = new LexicalIndex(dictionary);
  for (let slot = 0; slot < 300; slot++) edited.add(slot, randomEntries(slot));
  edited.build();
  for (let slot = 0; slot < 300; slot += 3) edited.remove(slot);
  for (let slot = 300; slot < 350; slot++) edited.add(slot, randomEntries(slot));
  for (let slot = 300; slot < 350; slot += 5) edited.remove(slot);
  edited.remove(9999);
  const fresh = new LexicalIndex(dictionary);
  for (let slot = 0; slot < 350; slot++) {
    if (slot < 300 ? slot % 3 !== 0 : slot % 5 !== 0) fresh.add(slot, randomEntries(slot));
  }
  fresh.build();
  const queries = ['parse the cookie header', 'write_cache url', WORDS.join(' ')];
  const expected = queries.map((query) => search(fresh, query));
  assert.equal(edited.chunkCount, fresh.chunkCount);
  assert.deepEqual(
    queries.map((query) => search(edited, query)),
    expected,
  );
  edited.build();
  assert.deepEqual(
    queries.map((query) => search(edited, query)),
    expected,
  );
});

test('is empty after removing all chunks', () => {
  const index = new LexicalIndex(dictionary);
  for (let slot = 0; slot < 10; slot++) index.add(slot, randomEntries(slot));
  for (let slot = 0; slot < 10; slot++) index.remove(slot);
  assert.deepEqual(search(index, 'cookie'), []);
  index.build();
  assert.deepEqual(search(index, 'cookie'), []);
  assert.equal(index.chunkCount, 0);
});

test('refuses a slot that is in use, or too large', () => {
  const index = new LexicalIndex(dictionary);
  index.add(4, randomEntries(1));
  assert.throws(() => index.add(4, randomEntries(2)), /slot 4/);
  assert.throws(() => index.add(1 << 24, randomEntries(2)), { name: 'LocusError' });
});

test('splits a score into fields and terms that add up to it', () => {
  const index = new LexicalIndex(dictionary);
  for (let slot = 0; slot < 40; slot++) index.add(slot, randomEntries(slot));
  const query = index.createQuery(countQueryTerms('parse cookie cookie header_url'));
  const scores = index.score(query);
  const slot = scores.indexOf(Math.max(...scores));
  const { total, fields, terms } = index.explainScore(slot, query);
  const sum = (parts: { score: number }[]) => parts.reduce((all, { score }) => all + score, 0);
  assert.ok(Math.abs(total - scores[slot]!) < 1e-5);
  assert.ok(Math.abs(sum(fields) - total) < 1e-9);
  assert.ok(Math.abs(sum(terms) - total) < 1e-9);
  assert.ok(fields.every(({ field }) => field in FIELDS));
});

test('keeps the rarest terms of a long query within its limits', () => {
  const index = new LexicalIndex(dictionary, { maxTerms: 3, maxMatches: 30 });
  for (let slot = 0; slot < 40; slot++) {
    index.add(slot, createEntries('m.py', WORDS[slot] ?? 'more', 'common words'));
  }
  const query = index.createQuery(countQueryTerms('common words in m.py: read token token url'));
  assert.deepEqual(query.terms, ['token', 'read', 'url']);
});

test('finds the characteristic terms of chunks, weighted by their mean', () => {
  const index = new LexicalIndex(dictionary);
  index.add(0, createEntries('a.py', 'one', 'common rare rare'));
  index.add(1, createEntries('b.py', 'two', 'common rare other'));
  index.add(2, createEntries('c.py', 'three', 'common other'));
  index.add(3, createEntries('d.py', 'four', 'common alone'));
  assert.deepEqual(index.createQueryOf([0], 1).terms, ['rare']);
  const both = index.createQueryOf([0, 1], 10);
  // A term that only one chunk has, such as its name, finds no other chunks.
  assert.deepEqual(both.terms.toSorted(), ['common', 'other', 'rare']);
  assert.equal(both.terms[0], 'rare');
  const own = (slots: number[]) => index.createQueryOf(slots, 10);
  const weight = (slots: number[], term: string) =>
    own(slots).weights[own(slots).terms.indexOf(term)];
  const mean = (weight([0], 'rare') + weight([1], 'rare')) / 2;
  assert.ok(Math.abs(weight([0, 1], 'rare') - mean) < 1e-9);
  const scores = index.score(both);
  assert.ok(scores[1] > scores[2] && scores[2] > scores[3]);
  assert.deepEqual(index.createQueryOf([], 10).terms, []);
});

test('scores the same after writing and loading columns', () => {
  const index = new LexicalIndex(dictionary);
  for (let slot = 0; slot < 300; slot++) index.add(slot, randomEntries(slot));
  for (let slot = 0; slot < 300; slot += 7) index.remove(slot);
  const live = Array.from({ length: 300 }, (_, slot) => slot).filter((slot) => slot % 7 !== 0);
  const adopted = new LexicalIndex(dictionary);
  adopted.loadColumns(index.toColumns(Uint32Array.from(live)));
  for (const [place, slot] of live.entries()) {
    assert.deepEqual(adopted.getEntries(place), randomEntries(slot).toSorted());
    assert.deepEqual(index.getEntries(slot), adopted.getEntries(place));
  }
  assert.deepEqual(index.getEntries(0), new Uint32Array(0));
  for (const text of ['parse the cookie header', WORDS.join(' ')]) {
    const [query, places] = [
      adopted.createQuery(countQueryTerms(text)),
      live.map((_, place) => place),
    ];
    const scores = index.score(index.createQuery(countQueryTerms(text)));
    assert.deepEqual(
      [...adopted.score(query)],
      live.map((slot) => scores[slot]),
    );
    assert.deepEqual(adopted.scoreSome(places, query), index.scoreSome(live, query));
  }
});
