/** The edit candidates of a search, as they lie in files. */
import { type ChunkAddress, splitAddress } from '../../../shared/address.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import type { RankedChunk } from '../../../shared/search.ts';

export const pathOf = (address: ChunkAddress): string => splitAddress(address).path;

/** Returns the candidates in a file, from top to bottom. */
export function candidatesIn(results: readonly RankedChunk[], path: string): RankedChunk[] {
  return results
    .filter((result) => result.path === path)
    .sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
}

/** Returns how strongly a rank is coloured: 1 (most) to 4; see `--code-heat-*` in the tokens. */
export function heatOf(rank: number): 1 | 2 | 3 | 4 {
  return rank <= 3 ? 1 : rank <= 10 ? 2 : rank <= 30 ? 3 : 4;
}

/**
 * The lines that belong to a chunk and to none inside of it: of a class what is outside of its methods, of a module
 * what is outside of any definition. 1-based, inclusive.
 */
export function ownLines(
  { address, kind, startLine, endLine }: ChunkSummary,
  chunks: readonly ChunkSummary[],
): [start: number, end: number][] {
  if (kind === 'function' || kind === 'method') return [[startLine, endLine]];
  const own: [number, number][] = [];
  let from = startLine;
  for (const inner of chunks) {
    if (inner.address === address || inner.kind === 'module') continue;
    if (inner.startLine < startLine || inner.endLine > endLine) continue;
    // Of a class that stands around this one, only what is inside counts.
    if (kind !== 'module' && inner.startLine === startLine && inner.endLine === endLine) continue;
    if (inner.startLine > from) own.push([from, inner.startLine - 1]);
    from = Math.max(from, inner.endLine + 1);
  }
  if (from <= endLine) own.push([from, endLine]);
  return own;
}

/** Returns the number of definitions around a chunk, whose headers stay in view above it. */
export function depthOf(
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

/** The innermost chunk of a line; modules are around everything. */
export function chunkAt(chunks: readonly ChunkSummary[], line: number): ChunkSummary | null {
  let found: ChunkSummary | null = null;
  for (const chunk of chunks) {
    if (chunk.startLine > line || chunk.endLine < line) continue;
    if (!found || found.kind === 'module' || chunk.startLine >= found.startLine) found = chunk;
  }
  return found;
}

/** The candidate after (or with -1 before) `selected` in its file, around the end; null when there is no other. */
export function neighborInFile(
  results: readonly RankedChunk[],
  selected: ChunkAddress,
  line: number,
  step: 1 | -1,
): RankedChunk | null {
  const here = candidatesIn(results, pathOf(selected));
  if (here.length === 0) return null;
  const at = here.findIndex(({ address }) => address === selected);
  if (at >= 0) return (here.length > 1 && here[(at + step + here.length) % here.length]) || null;
  // Something else is selected: from where the cursor is.
  const below = here.findIndex(({ startLine }) => startLine > line);
  const after = below < 0 ? here.length : below;
  const next = step === 1 ? after : after - 1;
  return here[(next + here.length) % here.length] ?? null;
}

/** The best candidate of the next (or with -1 the previous) file, the files in the order of their best ranks. */
export function bestInNextFile(
  results: readonly RankedChunk[],
  selected: ChunkAddress | null,
  step: 1 | -1,
): RankedChunk | null {
  const best = new Map<string, RankedChunk>();
  for (const result of results) if (!best.has(result.path)) best.set(result.path, result);
  const firsts = [...best.values()];
  const at = selected === null ? -1 : firsts.findIndex(({ path }) => path === pathOf(selected));
  if (at < 0) return results[0] ?? null;
  return firsts[(at + step + firsts.length) % firsts.length] ?? null;
}
