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

/** Returns the package and the file of a language's grammar; null for a file outside of packages. */
export function locateGrammar({ grammar }: Pick<Language, 'grammar'>): InstalledGrammar | null {
  if (grammar.startsWith('file:')) return null;
  const slash = grammar.lastIndexOf('/');
  const [name, file] = [grammar.slice(0, slash), grammar.slice(slash + 1)];
  for (const [collection, versions] of Object.entries(GRAMMAR_COLLECTIONS))
    if (name in versions) return { name, package: collection, file: `out/${file}` };
  return { name, package: name, file };
}

/** Returns the path of a grammar's file. @throws the system's error if the grammar is not installed */
export function resolveGrammarFile(language: Pick<Language, 'grammar'>): string {
  const located = locateGrammar(language);
  return located
    ? require.resolve(`${located.package}/${located.file}`)
    : fileURLToPath(language.grammar);
}

/** Returns the packages and files of grammars that are installed as packages. */
export function listInstalledGrammars(languages: Iterable<Language>): InstalledGrammar[] {
  return Array.from(languages).flatMap((language) => locateGrammar(language) ?? []);
}
