import type { IssueSpan } from '../../../shared/evidence.ts';
import { type Passage, spanOf } from './text.ts';

/** What an exception or a warning said. */
export interface ErrorMention {
  /** The message, without the class. */
  span: IssueSpan;
}

const MAX_ERRORS = 20;
/** `ValueError: not a date`, in a traceback, a title or a sentence. */
const ERROR = /(?:Error|Exception|Warning)['"`*]{0,3}:[ \t]{1,4}([^\n]{3,300})/g;

/** The different messages of exceptions and warnings in the issue: their words are likely those of the line that raises. */
export function findErrors(passages: readonly Passage[]): ErrorMention[] {
  const found = new Map<string, ErrorMention>();
  for (const passage of passages) {
    for (const match of passage.text.matchAll(ERROR)) {
      if (found.size === MAX_ERRORS) break;
      const message = match[1].trimEnd();
      const start = match.index + match[0].length - match[1].length;
      if (!found.has(message)) {
        found.set(message, { span: spanOf(passage, start, start + message.length) });
      }
    }
  }
  return [...found.values()];
}
