/** The order in which files are parsed. It decides only what a search finds while the first run goes on, never the index. */
import { findLanguage } from '../languages/index.ts';
import { inferRole } from '../source/role.ts';

/**
 * Returns one list of files per thread. Each list has few languages, since grammars are slow to load. It starts with source files
 * whose paths share most words with an issue, then has other source files, so that an early search finds what users look for most. It
 * ends with files without code.
 * @param about text of the issue that somebody waits for
 */
export function planParsing<File extends { path: string }>(
  files: readonly File[],
  threads: number,
  about = '',
): File[][] {
  const byLanguage = Map.groupBy(files, ({ path }) => findLanguage(path)?.name ?? '');
  const withoutCode = splitEvenly(byLanguage.get('') ?? [], threads);
  byLanguage.delete('');
  const code = [...byLanguage.keys()].sort().flatMap((name) => byLanguage.get(name) ?? []);
  const words = listWords(about.slice(0, MAX_ABOUT));
  return splitEvenly(code, threads).map((list, thread) => {
    const bySource = Map.groupBy(list, ({ path }) => inferRole(path) === 'source');
    return [
      ...sortByWords(bySource.get(true) ?? [], words),
      ...(bySource.get(false) ?? []),
      ...(withoutCode[thread] ?? []),
    ];
  });
}

function splitEvenly<T>(list: readonly T[], pieces: number): T[][] {
  const length = Math.ceil(list.length / pieces);
  return Array.from({ length: pieces }, (_, i) => list.slice(i * length, (i + 1) * length));
}

/** Maximum length of the part of an issue whose words count, in UTF-16 units. */
const MAX_ABOUT = 20_000;
const WORD = /[A-Z]?[a-z]{3,}|[A-Z]{4,}/g;

const listWords = (text: string): Set<string> =>
  new Set((text.match(WORD) ?? []).map((word) => word.toLowerCase()));

/** Sorts files by the number of words that their paths share with the issue, most first. Files with equally many keep their order. */
function sortByWords<File extends { path: string }>(
  files: readonly File[],
  words: ReadonlySet<string>,
): readonly File[] {
  if (words.size === 0) return files;
  const counts = new Map(
    files.map((file) => [file, listWords(file.path).intersection(words).size]),
  );
  return files.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
}
