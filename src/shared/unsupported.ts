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

const MAX_NAMED = 3;

/** Returns sentences about the files that an issue mentions and that were not read, with the reason for each. */
export function describeUnindexed(unindexed: IssueReport['unindexed']): string[] {
  if (unindexed.length === 0) return [];
  const named = unindexed
    .slice(0, MAX_NAMED)
    .map(({ path, reason, detail }) => `${quoteText(path)} was not read (${reason}): ${detail}.`);
  const more = unindexed.length - named.length;
  return [
    ...named,
    ...(more > 0 ? [`${formatCount(more)} more files that the issue mentions were not read.`] : []),
    'The list cannot contain functions of files that were not read.',
  ];
}
