import { createRequire } from 'node:module';
import type { Language } from '../languages/language.ts';

const require = createRequire(import.meta.url);

/** Package that contains only the WebAssembly files of many grammars. */
export const GRAMMAR_COLLECTION = '@repomix/tree-sitter-wasms';

/**
 * Versions of the grammars taken from the collection, by the name of each grammar's own package. The collection's other
 * grammars are older than the ones that Locus uses, or are unused.
 */
export const COLLECTED_GRAMMARS: Readonly<Record<string, string>> = {
  'tree-sitter-c': '0.24.1',
  'tree-sitter-cpp': '0.23.4',
  'tree-sitter-go': '0.25.0',
  'tree-sitter-java': '0.23.5',
  'tree-sitter-javascript': '0.25.0',
  'tree-sitter-php': '0.24.2',
  'tree-sitter-ruby': '0.23.1',
  'tree-sitter-rust': '0.24.0',
  'tree-sitter-typescript': '0.23.2',
};

interface InstalledGrammar {
  /** Name of the package that the grammar's authors publish. */
  name: string;
  package: string;
  file: string;
}

export function locateGrammar({ grammar }: Pick<Language, 'grammar'>): InstalledGrammar {
  const slash = grammar.lastIndexOf('/');
  const [name, file] = [grammar.slice(0, slash), grammar.slice(slash + 1)];
  return name in COLLECTED_GRAMMARS
    ? { name, package: GRAMMAR_COLLECTION, file: `out/${file}` }
    : { name, package: name, file };
}

/** Returns the path of a grammar's file. @throws the system's error if the grammar is not installed */
export function resolveGrammarFile(language: Pick<Language, 'grammar'>): string {
  const { package: name, file } = locateGrammar(language);
  return require.resolve(`${name}/${file}`);
}
