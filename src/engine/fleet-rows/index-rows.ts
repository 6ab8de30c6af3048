/** Creates the rows of a commit's index for a fleet. */

import { addressOf } from '../../shared/address.ts';
import type { Content, Traits } from '../../shared/fleet-row.ts';
import { present } from '../../shared/present.ts';
import { type Manifest, modelKey } from '../encode/manifest.ts';
import { FIELD_COUNT } from '../lexical/tokenize.ts';
import { LiveSnapshot } from '../snapshot/live-snapshot.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import { Store } from '../store/store.ts';

/** Maximum count of a term in a field, for BM25F. */
const MOST_COUNTED = 31;
/** Maximum bytes of a row's terms and of its traits, limited by the engine. The end of longer ones is cut off. */
const MOST_TERMS = 48_000;
const MOST_TRAITS = 48_000;
/** Maximum number of calls of a chunk. */
const MOST_CALLS = 40;

/**
 * Yields the content of a row for each chunk of a commit, in order of slot. Chunks without an embedding are left out; a complete
 * index has none.
 * @param directory folder of the index, which is opened for reading only.
 * @throws LocusError `bad-store` if it cannot be read.
 */
export function* readRowContents(
  directory: string,
  revision: string,
  { id, version, dimensions }: Pick<Manifest, 'id' | 'version' | 'dimensions'>,
): Generator<Content> {
  const store = new Store(directory, null, { revision });
  try {
    const { index } = new LiveSnapshot(store, revision, { key: modelKey(id, version), dimensions });
    for (let slot = 0; slot < index.chunks.length; slot++) {
      const vector = index.chunkAt(slot) && index.vectors.vector(slot);
      if (vector)
        yield { traits: traitsOf(slot, index), terms: termsOf(slot, index, store), vector };
    }
  } finally {
    store.close();
  }
}

function termsOf(slot: number, index: RepositoryIndex, store: Store): string {
  const fields = Array.from({ length: FIELD_COUNT }, (): string[] => []);
  let room = MOST_TERMS;
  // Sorted by field, so that words of the body are cut off first. Then by text, because term ids differ between indexes.
  const entries = Array.from(index.lexical.entries(slot), (entry) => ({
    entry,
    term: store.terms.termOf(entry >>> 11) ?? '',
  })).sort((a, b) => ((a.entry >>> 8) & 7) - ((b.entry >>> 8) & 7) || (a.term < b.term ? -1 : 1));
  for (const { entry, term } of entries) {
    const count = Math.min(entry & 255, MOST_COUNTED);
    room -= count * (Buffer.byteLength(term) + 1);
    if (room < 0) break;
    const field = present(fields[(entry >>> 8) & 7], 'the field of an entry');
    for (let i = 0; i < count; i++) field.push(term);
  }
  return fields.map((terms) => terms.join(' ')).join('\n');
}

function traitsOf(slot: number, index: RepositoryIndex): Traits {
  const chunk = index.chunk(slot);
  const { qualifiedName, name, ordinal, kind, role, language, path, startLine, endLine } = chunk;
  const calls = index
    .callees(slot)
    .slice(0, MOST_CALLS)
    .map((to): Traits['calls'][number] => [
      addressOf(index.chunk(to.slot)),
      to.kind,
      to.guess ? 1 : 0,
    ]);
  const own: Traits = {
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
    parent: chunk.parent < 0 ? null : addressOf(index.chunk(chunk.parent)),
    package: index.packages.of(path),
    calls,
  };
  while (calls.length > 0 && Buffer.byteLength(JSON.stringify(own)) > MOST_TRAITS) calls.pop();
  return own;
}
