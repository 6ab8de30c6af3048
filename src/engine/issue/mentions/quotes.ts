import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { createIssueSpan, type Passage } from '../passages.ts';
import type { IssueFrame } from './frames.ts';

const MAX_QUOTES = 20;
const MIN_WORDS = 3;
/** Minimum UTF-16 units of a quote. */
const MIN_LENGTH = 8;
/** Text after the level of a log line, and text in double quotes. Short quotes match too: else quotes would pair up wrongly. */
const QUOTE =
  /\b(?:WARNING|ERROR|CRITICAL|FATAL|warning|error)\b\]?:[ \t]{1,4}([^\n]{8,300})|["“]([^"”\n]{0,400})["”]/g;

/** Finds sentences that the issue quotes, from logs or in quotation marks: messages in code may have the same words. */
export function findQuotes(passages: readonly Passage[]): IssueSpan[] {
  const found: IssueSpan[] = [];
  for (const passage of passages) {
    for (const match of passage.text.matchAll(QUOTE)) {
      if (found.length === MAX_QUOTES) return found;
      const quote = match[1] ?? match[2] ?? '';
      if (quote.length < MIN_LENGTH || quote.trim().split(/\s+/).length < MIN_WORDS) continue;
      const start = match.index + match[0].indexOf(quote);
      found.push(createIssueSpan(passage, start, start + quote.length));
    }
  }
  return found;
}

const MAX_ERRORS = 20;
/** Maximum different messages to choose from. */
const MAX_MESSAGES = 1000;

/**
 * Finds the messages of exceptions and warnings: the code that raises them has the same words. If there are many, as in a log,
 * the messages nearest to a frame count.
 */
export function findErrors(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
  frames: readonly IssueFrame[],
): IssueSpan[] {
  const found = new Map<string, IssueSpan>();
  for (const span of readMessages(passages, syntaxes)) {
    if (!found.has(span.text)) found.set(span.text, span);
    if (found.size === MAX_MESSAGES) break;
  }
  const all = [...found.values()];
  if (all.length <= MAX_ERRORS) return all;
  const getDistance = ({ start }: IssueSpan) =>
    Math.min(...frames.map(({ span }) => Math.abs(span.start - start)));
  const distances = new Map(all.map((span) => [span, getDistance(span)]));
  const byDistance = (a: IssueSpan, b: IssueSpan) =>
    (distances.get(a) ?? 0) - (distances.get(b) ?? 0) || a.start - b.start;
  return all.sort(byDistance).slice(0, MAX_ERRORS);
}

function* readMessages(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
): Generator<IssueSpan> {
  for (const passage of passages) {
    for (const { error } of syntaxes) {
      for (const match of passage.text.matchAll(error)) {
        const matched = match.groups?.message ?? '';
        const start = match.index + match[0].length - matched.length;
        const message = cutAtCodeEnd(matched, passage.text, start).trimEnd();
        if (message !== '') yield createIssueSpan(passage, start, start + message.length);
      }
    }
  }
}

/** Returns a message, which begins at `start`. Inside inline code, cuts it at the backquote that ends the code. */
function cutAtCodeEnd(message: string, text: string, start: number): string {
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start);
  const isInCode = line.split('`').length % 2 === 0;
  return isInCode ? (message.split('`', 1)[0] ?? '') : message;
}
