import { formatCount, formatCounted } from '../../shared/format-count.ts';
import type { RepositoryStatus, SkippedFile } from '../../shared/indexing.ts';
import { quoteText } from '../../shared/quote.ts';
import { isLanguageWithFunctions } from '../languages/unsupported.ts';

const MAX_NAMED = 6;

/** Returns a sentence about files whose calls the call graph lacks, because they were not read; null if there are none. */
export function describeMissingCalls(
  skipped: readonly SkippedFile[],
  unread: RepositoryStatus['unread'],
): string | null {
  const withCalls = unread.filter(({ kind }) => isLanguageWithFunctions(kind));
  const files = nameUnreadFiles(skipped, withCalls);
  return files && `Calls from code that was not read are missing: ${files}.`;
}

/** Returns a sentence about files whose text a search lacks, because they were not read; null if there are none. */
export function describeMissingText(
  skipped: readonly SkippedFile[],
  unread: RepositoryStatus['unread'],
  parsed: { read: number; of: number } | undefined,
): string | null {
  const files = nameUnreadFiles(skipped, unread);
  const sentences = [
    ...(files === null ? [] : [`Not searched: ${files}.`]),
    ...(parsed
      ? [`Only ${formatCount(parsed.read)} of ${formatCount(parsed.of)} files are indexed so far.`]
      : []),
  ];
  return sentences.join(' ') || null;
}

/** Returns a phrase that names files that were not read, the first ones by path; null if there are none. */
function nameUnreadFiles(
  skipped: readonly SkippedFile[],
  unread: RepositoryStatus['unread'],
): string | null {
  const files = [
    ...skipped
      .filter(({ reason }) => reason !== 'excluded')
      .map(({ path, reason, detail }) =>
        path === './' ? detail : `${quoteText(path)} (${reason})`,
      ),
    ...unread.map(({ kind, files }) => formatCounted(files, `${kind} file`)),
  ];
  if (files.length === 0) return null;
  const more = files.length - MAX_NAMED;
  const others = more > 0 ? ` and ${formatCount(more)} more` : '';
  return `${files.slice(0, MAX_NAMED).join(', ')}${others}`;
}
