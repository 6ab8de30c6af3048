import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getLanguage } from '../../src/engine/languages/index.ts';
import { readCodeTokens } from '../../src/engine/parse/code-tokens.ts';
import { type Grammar, loadGrammar } from '../../src/engine/parse/grammar.ts';
import { parseFile } from '../../src/engine/parse/parse-file.ts';

test('grammar: each query is compiled once in a thread, when it is first needed', async () => {
  const ruby = getLanguage('ruby');
  const { path, text } = ruby.example;
  const grammar = await loadGrammar(ruby);
  assert.deepEqual(listCompiled(grammar), []);
  await parseFile(path, text);
  const [forChunks, ...others] = listCompiled(grammar);
  assert.deepEqual(others, []);
  await readCodeTokens(ruby, text);
  await parseFile(path, `# again\n${text}`);
  await readCodeTokens(ruby, text);
  const compiled = listCompiled(grammar);
  assert.equal(compiled.length, 2);
  assert.equal(compiled[0], forChunks);
  assert.equal(await loadGrammar(ruby), grammar);
});

function listCompiled(grammar: Grammar): unknown[] {
  return [...(grammar as unknown as { queries: Map<unknown, unknown> }).queries.values()];
}

test('grammar: a query file that is missing is an error that names the language', async () => {
  const grammar = await loadGrammar(getLanguage('python'));
  const tree = grammar.parse('x = 1\n');
  assert.throws(() => grammar.findMatches(['missing.scm'], tree), {
    code: 'not-found',
    message: /^The Python grammar .* could not be loaded/,
  });
});
