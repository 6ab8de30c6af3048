import { formatCount } from './format-count.ts';
import type { RepositoryStatus } from './indexing.ts';
import { quoteText } from './quote.ts';
import type { IssueReport } from './search.ts';

const MAX_KINDS = 6;

/** Returns a sentence about files in unsupported languages: `3 of 240 source files are Elixir, which is not supported yet`. */
export function describeUnsupported(unread: RepositoryStatus['unread'], read: number): string {
  const count = unread.reduce((sum, { files }) => sum + files, 0);
  const [first, ...others] = unread;
  const subject = `${formatCount(count)} of ${formatCount(count + read)} source files`;
  const verb = count === 1 ? 'is' : 'are';
  if (first && others.length === 0)
    return `${subject} ${verb} ${first.kind}, which is not supported yet`;
  const kinds = unread
    .slice(0, MAX_KINDS)
    .map(({ kind, files }) => `${kind} ${formatCount(files)}`);
  const more = unread.length > MAX_KINDS ? ', …' : '';
  return `${subject} ${verb} of kinds that are not supported yet: ${kinds.join(', ')}${more}`;
}

const MAX_NAMED = 2;

/**
 * Returns a clause about files that the issue mentions and no list can contain: `` `src/Cart.hs` is Haskell, which is not
 * supported ``. Null if there are none. Languages without a file in the repository are ignored, since a mention like `obj.m` is
 * then probably not a file.
 */
export function describeMentionedUnsupported(
  { unread: named }: Pick<IssueReport, 'unread'>,
  { unread }: Pick<RepositoryStatus, 'unread'>,
): string | null {
  const here = new Set(unread.map(({ kind }) => kind));
  const kinds = new Map(named.filter(({ kind }) => here.has(kind)).map((of) => [of.text, of.kind]));
  const [first] = kinds;
  if (!first) return null;
  if (kinds.size === 1) return `${quoteText(first[0])} is ${first[1]}, which is not supported`;
  const shown = [...kinds.keys()].slice(0, MAX_NAMED).map(quoteText).join(', ');
  const more = kinds.size > MAX_NAMED ? ` and ${kinds.size - MAX_NAMED} more` : '';
  return `${shown}${more} are ${[...new Set(kinds.values())].join(', ')}, not supported`;
}
