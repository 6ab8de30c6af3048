import { languageNamed } from '../../../src/engine/languages/index.ts';
import { type ChunkedSource, chunkSource } from '../../../src/engine/parse/chunk.ts';
import { grammarOf } from '../../../src/engine/parse/grammar.ts';

export type Name = 'javascript' | 'typescript' | 'tsx';

const grammars = {
  javascript: await grammarOf(languageNamed('javascript')),
  typescript: await grammarOf(languageNamed('typescript')),
  tsx: await grammarOf(languageNamed('tsx')),
};

export function parseAs(language: Name, source: string): ChunkedSource {
  return chunkSource(grammars[language], source);
}

/** Pattern of docstrings, which are comments. */
export const COMMENT = /^(?:\/\/|\/\*|#!|<!--)/;
