import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { GRAMMAR_COLLECTIONS } from '../languages/collected-grammars.ts';
import type { Language } from '../languages/language.ts';

const require = createRequire(import.meta.url);

interface InstalledGrammar {
  /** Name of the package that the grammar's authors publish. */
  name: string;
  package: string;
  file: string;
}

export function locateGrammar({ grammar }: Pick<Language, 'grammar'>): InstalledGrammar {
  const slash = grammar.lastIndexOf('/');
  const [name, file] = [grammar.slice(0, slash), grammar.slice(slash + 1)];
  for (const [collection, versions] of Object.entries(GRAMMAR_COLLECTIONS))
    if (name in versions) return { name, package: collection, file: `out/${file}` };
  return { name, package: name, file };
}

/** Returns the path of a grammar's file. @throws the system's error if the grammar is not installed */
export function resolveGrammarFile(language: Pick<Language, 'grammar'>): string {
  if (language.grammar.startsWith('file:')) return fileURLToPath(language.grammar);
  const { package: name, file } = locateGrammar(language);
  return require.resolve(`${name}/${file}`);
}
