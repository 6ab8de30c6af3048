import type { Failure } from './errors.ts';

/** What went wrong, and what to do about it, as sentences. */
export function inSentences({ message, remedy }: Pick<Failure, 'message' | 'remedy'>): string {
  const [first = ''] = remedy;
  return `${withoutEnd(message)}. ${first.toUpperCase()}${withoutEnd(remedy.slice(first.length))}.`;
}

/** Some are written as sentences already. */
const withoutEnd = (text: string): string => text.replace(/\.$/, '');
