import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { type Passage, spanOf } from '../passages.ts';

const MAX_QUOTES = 20;
const MIN_WORDS = 3;
/** UTF-16 units. */
const MIN_LENGTH = 8;
/** What a log line says after its level, and what stands between double quotes: a single word too, or what follows it would seem quoted. */
const QUOTE =
  /\b(?:WARNING|ERROR|CRITICAL|FATAL|warning|error)\b\]?:[ \t]{1,4}([^\n]{8,300})|["“]([^"”\n]{0,400})["”]/g;

/** Sentences that the issue quotes, from logs and between quotation marks: code may have their words in its messages. */
export function findQuotes(passages: readonly Passage[]): IssueSpan[] {
  const found: IssueSpan[] = [];
  for (const passage of passages) {
    for (const match of passage.text.matchAll(QUOTE)) {
      if (found.length === MAX_QUOTES) return found;
      const quote = match[1] ?? match[2] ?? '';
      if (quote.length < MIN_LENGTH || quote.trim().split(/\s+/).length < MIN_WORDS) continue;
      const start = match.index + match[0].indexOf(quote);
      found.push(spanOf(passage, start, start + quote.length));
    }
  }
  return found;
}

const MAX_ERRORS = 20;

/** Returns the messages of exceptions and warnings: their words are likely those of the line that raises. */
export function findErrors(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
): IssueSpan[] {
  const found = new Map<string, IssueSpan>();
  for (const passage of passages) {
    for (const match of syntaxes.flatMap(({ error }) => [...passage.text.matchAll(error)])) {
      if (found.size === MAX_ERRORS) break;
      const said = match.groups?.message ?? '';
      const start = match.index + match[0].length - said.length;
      const message = withinCode(said, passage.text, start).trimEnd();
      if (message === '') continue;
      if (!found.has(message)) {
        found.set(message, spanOf(passage, start, start + message.length));
      }
    }
  }
  return [...found.values()];
}

/** Returns `said`, which begins at `start`. If that is inside inline code, cuts it at the backquote that ends the code. */
function withinCode(said: string, text: string, start: number): string {
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start);
  const isInCode = line.split('`').length % 2 === 0;
  return isInCode ? (said.split('`', 1)[0] ?? '') : said;
}
