/** Every language that is read by its tags: the definitions, documentation and calls of a sample, and its mutations. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { renderKeywords } from '../../../scripts/keywords.ts';
import { findLanguage } from '../../../src/engine/languages/index.ts';
import { taggedLanguages } from '../../../src/engine/languages/tagged/index.ts';
import type { ChunkedSource } from '../../../src/engine/parse/chunk.ts';
import { assertSound, outline } from '../../parse/helpers.ts';
import { assertForBroken } from '../../support/broken.ts';
import { parserFor } from '../helpers.ts';

const SAMPLES = new URL('./samples/', import.meta.url);
const MUTATIONS = 40;
const names = readdirSync(SAMPLES).filter((name) => !name.endsWith('.expected'));

/** Returns each chunk with its documentation, then the callees of each chunk, as lines. */
function describeSource(source: ChunkedSource): string[] {
  const lines = outline(source);
  const docs = source.chunks.slice(1).map(({ text, doc }) => (doc ? text.slice(...doc) : ''));
  const calls = Map.groupBy(source.facts.references, ({ scope }) => scope);
  return [
    ...lines.map((line, i) => (docs[i] ? `${line} ${JSON.stringify(docs[i])}` : line)),
    ...Array.from(calls, ([scope, facts]) => {
      const { qualifiedName = '' } = source.chunks[scope] ?? {};
      return `${qualifiedName} -> ${facts.map(({ chain }) => chain.join('.')).join(' ')}`;
    }),
  ];
}

test('every language that is read by its tags has a sample', () => {
  const sampled = names.map((name) => findLanguage(name)?.name);
  assert.deepEqual(sampled.sort(), taggedLanguages.map(({ name }) => name).sort());
});

for (const name of names) {
  const language = findLanguage(name);
  describe(`tags of ${language?.title}`, async () => {
    const text = readFileSync(new URL(name, SAMPLES), 'utf8');
    const parse = await parserFor(language?.name ?? '');

    test('the definitions of the sample are chunks with their documentation and calls', () => {
      const source = parse(text);
      assertSound(source, /\S/);
      assert.equal(source.errors, 0);
      const expected = readFileSync(new URL(`${name}.expected`, SAMPLES), 'utf8');
      assert.deepEqual(describeSource(source), expected.trimEnd().split('\n'));
    });

    test('the example has one function and no syntax error', () => {
      const source = parse(language?.example.text ?? '');
      assert.equal(source.errors, 0);
      assert.equal(source.chunks.length, 2);
    });

    test('mutations of the sample stay sound', () => {
      assertForBroken(text, ['{', '"'], MUTATIONS, (broken) => assertSound(parse(broken), /\S/));
    });

    test('the keywords are those of the grammar', async () => {
      assert.ok(language);
      const written = readFileSync(new URL('keywords.txt', language.folder), 'utf8');
      assert.equal(written, await renderKeywords(language), 'npx node scripts/keywords.ts');
    });
  });
}
