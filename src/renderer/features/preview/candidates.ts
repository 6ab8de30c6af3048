/** Results of a search by their location in files. */
import { type ChunkAddress, splitAddress } from '../../../shared/address.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import type { RankedChunk } from '../../../shared/search.ts';

export const getPath = (address: ChunkAddress): string => splitAddress(address).path;

/** Returns the results in a file, from top to bottom. */
export function listResultsIn(results: readonly RankedChunk[], path: string): RankedChunk[] {
  return results
    .filter((result) => result.path === path)
    .sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
}

/** Returns the color strength of a rank, from 1 (strongest) to 4; see `--code-heat-*` in the tokens. */
export function getHeat(rank: number): 1 | 2 | 3 | 4 {
  return rank <= 3 ? 1 : rank <= 10 ? 2 : rank <= 30 ? 3 : 4;
}

/**
 * Returns the lines of a chunk outside its nested chunks: of a class, lines outside its methods; of module code, lines outside
 * any definition. 1-based, inclusive.
 */
export function listOwnLines(
  { address, kind, startLine, endLine }: ChunkSummary,
  chunks: readonly ChunkSummary[],
): [start: number, end: number][] {
  if (kind === 'function' || kind === 'method') return [[startLine, endLine]];
  const own: [number, number][] = [];
  let from = startLine;
  for (const inner of chunks) {
    if (inner.address === address || inner.kind === 'module') continue;
    if (inner.startLine < startLine || inner.endLine > endLine) continue;
    // A class with the same lines encloses this one, so it is not nested in it.
    if (kind !== 'module' && inner.startLine === startLine && inner.endLine === endLine) continue;
    if (inner.startLine > from) own.push([from, inner.startLine - 1]);
    from = Math.max(from, inner.endLine + 1);
  }
  if (from <= endLine) own.push([from, endLine]);
  return own;
}

/** Returns the number of definitions that enclose a chunk, whose headers stay visible above it. */
export function getDepth(
  { address, startLine, endLine }: ChunkSummary,
  chunks: readonly ChunkSummary[],
): number {
  return chunks.filter(
    (outer) =>
      outer.kind !== 'module' &&
      outer.address !== address &&
      outer.startLine <= startLine &&
      outer.endLine >= endLine,
  ).length;
}

/** Returns the innermost chunk of a line; module code only if no definition contains the line. */
export function findChunkAt(chunks: readonly ChunkSummary[], line: number): ChunkSummary | null {
  let found: ChunkSummary | null = null;
  for (const chunk of chunks) {
    if (chunk.startLine > line || chunk.endLine < line) continue;
    if (!found || found.kind === 'module' || chunk.startLine >= found.startLine) found = chunk;
  }
  return found;
}

/** Returns the result after (or with -1 before) `selected` in its file, with wrap-around; null if there is no other. */
export function findNextInFile(
  results: readonly RankedChunk[],
  selected: ChunkAddress,
  line: number,
  step: 1 | -1,
): RankedChunk | null {
  const inFile = listResultsIn(results, getPath(selected));
  const count = inFile.length;
  if (count === 0) return null;
  const at = inFile.findIndex(({ address }) => address === selected);
  if (at >= 0) return (count > 1 && inFile[(at + step + count) % count]) || null;
  // The selected chunk is not a result: start at the cursor.
  const below = inFile.findIndex(({ startLine }) => startLine > line);
  const after = below < 0 ? count : below;
  const next = step === 1 ? after : after - 1;
  return inFile[(next + count) % count] ?? null;
}

/** Returns the best result of the next (or with -1 the previous) file; files are in the order of their best ranks. */
export function findBestInNextFile(
  results: readonly RankedChunk[],
  selected: ChunkAddress | null,
  step: 1 | -1,
): RankedChunk | null {
  const best = new Map<string, RankedChunk>();
  for (const result of results) if (!best.has(result.path)) best.set(result.path, result);
  const firsts = [...best.values()];
  const at = selected === null ? -1 : firsts.findIndex(({ path }) => path === getPath(selected));
  if (at < 0) return results[0] ?? null;
  return firsts[(at + step + firsts.length) % firsts.length] ?? null;
}
