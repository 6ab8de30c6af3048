import type { ChunkSummary } from '../../shared/chunk.ts';
import { parseNameQuery, rankByName } from '../../shared/name-match.ts';
import { findInnermost, summarizeChunk } from '../snapshot/address.ts';
import type { IndexedChunk, SearchIndex } from '../snapshot/types.ts';

/**
 * Finds functions and files by a typed name, best first. With a line, as in `config.ts:12`, returns the innermost chunk there in
 * each matching file; in a file without that line, the file's module code.
 */
export function findByName(index: SearchIndex, typed: string, limit: number): ChunkSummary[] {
  const query = parseNameQuery(typed);
  const { terms, line } = query;
  if (terms.length === 0) return [];
  if (line === null) return rankByName(query, listChunks(index), limit).map(summarizeChunk);
  const files = listChunks(index).filter(({ kind }) => kind === 'module');
  return rankByName(query, files, limit).map((file) => {
    const slot = findInnermost(index, file.path, line);
    return summarizeChunk(slot === undefined ? file : index.getChunk(slot));
  });
}

function* listChunks({ chunks }: SearchIndex): Generator<IndexedChunk> {
  for (const chunk of chunks) if (chunk) yield chunk;
}
