/** Reasons why commits are left out, as people read them. */
import type { Rejection } from '../../engine/index.ts';
import { MAX_EDITED } from './replay.ts';

export const LEFT_OUT_REASONS: Record<Rejection, string> = {
  merge: 'merges',
  bot: 'of bots',
  housekeeping: 'releases and mechanical rewrites',
  revert: 'reverts',
  'short message': 'too short a text',
  'no source edited': 'no existing source file changed, such as tests or docs only',
  'too many files': 'too many files',
  'sources moved or deleted': 'source files moved or deleted',
  'no test touched': 'no test changed',
  'formatting only': 'formatting only',
  'no chunk edited': 'no existing function changed',
  'too many chunks': `more than ${MAX_EDITED} functions`,
  unreadable: 'unreadable, such as files that a partial clone lacks',
  duplicate: 'duplicates',
  inconsistent: 'inconsistent',
};

/** Returns the reasons that occur, with their counts, the most frequent first. */
export function countReasons(
  leftOut: Partial<Record<Rejection, number>>,
): { text: string; count: number }[] {
  return Object.entries(LEFT_OUT_REASONS)
    .map(([reason, text]) => ({ text, count: leftOut[reason as Rejection] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}
