/** Creates the rows of a commit's index for a fleet. */

import { formatAddress } from '../../shared/address.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import type { FleetRowContent, FleetTraits } from '../../shared/fleet-row.ts';
import { getModelKey, type ModelManifest } from '../encode/manifest.ts';
import { FIELD_COUNT } from '../lexical/tokenize.ts';
import { LiveSnapshot } from '../snapshot/live-snapshot.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import { Store } from '../store/store.ts';

/** Maximum count of a term in a field, for BM25F. */
const MAX_COUNTED = 31;
/** Maximum bytes of a row's terms and of its traits, limited by the engine. The end of longer ones is cut off. */
const MAX_TERMS = 48_000;
const MAX_TRAITS = 48_000;
/** Maximum number of calls of a chunk. */
const MAX_CALLS = 40;

/**
 * Yields the content of a row for each chunk of a commit, in order of slot. Chunks without an embedding are left out; a complete
 * index has none.
 * @param directory folder of the index, which is opened for reading only.
 * @throws LocusError `bad-store` if it cannot be read.
 */
export function* readRowContents(
  directory: string,
  revision: string,
  { id, version, dimensions }: Pick<ModelManifest, 'id' | 'version' | 'dimensions'>,
): Generator<FleetRowContent> {
  const store = new Store(directory, null, { revision });
  try {
    const { index } = new LiveSnapshot(store, revision, {
      key: getModelKey(id, version),
      dimensions,
    });
    for (let slot = 0; slot < index.chunks.length; slot++) {
      const vector = index.getChunkOrNull(slot) && index.vectors.getVector(slot);
      if (vector)
        yield {
          traits: collectTraits(slot, index),
          terms: collectTerms(slot, index, store),
          vector,
        };
    }
  } finally {
    store.close();
  }
}

function collectTerms(slot: number, index: RepositoryIndex, store: Store): string {
  const fields = Array.from({ length: FIELD_COUNT }, (): string[] => []);
  let room = MAX_TERMS;
  // Sorted by field, so that words of the body are cut off first. Then by text, because term ids differ between indexes.
  const entries = Array.from(index.lexical.getEntries(slot), (entry) => ({
    entry,
    term: store.terms.termOf(entry >>> 11) ?? '',
  })).sort((a, b) => ((a.entry >>> 8) & 7) - ((b.entry >>> 8) & 7) || (a.term < b.term ? -1 : 1));
  for (const { entry, term } of entries) {
    const count = Math.min(entry & 255, MAX_COUNTED);
    room -= count * (Buffer.byteLength(term) + 1);
    if (room < 0) break;
    const field = assertPresent(fields[(entry >>> 8) & 7], 'the field of an entry');
    for (let i = 0; i < count; i++) field.push(term);
  }
  return fields.map((terms) => terms.join(' ')).join('\n');
}

function collectTraits(slot: number, index: RepositoryIndex): FleetTraits {
  const chunk = index.getChunk(slot);
  const { qualifiedName, name, ordinal, kind, role, language, path, startLine, endLine } = chunk;
  const calls = index
    .getCallees(slot)
    .slice(0, MAX_CALLS)
    .map((to): FleetTraits['calls'][number] => [
      formatAddress(index.getChunk(to.slot)),
      to.kind,
      to.guess ? 1 : 0,
    ]);
  const own: FleetTraits = {
    qualifiedName,
    name,
    ordinal,
    kind,
    role,
    language,
    path,
    startLine,
    endLine,
    length: chunk.length,
    parent: chunk.parent < 0 ? null : formatAddress(index.getChunk(chunk.parent)),
    package: index.packages.getPackageName(path),
    calls,
  };
  while (calls.length > 0 && Buffer.byteLength(JSON.stringify(own)) > MAX_TRAITS) calls.pop();
  return own;
}
