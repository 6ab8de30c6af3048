import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Parser, Language as TreeSitterLanguage } from 'web-tree-sitter';
import {
  BUNDLED_GRAMMARS,
  getCollectedVersion,
} from '../../src/engine/languages/collected-grammars.ts';
import { getLanguages } from '../../src/engine/languages/index.ts';
import { locateGrammar, resolveGrammarFile } from '../../src/engine/parse/grammar-file.ts';

/** Rust's 0.24.0 states the previous version. */
const WRONG_STATEMENTS: Record<string, string> = { 'tree-sitter-rust': '0.23.3' };

test('grammars of the collection state the versions that are listed', async () => {
  await Parser.init();
  const stating = new Set<string>();
  for (const language of getLanguages()) {
    const name = locateGrammar(language)?.name ?? '';
    const listed = getCollectedVersion(name);
    const { metadata } = await TreeSitterLanguage.load(readFileSync(resolveGrammarFile(language)));
    if (listed === undefined || metadata === null) continue;
    const { major_version: major, minor_version: minor, patch_version: patch } = metadata;
    assert.equal(`${major}.${minor}.${patch}`, WRONG_STATEMENTS[name] ?? listed, name);
    stating.add(name);
  }
  assert.deepEqual([...stating].sort(), [
    'tree-sitter-c',
    'tree-sitter-dart',
    'tree-sitter-go',
    'tree-sitter-javascript',
    'tree-sitter-php',
    'tree-sitter-rust',
    'tree-sitter-solidity',
    'tree-sitter-zig',
  ]);
});

test('grammars without a package are the files that their list describes', () => {
  const folder = new URL('../../src/engine/languages/grammars/', import.meta.url);
  const described = readFileSync(new URL('README.md', folder), 'utf8');
  const files = readdirSync(folder).filter((name) => name.endsWith('.wasm'));
  assert.deepEqual(
    files.sort(),
    Object.keys(BUNDLED_GRAMMARS).map((name) => `${name}.wasm`),
  );
  for (const [name, version] of Object.entries(BUNDLED_GRAMMARS)) {
    const bytes = readFileSync(new URL(`${name}.wasm`, folder));
    const digest = createHash('sha256').update(bytes).digest('hex');
    const row = described.split('\n').find((line) => line.includes(`\`${name}\``)) ?? '';
    assert.ok(row.includes(digest) && row.includes(version), `${name}: ${digest}`);
  }
});

test('a grammar outside the collection comes from its own package', () => {
  assert.deepEqual(
    locateGrammar({ grammar: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm' }),
    {
      name: '@tree-sitter-grammars/tree-sitter-kotlin',
      package: '@tree-sitter-grammars/tree-sitter-kotlin',
      file: 'tree-sitter-kotlin.wasm',
    },
  );
  assert.deepEqual(locateGrammar({ grammar: 'tree-sitter-typescript/tree-sitter-tsx.wasm' }), {
    name: 'tree-sitter-typescript',
    package: '@repomix/tree-sitter-wasms',
    file: 'out/tree-sitter-tsx.wasm',
  });
});
