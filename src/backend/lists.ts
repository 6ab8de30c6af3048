/** Exports and imports lists for windows. */
import type { z } from 'zod';
import { exportResults } from '../services/exchange/export.ts';
import type { ExportInput } from '../services/exchange/export-input.ts';
import { gatherExport } from '../services/exchange/gather.ts';
import { anchorList, parseList } from '../services/exchange/import.ts';
import { toPrompt } from '../services/exchange/prompt.ts';
import type { ChunkAddress } from '../shared/address.ts';
import type { ExportedList, ImportedList } from '../shared/lists.ts';
import type { Mark, MarkedChunk } from '../shared/marks.ts';
import type { QueryTarget } from '../shared/repository.ts';
import type { params } from '../shared/rpc/methods.ts';
import type { RankedChunk } from '../shared/search.ts';
import type { ExportSearch } from './export-search.ts';

const FILES = {
  markdown: { extension: 'md', mediaType: 'text/markdown' },
  json: { extension: 'json', mediaType: 'application/json' },
  csv: { extension: 'csv', mediaType: 'text/csv' },
  sarif: { extension: 'sarif', mediaType: 'application/sarif+json' },
  prompt: { extension: 'prompt.md', mediaType: 'text/markdown' },
};

type ExportRequest = z.output<(typeof params)['list.export']>;

/**
 * Returns the text of a file with the results of a search, or with the selected ones.
 * @param search has searched already, unless the request or the index has changed
 * @param ceiling folder at which git stops searching for the repository
 */
export async function exportList(
  repository: QueryTarget,
  search: ExportSearch,
  { format, request, shown, check, code, links, tokens }: ExportRequest,
  marked: readonly MarkedChunk[],
  ceiling: string | undefined,
): Promise<ExportedList> {
  const response = await search.run(repository, request);
  const results = shown
    ? selectShown(response.results, shown)
    : response.results.slice(0, request.limit);
  const found = new Set(results.map(({ address }) => address));
  const gathered = await gatherExport(repository, { ...response, results }, request.issue, {
    code: code || format === 'prompt',
    ceiling,
  });
  const input: ExportInput = {
    ...gathered,
    ...(format === 'markdown' && !links && { deepLinks: undefined }),
    ...(shown && { ranks: new Map(shown.map(({ chunk, rank }) => [chunk, rank])) }),
    check,
    marks: indexMarks(marked),
    createdAt: new Date().toISOString(),
  };
  const prompt = format === 'prompt' ? toPrompt(input, tokens) : null;
  const { extension, mediaType } = FILES[format];
  return {
    text: prompt?.text ?? exportResults(format, input),
    fileName: `${toFileName(response.issue.title) || 'locus'}.${extension}`,
    mediaType,
    count: input.response.results.length,
    missing: shown?.flatMap(({ chunk }) => (found.has(chunk) ? [] : chunk)) ?? [],
    noPermalinkReason: input.unlinked ?? null,
    prompt: prompt && {
      tokens: prompt.tokens,
      withCode: prompt.withCode,
      withoutCode: prompt.withoutCode,
    },
  };
}

/** Returns the results of these chunks, in the given order. */
function selectShown(
  results: readonly RankedChunk[],
  shown: NonNullable<ExportRequest['shown']>,
): RankedChunk[] {
  const byAddress = new Map(results.map((result) => [result.address, result]));
  return shown.flatMap(({ chunk }) => byAddress.get(chunk) ?? []);
}

export async function importList(
  repository: QueryTarget,
  text: string,
  name: string,
): Promise<ImportedList> {
  const { list, counts, entries } = await anchorList(parseList(text, name), repository);
  return {
    issue: list.issue,
    repository: { name: list.repository.name, commit: list.repository.commit },
    check: list.check ?? null,
    counts,
    entries: entries.map(({ entry, state, now, detail }) => {
      const { rank, score, path, qualifiedName, kind, startLine, endLine, note = '' } = entry;
      const { mark = null, check = null } = entry;
      const was = { path, qualifiedName, kind, startLine, endLine };
      const code = state.endsWith('changed') ? (entry.code ?? null) : null;
      return { rank, score, was, mark, note, check, state, now, detail, code };
    }),
  };
}

function indexMarks(marked: readonly MarkedChunk[]): NonNullable<ExportInput['marks']> {
  return new Map<ChunkAddress, { mark?: Mark; note?: string }>(
    marked.map(({ address, now, mark, note }) => [
      now?.address ?? address,
      { ...(mark && { mark }), ...(note && { note }) },
    ]),
  );
}

const toFileName = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
