import type { Failure } from '../../shared/errors.ts';

/** What went wrong, and what to do about it, as sentences. */
export function inSentences({ message, remedy }: Pick<Failure, 'message' | 'remedy'>): string {
  return `${message}. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`;
}
