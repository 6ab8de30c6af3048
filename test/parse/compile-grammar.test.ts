import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

/** Parses a shell script, whose lexer is large, and then a Python module, whose functions are all small. */
const PARSE = `
  import { getLanguage } from '${new URL('../../src/engine/languages/index.ts', import.meta.url)}';
  import { loadGrammar } from '${new URL('../../src/engine/parse/grammar.ts', import.meta.url)}';
  for (const name of ['shell', 'python']) {
    const language = getLanguage(name);
    const grammar = await loadGrammar(language);
    for (let i = 0; i < 5; i++) grammar.parse(language.example.text);
    console.log('parsed');
  }`;

test('a grammar with a large lexer is not optimized, others are', () => {
  // V8 optimizes at once what ran a few times, and prints the size of each function.
  const options = ['--wasm-tiering-budget=1000', '--wasm-sync-tier-up'];
  const args = [...options, '--trace-wasm-compilation-times', '--input-type=module', '-e', PARSE];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const [shell = '', python = ''] = printed.split('parsed');
  assert.ok(Math.max(...listSizes(shell, 'Liftoff')) > 200_000);
  assert.ok(Math.max(...listSizes(printed, 'TurboFan')) < 100_000);
  const module = /Compiled function (\w+)#.* using Liftoff/.exec(python)?.[1];
  assert.match(python, new RegExp(`Compiled function ${module}#\\d+ using TurboFan`));
});

/** Returns the sizes of the functions that a compiler of V8 compiled. */
function listSizes(printed: string, compiler: string): number[] {
  const found = printed.matchAll(new RegExp(`using ${compiler}.* bodysize (\\d+) `, 'g'));
  return Array.from(found, ([, size]) => Number(size));
}
