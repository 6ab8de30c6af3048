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
  const isOther = ({ path }: File) => Number(roleOf(path) !== 'source');
  return inPieces(files.toSorted(byLanguage), threads).map((list) =>
    list.sort((a, b) => isOther(a) - isOther(b)),
  );
}

function byLanguage(a: { path: string }, b: { path: string }): number {
  const [one, other] = [languageOf(a.path)?.name ?? '', languageOf(b.path)?.name ?? ''];
  return one < other ? -1 : Number(one > other);
}

function inPieces<T>(list: readonly T[], pieces: number): T[][] {
  const length = Math.ceil(list.length / pieces);
  return Array.from({ length: pieces }, (_, i) => list.slice(i * length, (i + 1) * length));
}
