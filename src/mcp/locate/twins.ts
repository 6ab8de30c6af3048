/** Folds look-alike results into one, so that copies of a function do not fill the list. */
import type { RankedChunk } from '../../shared/search.ts';
import type { ResultSource, ResultSources } from './sources.ts';

/** A result, and later ones that look like it. */
export interface FoldedResult {
  chunk: RankedChunk;
  source: ResultSource | null;
  twins: RankedChunk[];
}

/** Minimum share of common lines, of all lines of both, for two functions of the same name to be twins. */
const MIN_COMMON = 0.7;
const FOLDED_KINDS = new Set(['function', 'method']);

/**
 * Folds functions and methods into an earlier result of the same name with nearly the same lines. The order stays.
 * @param results results from rank 1
 */
export async function foldTwins(
  results: readonly RankedChunk[],
  sources: ResultSources,
): Promise<FoldedResult[]> {
  const folded: (FoldedResult & { lines: ReadonlySet<string> })[] = [];
  for (const chunk of results) {
    const source = await sources.find(chunk);
    const lines = listLines(source);
    const canFold = FOLDED_KINDS.has(chunk.kind) && lines.size > 0;
    const twin = folded.find(
      (one) => canFold && one.chunk.name === chunk.name && areAlike(one.lines, lines),
    );
    if (twin) twin.twins.push(chunk);
    else folded.push({ chunk, source, twins: [], lines });
  }
  return folded;
}

function listLines(source: ResultSource | null): Set<string> {
  if (!source) return new Set();
  const { file, chunk } = source;
  const lines = file.text.split('\n').slice(chunk.startLine - 1, chunk.endLine);
  return new Set(lines.map((line) => line.trim()).filter((line) => line !== ''));
}

function areAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const common = one.intersection(other).size;
  return common >= MIN_COMMON * (one.size + other.size - common);
}
