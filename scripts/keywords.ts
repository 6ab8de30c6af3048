/** Writes the keywords of the languages that are read by tags: the tokens of their grammars that are words. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Parser, Language as TreeSitterLanguage } from 'web-tree-sitter';
import { getLanguages, resolveGrammarFile } from '../src/engine/lab.ts';

type Language = Pick<Parameters<typeof resolveGrammarFile>[0], 'grammar'>;

const WORD = /^[a-z]\w+$/i;
const MAX_LINE = 100;

/** Returns the text of `keywords.txt` of a language. */
export async function renderKeywords(language: Language): Promise<string> {
  await Parser.init();
  const { types, nodeTypeIsNamed, nodeTypeIsVisible } = await loadTypes(language);
  const words = types.filter(
    (type, id) => nodeTypeIsVisible(id) && !nodeTypeIsNamed(id) && WORD.test(type),
  );
  const lines: string[] = [''];
  for (const word of [...new Set(words)].sort()) {
    const line = [lines.at(-1), word].filter(Boolean).join(' ');
    if (line.length > MAX_LINE) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return `${lines.join('\n')}\n`;
}

async function loadTypes(language: Language) {
  const grammar = await TreeSitterLanguage.load(readFileSync(resolveGrammarFile(language)));
  return {
    types: grammar.types,
    nodeTypeIsNamed: (id: number) => grammar.nodeTypeIsNamed(id),
    nodeTypeIsVisible: (id: number) => grammar.nodeTypeIsVisible(id),
  };
}

if (import.meta.main)
  for (const language of getLanguages())
    if (language.translateQuery)
      writeFileSync(new URL('keywords.txt', language.folder), await renderKeywords(language));
