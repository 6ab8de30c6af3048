/** A search's results as a file for people, scripts and other tools. */
import type { ExportFormat } from '../../shared/lists.ts';
import { toCsv } from './csv.ts';
import type { ExportInput } from './export-input.ts';
import { toJson } from './json.ts';
import { toMarkdown } from './markdown.ts';
import { toPrompt } from './prompt.ts';
import { toSarif } from './sarif.ts';

const WRITERS: Record<ExportFormat, (input: ExportInput) => string> = {
  markdown: toMarkdown,
  json: toJson,
  csv: toCsv,
  sarif: toSarif,
  prompt: (input) => toPrompt(input).text,
};

/** The whole file as text, ending in a line feed. */
export function exportResults(format: ExportFormat, input: ExportInput): string {
  return WRITERS[format](input);
}

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
