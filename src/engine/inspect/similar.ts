import { assertPresent } from '../../shared/assert-present.ts';
import { LocusError } from '../../shared/errors.ts';
import { quoteText } from '../../shared/quote.ts';
import type { SimilarChunks, SimilarRequest } from '../../shared/similar.ts';
import type { BaseIndex } from '../nearest/base-index.ts';
import { summarizeChunk } from '../snapshot/address.ts';
import type { IndexedChunk, SearchIndex } from '../snapshot/types.ts';
import { findLargest } from '../vectors/largest.ts';

/**
 * Candidates of an index for each result. With four, at least 98 of the 100 nearest are among them, as measured by
 * `lab/bench/similar.ts`. Chunks that are left out between results count as results.
 */
const CANDIDATES_PER_RESULT = 4;
/** Candidates for each result in the first attempt: rarely more than half of the chunks are left out. */
const FIRST_CANDIDATES = 2 * CANDIDATES_PER_RESULT;
/** Share of all rows from which finding candidates is no faster than comparing with all rows. */
const MAX_CANDIDATES = 1 / 32;

type Options = Omit<SimilarRequest, 'chunk'> & {
  /** Index that finds candidates; without one, all chunks are compared. */
  nearest?: Pick<BaseIndex, 'candidates' | 'rows'> | null;
};

/** Slots by similarity, best first. */
interface Ranked {
  slots: ArrayLike<number> & Iterable<number>;
  similarities: Float32Array;
}

/**
 * Finds the chunks with the embeddings nearest to that of a chunk. Leaves out chunks that overlap it in text: itself, its
 * class and its members. Module code is compared with module code only.
 * @throws LocusError `busy` while the chunk has no embedding
 */
export function findSimilarChunks(
  index: SearchIndex,
  slot: number,
  options: Options,
): SimilarChunks {
  const center = index.getChunk(slot);
  const vector = index.vectors.getVector(slot);
  if (!vector) throw createNotEncodedError(center);
  const wanted = { index, slot, sourceOnly: options.sourceOnly };
  const compared = countComparable(wanted);
  const limit = Math.min(options.limit, compared);
  const found =
    (options.nearest && findByIndex(wanted, options.nearest, vector, limit)) ??
    findByComparison(wanted, vector, limit);
  return {
    center: summarizeChunk(center),
    chunks: found.map(({ other, similarity }) => ({
      ...summarizeChunk(index.getChunk(other)),
      // Rounding of fixed-point numbers may exceed 1 for equal texts.
      similarity: Math.min(1, similarity),
    })),
    compared,
    pending: index.liveCount - index.vectors.size,
  };
}

/**
 * Finds the most similar chunks of a chunk by comparing all, so that the answer is the same in every process. Empty while it has
 * no embedding.
 */
export function findSimilarSlots(
  index: SearchIndex,
  slot: number,
  limit: number,
): { slot: number; similarity: number }[] {
  const vector = index.vectors.getVector(slot);
  if (!vector) return [];
  const found = findByComparison({ index, slot, sourceOnly: false }, vector, limit);
  return found.map(({ other, similarity }) => ({ slot: other, similarity }));
}

interface Wanted {
  index: SearchIndex;
  slot: number;
  sourceOnly: boolean;
}

interface FoundChunk {
  other: number;
  similarity: number;
  /** Number of ranked chunks that were examined up to this one. */
  examined: number;
}

function findByComparison(wanted: Wanted, vector: Float32Array, limit: number): FoundChunk[] {
  const similarities = wanted.index.vectors.getSimilarities(vector);
  for (let count = FIRST_CANDIDATES * limit + 1; ; count *= 8) {
    const most = Math.min(count, similarities.length);
    const found = selectFirst(wanted, findLargest(similarities, most), limit);
    if (found.length === limit || most === similarities.length) return found;
  }
}

/**
 * Finds the nearest chunks among candidates of an index, enough of them that hardly a nearer chunk is missing. Returns null
 * if comparing with all chunks would be as fast.
 */
function findByIndex(
  wanted: Wanted,
  nearest: Pick<BaseIndex, 'candidates' | 'rows'>,
  vector: Float32Array,
  limit: number,
): FoundChunk[] | null {
  const { vectors } = wanted.index;
  for (let count = FIRST_CANDIDATES * limit; count <= nearest.rows * MAX_CANDIDATES; ) {
    const slots = nearest.candidates(vector, count);
    const { slots: places, similarities } = findLargest(
      vectors.getSimilaritiesOf(vector, slots),
      slots.length,
    );
    const ranked = Uint32Array.from(places, (place) => assertPresent(slots[place], 'a candidate'));
    const found = selectFirst(wanted, { slots: ranked, similarities }, limit);
    const needed = CANDIDATES_PER_RESULT * (found.at(-1)?.examined ?? 0);
    if (found.length === limit && needed <= count) return found;
    count = Math.max(needed, 4 * count);
  }
  return null;
}

/** Returns the first ranked chunks that are not left out, at most `limit`. */
function selectFirst(
  { index, slot, sourceOnly }: Wanted,
  ranked: Ranked,
  limit: number,
): FoundChunk[] {
  const center = index.getChunk(slot);
  const found: FoundChunk[] = [];
  let examined = 0;
  for (const other of ranked.slots) {
    if (found.length === limit) break;
    const similarity = assertPresent(ranked.similarities[examined++], 'a similarity');
    const chunk = index.getChunkOrNull(other);
    if (
      chunk &&
      index.vectors.has(other) &&
      isComparable(center, slot, chunk, other) &&
      (!sourceOnly || chunk.role === 'source')
    )
      found.push({ other, similarity, examined });
  }
  return found;
}

function isComparable(
  center: IndexedChunk,
  slot: number,
  chunk: IndexedChunk,
  other: number,
): boolean {
  return (
    other !== slot &&
    center.parent !== other &&
    chunk.parent !== slot &&
    (chunk.kind === 'module') === (center.kind === 'module')
  );
}

function createNotEncodedError({ path, qualifiedName }: IndexedChunk): LocusError {
  return new LocusError(
    'busy',
    `${quoteText(`${path}::${qualifiedName}`)} cannot be compared yet because it is not indexed completely.`,
    'Wait until indexing is complete. The window shows the progress; in a terminal, run locus index.',
  );
}

/** Numbers of chunks with an embedding: module code and others, in source files and in all files. */
interface Counts {
  /** Value of the embedding table's `changes` when the chunks were counted. */
  changes: number;
  modules: { all: number; source: number };
  others: { all: number; source: number };
}

/** Cached counts. Counting a million chunks takes longer than finding the nearest ones. */
const cachedCounts = new WeakMap<SearchIndex, Counts>();

/** Counts the chunks that a chunk is compared with: of its kind, with an embedding, and not overlapping it in text. */
function countComparable({
  index,
  slot,
  sourceOnly,
}: {
  index: SearchIndex;
  slot: number;
  sourceOnly: boolean;
}): number {
  const center = index.getChunk(slot);
  const isModule = (chunk: IndexedChunk) => chunk.kind === 'module';
  const { modules, others } = computeCounts(index);
  const counts = isModule(center) ? modules : others;
  const overlapping = index.getSlotsByPath(center.path).filter((other) => {
    const chunk = index.getChunk(other);
    return (
      (other === slot || other === center.parent || chunk.parent === slot) &&
      isModule(chunk) === isModule(center) &&
      index.vectors.has(other) &&
      (!sourceOnly || chunk.role === 'source')
    );
  });
  return (sourceOnly ? counts.source : counts.all) - overlapping.length;
}

function computeCounts(index: SearchIndex): Counts {
  const known = cachedCounts.get(index);
  const { changes } = index.vectors;
  if (known?.changes === changes) return known;
  const counts: Counts = {
    changes,
    modules: { all: 0, source: 0 },
    others: { all: 0, source: 0 },
  };
  for (const slot of index.vectors.listSlots()) {
    const chunk = index.getChunkOrNull(slot);
    if (!chunk) continue;
    const group = chunk.kind === 'module' ? counts.modules : counts.others;
    group.all++;
    if (chunk.role === 'source') group.source++;
  }
  cachedCounts.set(index, counts);
  return counts;
}
