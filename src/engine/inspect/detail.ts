import { addressOf } from '../../shared/address.ts';
import type { ChunkDetail } from '../../shared/detail.ts';
import { present } from '../../shared/present.ts';
import type { Encoder } from '../encode/types.ts';
import { summaryOf } from '../snapshot/address.ts';
import { calleeSlots, encoderDocument, modelKey } from '../snapshot/encoder-document.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Store } from '../store/store.ts';
import { edgesFrom } from './neighborhood.ts';

/** A chunk with its code, its place in the call graph and exactly what the encoder was told about it. */
export async function chunkDetail(
  index: RepositoryIndex,
  store: Store,
  snapshotId: number,
  encoder: Encoder,
  slot: number,
): Promise<ChunkDetail> {
  const chunk = index.chunk(slot);
  const stored = store.versions.text(chunk.id);
  const callerSlots = [...new Set(index.callers(slot).map((caller) => caller.slot))];
  const calleesSeen = calleeSlots(index, slot).map((callee) => addressOf(index.chunk(callee)));
  // All of the index is read before the encoder is waited for: an edit may take the chunk away meanwhile.
  const detail = {
    ...summaryOf(chunk),
    code: codeOf(index, store, slot),
    docstring: stored.doc ? stored.text.slice(...stored.doc) : null,
    contentHash: stored.hash,
    callers: callerSlots.flatMap((caller) =>
      edgesFrom(index, store, snapshotId, caller, (callee) => callee === slot),
    ),
    callees: edgesFrom(index, store, snapshotId, slot),
  };
  const model = modelKey(encoder.modelId, encoder.modelVersion);
  const embedded = index.vectors.has(slot);
  const parts = await encoder.explain(encoderDocument(store, index, slot));
  const calleeParts = parts.filter((part) => part.role === 'callee');
  calleeParts.forEach((part, i) => {
    part.address = calleesSeen[i];
  });
  return { ...detail, context: { model, parts, embedded } };
}

/** The chunk's lines of its file as it was indexed; a module chunk's are those that no definition covers. */
function codeOf(index: RepositoryIndex, store: Store, slot: number): string {
  const { path, kind, startLine, endLine } = index.chunk(slot);
  const lines = store.versions
    .content(present(index.file(path), `the indexed file ${path}`).versionId)
    .split('\n');
  if (kind !== 'module') return lines.slice(startLine - 1, endLine).join('\n');
  const covered = new Uint8Array(lines.length + 1);
  for (const other of index.slotsByPath(path)) {
    const definition = index.chunk(other);
    if (definition.kind !== 'module') covered.fill(1, definition.startLine, definition.endLine + 1);
  }
  return lines.filter((_, i) => !covered[i + 1]).join('\n');
}
