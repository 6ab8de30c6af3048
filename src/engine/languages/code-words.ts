import type { CodeWords } from './issue-syntax.ts';
import { wordsIn } from './words.ts';

/** `key: value`, `parameter?: Type`, and an attribute of XML. */
const LABEL = /\??: ?[^\s:]|="/y;

/** The words of a language whose keywords are in `keywords.txt` of its folder, with what it has of its own. */
export function codeWords(
  folder: URL,
  own: Pick<CodeWords, 'fence'> & Partial<CodeWords>,
): CodeWords {
  return { keywords: wordsIn(folder, 'keywords.txt'), label: LABEL, ...own };
}
