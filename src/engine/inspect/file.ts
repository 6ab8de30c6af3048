import type { ChunkSummary } from '../../shared/chunk.ts';
import type { FileDetail, OutlinedChunk } from '../../shared/detail.ts';
import { LocusError } from '../../shared/errors.ts';
import { languageOf } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import { headerAt } from '../languages/layout/header.ts';
import { summaryOf } from '../snapshot/address.ts';
import type { IndexedFile, RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Store } from '../store/store.ts';

/** @throws LocusError `not-found` when there is no such file in the index. */
export function indexedFile(index: RepositoryIndex, path: string): IndexedFile {
  const file = index.file(path);
  if (file) return file;
  throw new LocusError(
    'not-found',
    `${path} is not in the index`,
    'it may have been removed or left out; see the list of skipped files',
  );
}

/**
 * A whole file as it was indexed, whatever is on disk by now.
 * @throws LocusError `not-found` when it is not in the index.
 */
export function fileDetail(index: RepositoryIndex, store: Store, path: string): FileDetail {
  const file = indexedFile(index, path);
  const text = store.versions.content(file.versionId);
  const language = languageOf(path);
  const lines = text.split('\n');
  const chunks = file.slots
    .map((slot) => outlined(summaryOf(index.chunk(slot)), language, lines))
    .sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  return { path, text, language: language?.name ?? '', role: file.role, chunks };
}

/** Lines of decorators and comments that are looked through for a header. */
const MOST_BEFORE = 200;

function outlined(
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
