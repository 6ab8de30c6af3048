import { getLanguage } from '../../../src/engine/languages/index.ts';
import { templateLanguages } from '../../../src/engine/languages/templates/index.ts';
import { type ChunkedSource, chunkSource } from '../../../src/engine/parse/chunk.ts';
import { loadGrammar } from '../../../src/engine/parse/grammar.ts';

const names = templateLanguages.map(({ name }) => name);

const grammars = new Map(
  await Promise.all(
    names.map(async (name) => [name, await loadGrammar(getLanguage(name))] as const),
  ),
);

/** Pattern of docstrings, which are comments of scripts. */
export const COMMENT = /^(?:\/\/|\/\*)/;

/** Cuts a template into chunks. */
export function parseTemplate(language: string, text: string): ChunkedSource {
  const grammar = grammars.get(language);
  if (!grammar) throw new Error(`There is no language of templates named ${language}.`);
  return chunkSource(grammar, text);
}
