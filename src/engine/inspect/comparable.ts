import type { IndexedChunk, SearchIndex } from '../snapshot/types.ts';

/** Chunks with an embedding: modules and all others, of source and of all files. */
interface Counts {
  /** Of the table of embeddings, when they were counted. */
  changes: number;
  modules: { all: number; source: number };
  others: { all: number; source: number };
}

/** Counting looks at every chunk, which at a million takes longer than to find the nearest. */
const counted = new WeakMap<SearchIndex, Counts>();

/** With how many chunks the one in a slot can be compared: those of its kind that have an embedding and do not overlap it in text. */
export function comparableTo({
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
  const { modules, others } = countsOf(index);
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

function countsOf(index: SearchIndex): Counts {
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
