import { addressOf } from '../../shared/address.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import type { ChunkDetail, FileDetail, OutlinedChunk } from '../../shared/detail.ts';
import { LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import { quoted } from '../../shared/quoted.ts';
import { modelKey } from '../encode/manifest.ts';
import type { Encoder } from '../encode/types.ts';
import { languageOf } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import { headerAt } from '../languages/layout/header.ts';
import { callersByPlace } from '../search/gather/chunks.ts';
import { summaryOf } from '../snapshot/address.ts';
import { calleeSlots, encoderDocument } from '../snapshot/encoder-document.ts';
import type { IndexedFile, RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Store } from '../store/store.ts';
import { edgesFrom } from './neighborhood.ts';

/** Returns a chunk with its code, its callers and callees, and the exact input of the encoder. */
export async function chunkDetail(
  index: RepositoryIndex,
  store: Store,
  encoder: Encoder,
  slot: number,
): Promise<ChunkDetail> {
  const chunk = index.chunk(slot);
  const stored = store.versions.text(chunk.id);
  const callerSlots = [...new Set(callersByPlace(slot, index).map((caller) => caller.slot))];
  const calleesSeen = calleeSlots(index, slot).map((callee) => addressOf(index.chunk(callee)));
  // The index is read before waiting for the encoder: an edit may remove the chunk in the meantime.
  const detail = {
    ...summaryOf(chunk),
    code: readChunkCode(index, store, slot),
    docstring: stored.doc ? stored.text.slice(...stored.doc) : null,
    contentHash: stored.hash,
    callers: callerSlots.flatMap((caller) =>
      edgesFrom(index, store, caller, (callee) => callee === slot),
    ),
    callees: edgesFrom(index, store, slot),
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

/** Returns the chunk's lines of its indexed file; for module code, the lines outside all definitions. */
function readChunkCode(index: RepositoryIndex, store: Store, slot: number): string {
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

/**
 * Returns a file of the index.
 * @throws LocusError `not-found` if the index has no such file
 */
export function indexedFile(index: RepositoryIndex, path: string): IndexedFile {
  const file = index.file(path);
  if (file) return file;
  throw new LocusError(
    'not-found',
    `The file ${quoted(path)} is not in the index.`,
    'It may have been removed or skipped. See the list of skipped files.',
  );
}

/**
 * Returns a whole file as it was indexed, even if it has changed on disk.
 * @throws LocusError `not-found` if it is not in the index
 */
export function fileDetail(index: RepositoryIndex, store: Store, path: string): FileDetail {
  const file = indexedFile(index, path);
  const text = store.versions.content(file.versionId);
  const language = languageOf(path);
  const lines = text.split('\n');
  const chunks = file.slots
    .map((slot) => outlineChunk(summaryOf(index.chunk(slot)), language, lines))
    .sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  return { path, text, language: language?.name ?? '', role: file.role, chunks };
}

/** Maximum lines of decorators and comments before a header. */
const MOST_BEFORE = 200;

function outlineChunk(
  chunk: ChunkSummary,
  language: Language | null,
  lines: readonly string[],
): OutlinedChunk {
  const { name, startLine, endLine } = chunk;
  const last = Math.min(endLine, startLine + MOST_BEFORE);
  for (let line = startLine; language && line <= last; line++) {
    if (headerAt(language, lines[line - 1] ?? '', 0)?.name === name) {
      return { ...chunk, headerLine: line };
    }
  }
  return { ...chunk, headerLine: startLine };
}
