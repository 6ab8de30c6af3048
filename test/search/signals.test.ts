import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ranker from '../../models/ranker-1/initial.json' with { type: 'json' };
import { isInformative } from '../../src/engine/search/gather/words.ts';
import { SIGNALS } from '../../src/engine/search/rank/rank.ts';
import { pickInformativeWords } from '../../src/engine/search/rank/signals/wording.ts';
import { FAMILIES } from '../../src/shared/evidence.ts';
import { MemoryIndex, search } from './support.ts';

const FOLDER = join(import.meta.dirname, '../../src/engine/search/rank/signals');

describe('a signal', () => {
  it('is listed, and has a weight, family, title and format', async () => {
    const files = readdirSync(FOLDER).filter((file) => file !== 'signal.ts');
    const modules = await Promise.all(files.map((file) => import(join(FOLDER, file))));
    const exported = modules
      .flatMap((module) => Object.values(module).filter(Array.isArray))
      .flat();
    assert.deepEqual(new Set(exported), new Set(SIGNALS));
    assert.deepEqual(Object.keys(ranker.weights).sort(), SIGNALS.map(({ name }) => name).sort());
    for (const { name, family, title, explain, format } of SIGNALS) {
      assert.ok(FAMILIES.includes(family), name);
      assert.match(title, /^[A-Z][^_]*[a-z]$/, `${name} has a title for people`);
      assert.equal(
        explain === null,
        family === 'kind',
        `${name} explains itself, unless it describes the chunk`,
      );
      assert.equal(typeof format(1), 'string');
    }
    assert.equal(new Set(SIGNALS.map(({ title }) => title)).size, SIGNALS.length);
  });

  it('explains itself in words, with its title and family', () => {
    const files = {
      'shop/cart.py': [{ name: 'total', text: 'def total(): cart' }, { name: 'other' }],
    };
    const { results } = search(new MemoryIndex(files), null, { issue: '`total` in shop/cart.py' });
    const { name, path, baseName, length } = results[0]!.evidence;
    assert.deepEqual(
      [name!.family, name!.title, name!.measured, name!.sentence],
      ['names', 'Its name is mentioned', 'yes', 'the issue mentions `total`'],
    );
    assert.equal(path!.sentence, 'the issue mentions its path `shop/cart.py`');
    assert.equal(baseName!.sentence, null, 'the path says it already');
    assert.equal(length!.sentence, null, 'a description of the chunk is not a reason');
  });
});

describe('words as evidence', () => {
  it('are informative ones', () => {
    const silent = ['the', 's', '8', 'com', 'x', '2024', '_', 'http', 'is'];
    assert.deepEqual(silent.filter(isInformative), []);
    assert.deepEqual(['max_delay', 'retry', 'io', 'py3', '漢字'].filter(isInformative).length, 5);
    const terms = ['the', 'retry', 's', 'delay'].map((term, i) => ({ term, score: 9 - i }));
    assert.deepEqual(pickInformativeWords(terms), [
      { word: 'retry', score: 8 },
      { word: 'delay', score: 6 },
    ]);
  });
});
