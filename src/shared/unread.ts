import { grouped } from './grouped.ts';
import type { RepositoryStatus } from './indexing.ts';

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
