import type { CodeWords } from './issue-syntax.ts';
import { readWords } from './words.ts';

/** `key: value`, `parameter?: Type`, and an attribute of XML. */
const LABEL = /\??: ?[^\s:]|="/y;

/** Creates the words of a language from its own words and the keywords in `keywords.txt` of its folder. */
export function createCodeWords(
  folder: URL,
  own: Pick<CodeWords, 'fence'> & Partial<CodeWords>,
): CodeWords {
  return { keywords: readWords(folder, 'keywords.txt'), label: LABEL, ...own };
}
