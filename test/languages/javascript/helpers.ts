import { getLanguage } from '../../../src/engine/languages/index.ts';
import { type ChunkedSource, chunkSource } from '../../../src/engine/parse/chunk.ts';
import { loadGrammar } from '../../../src/engine/parse/grammar.ts';

export type Name = 'javascript' | 'typescript' | 'tsx';

const grammars = {
  javascript: await loadGrammar(getLanguage('javascript')),
  typescript: await loadGrammar(getLanguage('typescript')),
  tsx: await loadGrammar(getLanguage('tsx')),
};

export function parseAs(language: Name, source: string): ChunkedSource {
  return chunkSource(grammars[language], source);
}

/** Pattern of docstrings, which are comments. */
export const COMMENT = /^(?:\/\/|\/\*|#!|<!--)/;
