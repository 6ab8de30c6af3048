import { grouped } from './grouped.ts';
import type { RepositoryStatus } from './indexing.ts';
import { quoted } from './quoted.ts';
import type { IssueReport } from './search.ts';

const SHOWN = 6;

/** `3 of 240 source files are Elixir, which Locus does not read yet`: one sentence on what is left out for its language. */
export function unreadNote(unread: RepositoryStatus['unread'], read: number): string {
  const left = unread.reduce((sum, { files }) => sum + files, 0);
  const [first, ...others] = unread;
  const of = `${grouped(left)} of ${grouped(left + read)} source files`;
  const verb = left === 1 ? 'is' : 'are';
  if (first && others.length === 0)
    return `${of} ${verb} ${first.kind}, which Locus does not read yet`;
  const kinds = unread.slice(0, SHOWN).map(({ kind, files }) => `${kind} ${grouped(files)}`);
  const more = unread.length > SHOWN ? ', …' : '';
  return `${of} ${verb} of kinds that Locus does not read yet: ${kinds.join(', ')}${more}`;
}

const NAMED = 2;

/**
 * `` `src/Cart.hs` is Haskell, which is not read ``: files that the issue names and that the list cannot have; null without
 * any. Of kinds that the repository has none of, a name like `obj.m` is no file.
 */
export function namedUnreadText(
  { unread: named }: Pick<IssueReport, 'unread'>,
  { unread }: Pick<RepositoryStatus, 'unread'>,
): string | null {
  const here = new Set(unread.map(({ kind }) => kind));
  const kinds = new Map(named.filter(({ kind }) => here.has(kind)).map((of) => [of.text, of.kind]));
  const [first] = kinds;
  if (!first) return null;
  if (kinds.size === 1) return `${quoted(first[0])} is ${first[1]}, which is not read`;
  const shown = [...kinds.keys()].slice(0, NAMED).map(quoted).join(', ');
  const more = kinds.size > NAMED ? ` and ${kinds.size - NAMED} more` : '';
  return `${shown}${more} are ${[...new Set(kinds.values())].join(', ')}, not read`;
}
