import { languageOf } from '../languages/index.ts';
import { roleOf } from '../source/role.ts';

/**
 * Files in the order in which they are to be parsed, a list for each of `threads` threads: each has few languages, whose
 * grammars take long to load, and source first, as a search that comes early should find what people mostly look for.
 */
export function parseLists<File extends { path: string }>(
  files: readonly File[],
  threads: number,
): File[][] {
  const byLanguage = Map.groupBy(files, ({ path }) => languageOf(path)?.name ?? '');
  const sorted = [...byLanguage.keys()].sort().flatMap((name) => byLanguage.get(name) ?? []);
  return inPieces(sorted, threads).map((list) => {
    const bySource = Map.groupBy(list, ({ path }) => roleOf(path) === 'source');
    return [...(bySource.get(true) ?? []), ...(bySource.get(false) ?? [])];
  });
}

function inPieces<T>(list: readonly T[], pieces: number): T[][] {
  const length = Math.ceil(list.length / pieces);
  return Array.from({ length: pieces }, (_, i) => list.slice(i * length, (i + 1) * length));
}
