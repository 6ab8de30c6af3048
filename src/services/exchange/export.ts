/** A search's results as a file for people, scripts and other tools. */
import type { Mark } from '../../shared/marks.ts';
import type { ChunkAddress, SearchResponse } from '../../shared/types.ts';
import { toCsv } from './csv.ts';
import { toJson } from './json.ts';
import { toMarkdown } from './markdown.ts';
import { toSarif } from './sarif.ts';

/** What an export is made of. Addresses are those of `response.results`. */
export interface ExportInput {
  response: SearchResponse;
  /** The issue, whole. */
  issue: string;
  /** SHA-1 of each result's normalised text. */
  hashes: ReadonlyMap<ChunkAddress, string>;
  /** The commit searched, or the one checked out; null without git. */
  commit: string | null;
  marks?: ReadonlyMap<ChunkAddress, { mark?: Mark; note?: string }>;
  /** Code to include (Markdown only). */
  code?: ReadonlyMap<ChunkAddress, string>;
  /** ISO 8601; left out when a file must not differ from one run to the next. */
  createdAt?: string;
}

const WRITERS = { markdown: toMarkdown, json: toJson, csv: toCsv, sarif: toSarif };

export type ExportFormat = keyof typeof WRITERS;
export const EXPORT_FORMATS = Object.keys(WRITERS) as ExportFormat[];

/** The whole file as text, ending in a line feed. */
export function exportResults(format: ExportFormat, input: ExportInput): string {
  return WRITERS[format](input);
}

/** The format that a file name asks for, or null. */
export function formatOfFile(path: string): ExportFormat | null {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  const formats: Record<string, ExportFormat> = {
    md: 'markdown',
    markdown: 'markdown',
    json: 'json',
    csv: 'csv',
    sarif: 'sarif',
  };
  return (extension && formats[extension]) || null;
}
