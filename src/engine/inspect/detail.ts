import { formatAddress } from '../../shared/address.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import type { ChunkDetail, FileDetail, OutlinedChunk } from '../../shared/detail.ts';
import { LocusError } from '../../shared/errors.ts';
import { quoteText } from '../../shared/quote.ts';
import { getModelKey } from '../encode/manifest.ts';
import type { Encoder } from '../encode/types.ts';
import { findLanguage, getLanguageName } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import { readHeader } from '../languages/layout/header.ts';
import { listCallersByLocation } from '../search/gather/chunks.ts';
import { summarizeChunk } from '../snapshot/address.ts';
import { buildEncoderDocument, getContextCallees } from '../snapshot/encoder-document.ts';
import type { IndexedFile, RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Store } from '../store/store.ts';
import { listEdgesFrom, registersItself } from './neighborhood.ts';

/** Returns a chunk with its code, its callers and callees, and the exact input of the encoder. */
export async function getChunkDetail(
  index: RepositoryIndex,
  store: Store,
  encoder: Encoder,
  slot: number,
): Promise<ChunkDetail> {
  const chunk = index.getChunk(slot);
  const stored = store.versions.getChunkText(chunk.id);
  const callerSlots = [...new Set(listCallersByLocation(slot, index).map((caller) => caller.slot))];
  const calleesSeen = getContextCallees(index, slot).map((callee) =>
    formatAddress(index.getChunk(callee)),
  );
  const edges = listEdgesFrom(index, store, slot);
  // The index is read before waiting for the encoder: an edit may remove the chunk in the meantime.
  const detail = {
    ...summarizeChunk(chunk),
    code: readChunkCode(index, store, slot),
    docstring: stored.doc ? stored.text.slice(...stored.doc) : null,
    contentHash: store.versions.getContentHash(chunk.id),
    callers: [
      ...edges.filter(registersItself),
      ...callerSlots.flatMap((caller) =>
        listEdgesFrom(index, store, caller, (callee) => callee === slot).filter(
          (edge) => !registersItself(edge),
        ),
      ),
    ],
    callees: edges.filter((edge) => !registersItself(edge)),
  };
  const model = getModelKey(encoder.modelId, encoder.modelVersion);
  const embedded = index.vectors.has(slot);
  const parts = await encoder.explain(buildEncoderDocument(store, index, slot));
  const calleeParts = parts.filter((part) => part.role === 'callee');
  calleeParts.forEach((part, i) => {
    part.address = calleesSeen[i];
  });
  return { ...detail, context: { model, parts, embedded } };
}

/** Returns the chunk's lines of its indexed file; for module code, the lines outside all definitions. */
function readChunkCode(index: RepositoryIndex, store: Store, slot: number): string {
  const { path, kind, startLine, endLine } = index.getChunk(slot);
  const file = assertPresent(index.getFile(path), `the indexed file ${path}`);
  const lines = readShownText(store, file, path).split('\n');
  if (kind !== 'module') return lines.slice(startLine - 1, endLine).join('\n');
  const covered = new Uint8Array(lines.length + 1);
  for (const other of index.getSlotsByPath(path)) {
    const definition = index.getChunk(other);
    if (definition.kind !== 'module') covered.fill(1, definition.startLine, definition.endLine + 1);
  }
  return lines.filter((_, i) => !covered[i + 1]).join('\n');
}

/**
 * Returns a file of the index.
 * @throws LocusError `not-found` if the index has no such file
 */
export function getIndexedFile(index: RepositoryIndex, path: string): IndexedFile {
  const file = index.getFile(path);
  if (file) return file;
  throw new LocusError(
    'not-found',
    `The file ${quoteText(path)} is not in the index.`,
    'It may have been removed or skipped. See the list of skipped files.',
  );
}

/**
 * Returns a whole file as it was indexed, even if it has changed on disk.
 * @throws LocusError `not-found` if it is not in the index
 */
export function getFileDetail(index: RepositoryIndex, store: Store, path: string): FileDetail {
  const file = getIndexedFile(index, path);
  const text = readShownText(store, file, path);
  const language = findLanguage(path);
  const lines = text.split('\n');
  const chunks = file.slots
    .map((slot) => outlineChunk(summarizeChunk(index.getChunk(slot)), language, lines))
    .sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  return { path, text, language: getLanguageName(path), role: file.role, chunks };
}

/** Returns the text of a file that people read, on the same lines: the code of a notebook instead of its JSON. */
function readShownText(store: Store, { versionId }: IndexedFile, path: string): string {
  const content = store.versions.getContent(versionId);
  return findLanguage(path)?.markup?.read(content).text ?? content;
}

/** Maximum lines of decorators and comments before a header. */
const MAX_BEFORE = 200;

function outlineChunk(
  chunk: ChunkSummary,
  language: Language | null,
  lines: readonly string[],
): OutlinedChunk {
  const { name, startLine, endLine } = chunk;
  const last = Math.min(endLine, startLine + MAX_BEFORE);
  for (let line = startLine; language && line <= last; line++) {
    if (readHeader(language, lines[line - 1] ?? '', 0)?.name === name) {
      return { ...chunk, headerLine: line };
    }
  }
  return { ...chunk, headerLine: startLine };
}
