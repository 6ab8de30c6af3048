/** Parses with web-tree-sitter itself, to compare what Locus reads from its memory. */
import { readdirSync, readFileSync } from 'node:fs';
import { Parser, type Tree, type Language as TreeSitterLanguage } from 'web-tree-sitter';
import { findLanguage } from '../../src/engine/languages/index.ts';
import type { Language } from '../../src/engine/languages/language.ts';
import { compileGrammar } from '../../src/engine/parse/compile-grammar.ts';
import { resolveGrammarFile } from '../../src/engine/parse/grammar-file.ts';
import type { SyntaxTree } from '../../src/engine/parse/syntax-tree.ts';
import { TreeReader } from '../../src/engine/parse/tree-reader.ts';

declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
};

const REPOSITORIES = new URL('../golden/repositories/', import.meta.url);

const memory = new WebAssembly.Memory({ initial: 512, maximum: 16_384 });
await Parser.init({ wasmMemory: memory });

export interface ParsedTwice {
  /** Tree as web-tree-sitter reports it, to be deleted by the caller. */
  expected: Tree;
  tree: SyntaxTree;
}

export async function loadParser(language: Language): Promise<{
  grammar: TreeSitterLanguage;
  reader: TreeReader;
  parse: (text: string) => ParsedTwice;
}> {
  const grammar = await compileGrammar(readFileSync(resolveGrammarFile(language)));
  const parser = new Parser();
  parser.setLanguage(grammar);
  const reader = new TreeReader(grammar, memory);
  const parse = (source: string): ParsedTwice => {
    const text = language.prepare?.(source) ?? source;
    const expected = parser.parse(text);
    if (!expected) throw new Error('The parser stopped');
    return { expected, tree: reader.read(expected, text) };
  };
  return { grammar, reader, parse };
}

/** Returns sources in a language, intact and broken: its example and the files of the golden repositories. */
export function listSources(language: Language): string[] {
  const paths = readdirSync(REPOSITORIES, { recursive: true, encoding: 'utf8' });
  const texts = paths
    .filter((path) => findLanguage(path.replaceAll('\\', '/')) === language)
    .map((path) => readFileSync(new URL(path, REPOSITORIES), 'utf8'));
  const intact = [language.example.text, ...texts];
  const broken = intact.map((text) => text.slice(text.length / 5).replace(/[)}\]]/, ''));
  return ['', ...intact, ...broken];
}
