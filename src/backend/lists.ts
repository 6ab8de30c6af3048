/** Lists that leave the app and come back, as windows ask for them. */
import type { z } from 'zod';
import { exportResults } from '../services/exchange/export.ts';
import type { ExportInput } from '../services/exchange/export-input.ts';
import { gatherExport } from '../services/exchange/gather.ts';
import { anchorList, readList } from '../services/exchange/import.ts';
import type { ChunkAddress } from '../shared/address.ts';
import { MOST_RESULTS } from '../shared/limits.ts';
import type { ExportedList, ImportedList } from '../shared/lists.ts';
import type { Mark, MarkedChunk } from '../shared/marks.ts';
import type { Answering } from '../shared/repository.ts';
import type { params } from '../shared/rpc/methods.ts';

const FILES = {
  markdown: { extension: 'md', mediaType: 'text/markdown' },
  json: { extension: 'json', mediaType: 'application/json' },
  csv: { extension: 'csv', mediaType: 'text/csv' },
  sarif: { extension: 'sarif', mediaType: 'application/sarif+json' },
};

/** Searches again and writes the results, or the chosen ones of them, as a file's text. */
export async function exportList(
  repository: Answering,
  { format, request, chunks, code }: z.output<(typeof params)['list.export']>,
  marked: readonly MarkedChunk[],
): Promise<ExportedList> {
  // Chunks that were picked by hand are looked for as far down as there are results.
  const response = await repository.search(chunks ? { ...request, limit: MOST_RESULTS } : request);
  const chosen = chunks && new Set(chunks);
  const results = chosen
    ? response.results.filter(({ address }) => chosen.has(address))
    : response.results;
  const found = new Set(results.map(({ address }) => address));
  const input = await gatherExport(repository, { ...response, results }, request.issue, { code });
  const { extension, mediaType } = FILES[format];
  return {
    text: exportResults(format, {
      ...input,
      marks: marksOf(marked),
      createdAt: new Date().toISOString(),
    }),
    fileName: `${slug(response.issue.title) || 'locus'}.${extension}`,
    mediaType,
    count: results.length,
    missing: chunks?.filter((address) => !found.has(address)) ?? [],
  };
}

/** Reads a colleague's list and says where each of its chunks is here. */
export async function importList(
  repository: Answering,
  text: string,
  name: string,
): Promise<ImportedList> {
  const { list, counts, entries } = await anchorList(readList(text, name), repository);
  return {
    issue: list.issue,
    repository: { name: list.repository.name, commit: list.repository.commit },
    counts,
    entries: entries.map(({ entry, state, now, detail }) => {
      const { rank, score, path, qualifiedName, kind, startLine, endLine, mark, note } = entry;
      const was = { path, qualifiedName, kind, startLine, endLine };
      return { rank, score, was, mark: mark ?? null, note: note ?? '', state, now, detail };
    }),
  };
}

function marksOf(marked: readonly MarkedChunk[]): NonNullable<ExportInput['marks']> {
  return new Map<ChunkAddress, { mark?: Mark; note?: string }>(
    marked.map(({ address, now, mark, note }) => [
      now?.address ?? address,
      { ...(mark && { mark }), ...(note && { note }) },
    ]),
  );
}

const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
