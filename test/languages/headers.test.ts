/** Headers of definitions are joined to few patterns, which find the same as each pattern in turn. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findLanguage, getLanguages } from '../../src/engine/languages/index.ts';
import { readHeader, readSoundHeader } from '../../src/engine/languages/layout/header.ts';

const REPOSITORIES = join(import.meta.dirname, '../golden/repositories');

function findInTurn(patterns: readonly RegExp[], text: string, start: number) {
  for (const pattern of patterns) {
    pattern.lastIndex = start;
    const groups = pattern.exec(text)?.groups;
    if (!groups) continue;
    const kind = (['function', 'class', 'namespace'] as const).find(
      (one) => groups[one] !== undefined,
    );
    if (kind) return { kind, name: groups[kind], owner: groups.owner ?? '' };
  }
  return null;
}

test('joined patterns find the header that the first matching one finds, in all languages', () => {
  const found = new Set<string>();
  for (const name of readdirSync(REPOSITORIES, { recursive: true, encoding: 'utf8' })) {
    const language = findLanguage(name);
    if (!language) continue;
    const text = readFileSync(join(REPOSITORIES, name), 'utf8');
    const { headers, soundHeaders = [] } = language.text;
    for (let start = 0; start >= 0; ) {
      const expected = findInTurn(headers, text, start);
      assert.deepEqual(readHeader(language, text, start), expected);
      const sound = expected ?? findInTurn(soundHeaders, text, start);
      assert.deepEqual(readSoundHeader(language, text, start), sound);
      if (sound) found.add(language.name);
      const end = text.indexOf('\n', start);
      start = end < 0 ? -1 : end + 1;
    }
  }
  assert.deepEqual([...found].sort(), Array.from(getLanguages(), ({ name }) => name).sort());
});
