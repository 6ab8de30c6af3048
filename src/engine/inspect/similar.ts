import { LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import { quoted } from '../../shared/quoted.ts';
import type { SimilarChunks, SimilarRequest } from '../../shared/similar.ts';
import type { BaseIndex } from '../nearest/base-index.ts';
import { summaryOf } from '../snapshot/address.ts';
import type { IndexedChunk, SearchIndex } from '../snapshot/types.ts';
import { largest } from '../vectors/largest.ts';

/**
 * Candidates of an index for each one that is wanted, by which 98 of the 100 nearest are among them and more: what
 * `lab/bench/similar.ts` measures. Those that are left out between them count as wanted.
 */
const CANDIDATES = 4;
/** Candidates to begin with: what is left out is rarely more than half. */
const FIRST = 2 * CANDIDATES;
/** The part of all rows that is as quick to compare with as to find. */
const MOST_CANDIDATES = 1 / 32;

type Options = Omit<SimilarRequest, 'chunk'> & {
  /** An index that finds candidates; without one, all are compared. */
  nearest?: Pick<BaseIndex, 'candidates' | 'rows'> | null;
};

/** Slots by similarity, best first. */
interface Ranked {
  slots: ArrayLike<number> & Iterable<number>;
  similarities: Float32Array;
}

/**
 * The chunks whose embeddings are nearest to that of the chunk in a slot. What overlaps it in text is none of them: it
 * itself, the class that it is in, and its own members. The code outside of definitions is like other such code only.
 * @throws LocusError `busy` while the chunk has no embedding.
 */
export function similarChunks(index: SearchIndex, slot: number, options: Options): SimilarChunks {
  const center = index.chunk(slot);
  const vector = index.vectors.vector(slot);
  if (!vector) throw notEncoded(center);
  const wanted = { index, slot, sourceOnly: options.sourceOnly };
  const compared = comparableTo(wanted);
  const limit = Math.min(options.limit, compared);
  const found =
    (options.nearest && byIndex(wanted, options.nearest, vector, limit)) ??
    byComparison(wanted, vector, limit);
  return {
    center: summaryOf(center),
    chunks: found.map(({ other, similarity }) => ({
      ...summaryOf(index.chunk(other)),
      // Rounding of fixed point may lead above the cosine of equal texts.
      similarity: Math.min(1, similarity),
    })),
    compared,
    pending: index.live - index.vectors.size,
  };
}

interface Wanted {
  index: SearchIndex;
  slot: number;
  sourceOnly: boolean;
}

interface Found {
  other: number;
  similarity: number;
  /** How many of the ranked it took to find it, itself included. */
  looked: number;
}

function byComparison(wanted: Wanted, vector: Float32Array, limit: number): Found[] {
  const similarities = wanted.index.vectors.similarities(vector);
  for (let count = FIRST * limit + 1; ; count *= 8) {
    const most = Math.min(count, similarities.length);
    const found = firstOf(wanted, largest(similarities, most), limit);
    if (found.length === limit || most === similarities.length) return found;
  }
}

/**
 * By comparing with candidates, of which there are so many more than it takes that hardly a nearer one is missing; null
 * where that would be no quicker than to compare with all.
 */
function byIndex(
  wanted: Wanted,
  nearest: Pick<BaseIndex, 'candidates' | 'rows'>,
  vector: Float32Array,
  limit: number,
): Found[] | null {
  const { vectors } = wanted.index;
  for (let count = FIRST * limit; count <= nearest.rows * MOST_CANDIDATES; ) {
    const slots = nearest.candidates(vector, count);
    const { slots: places, similarities } = largest(
      vectors.similaritiesOf(vector, slots),
      slots.length,
    );
    const ranked = Uint32Array.from(places, (place) => present(slots[place], 'a candidate'));
    const found = firstOf(wanted, { slots: ranked, similarities }, limit);
    const needed = CANDIDATES * (found.at(-1)?.looked ?? 0);
    if (found.length === limit && needed <= count) return found;
    count = Math.max(needed, 4 * count);
  }
  return null;
}

/** The first of the ranked that are none of those left out, at most `limit`. */
function firstOf({ index, slot, sourceOnly }: Wanted, ranked: Ranked, limit: number): Found[] {
  const center = index.chunk(slot);
  const found: Found[] = [];
  let looked = 0;
  for (const other of ranked.slots) {
    if (found.length === limit) break;
    const similarity = present(ranked.similarities[looked++], 'a similarity');
    const chunk = index.chunkAt(other);
    if (
      chunk &&
      index.vectors.has(other) &&
      isOther(center, slot, chunk, other) &&
      (!sourceOnly || chunk.role === 'source')
    )
      found.push({ other, similarity, looked });
  }
  return found;
}

function isOther(center: IndexedChunk, slot: number, chunk: IndexedChunk, other: number): boolean {
  return (
    other !== slot &&
    center.parent !== other &&
    chunk.parent !== slot &&
    (chunk.kind === 'module') === (center.kind === 'module')
  );
}

function notEncoded({ path, qualifiedName }: IndexedChunk): LocusError {
  return new LocusError(
    'busy',
    `${quoted(`${path}::${qualifiedName}`)} has no embedding yet, so nothing can be compared with it`,
    'wait until the repository is indexed: locus index, or the progress in the window',
  );
}

/** Chunks with an embedding: modules and all others, of source and of all files. */
interface Counts {
  /** Value of the embedding table's `changes` when the chunks were counted. */
  changes: number;
  modules: { all: number; source: number };
  others: { all: number; source: number };
}

/** Counting looks at every chunk, which at a million takes longer than to find the nearest. */
const counted = new WeakMap<SearchIndex, Counts>();

/** With how many chunks the one in a slot can be compared: those of its kind that have an embedding and do not overlap it in text. */
function comparableTo({
  index,
  slot,
  sourceOnly,
}: {
  index: SearchIndex;
  slot: number;
  sourceOnly: boolean;
}): number {
  const center = index.chunk(slot);
  const isModule = (chunk: IndexedChunk) => chunk.kind === 'module';
  const { modules, others } = computeCounts(index);
  const counts = isModule(center) ? modules : others;
  const overlapping = index.slotsByPath(center.path).filter((other) => {
    const chunk = index.chunk(other);
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
  const known = counted.get(index);
  const { changes } = index.vectors;
  if (known?.changes === changes) return known;
  const counts: Counts = {
    changes,
    modules: { all: 0, source: 0 },
    others: { all: 0, source: 0 },
  };
  for (const slot of index.vectors.slots()) {
    const chunk = index.chunkAt(slot);
    if (!chunk) continue;
    const of = chunk.kind === 'module' ? counts.modules : counts.others;
    of.all++;
    if (chunk.role === 'source') of.source++;
  }
  counted.set(index, counts);
  return counts;
}
