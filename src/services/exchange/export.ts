/** Writes search results to a file, for people, scripts and other tools. */

import { stringify } from 'csv-stringify/sync';
import { listReasons } from '../../shared/evidence.ts';
import type { ExportFormat } from '../../shared/lists.ts';
import { present } from '../../shared/present.ts';
import { escapeHidden, escapeHiddenLines, stringifySafely } from '../../shared/quote.ts';
import { VERSION } from '../../shared/version.ts';
import { type ExportInput, getRank, getReranking } from './export-input.ts';
import { LIST_FORMAT, LIST_VERSION, type ListEntry, type LocusList } from './list.ts';
import { toMarkdown } from './markdown.ts';
import { toPrompt } from './prompt.ts';
import { toSarif } from './sarif.ts';

/** Writes the list format of `list.ts`, which `parseList` reads. It holds no absolute path. */
function toJson(input: ExportInput): string {
  return `${stringifySafely(toList(input))}\n`;
}

export function toList(input: ExportInput): LocusList {
  const { response, issue, hashes, commit, marks, code, permalinks, links, createdAt } = input;
  const { repository, model } = response;
  return {
    format: LIST_FORMAT,
    version: LIST_VERSION,
    createdBy: { name: 'locus', version: VERSION },
    ...(createdAt && { createdAt }),
    repository: {
      name: repository.name,
      commit,
      workingTree: repository.revision === null,
      files: repository.files,
      chunks: repository.chunks,
    },
    issue: { title: response.issue.title, text: issue },
    model: { id: model.id, version: model.version, ranker: model.ranker },
    reranking: getReranking(response.reranking),
    partial: response.partial !== null,
    chunks: response.results.map(
      (result): ListEntry => ({
        rank: getRank(input, result),
        score: result.score,
        path: result.path,
        qualifiedName: result.qualifiedName,
        ordinal: result.ordinal,
        language: result.language,
        kind: result.kind,
        startLine: result.startLine,
        endLine: result.endLine,
        contentHash: present(hashes.get(result.address), `the content hash of ${result.address}`),
        // Spans in the issue are only useful with the issue open, and the sentences quote them.
        evidence: Object.fromEntries(
          Object.entries(result.evidence).map(([signal, { spans: _, ...said }]) => [signal, said]),
        ),
        reranked: result.reranked,
        ...marks?.get(result.address),
        // JSON omits undefined values.
        code: code?.get(result.address),
        permalink: permalinks?.get(result.address),
        link: links?.get(result.address),
      }),
    ),
  };
}

/**
 * Writes CSV as in RFC 4180, one row for each result. `reranked_by` names the models that reranked a result; it is empty in an
 * initial ranking. Text that a spreadsheet would run as a formula gets a leading quote mark.
 */
function toCsv(input: ExportInput): string {
  const { response, hashes, marks, permalinks, links } = input;
  const rows = response.results.map((result) => ({
    rank: getRank(input, result) ?? '',
    score: result.score,
    path: escapeHidden(result.path),
    qualified_name: escapeHidden(result.qualifiedName),
    kind: result.kind,
    start_line: result.startLine,
    end_line: result.endLine,
    reasons: listReasons(result).map(escapeHidden).join('; '),
    mark: marks?.get(result.address)?.mark ?? '',
    note: escapeHiddenLines(marks?.get(result.address)?.note ?? ''),
    content_hash: present(hashes.get(result.address), `the content hash of ${result.address}`),
    reranked_by: result.reranked ? escapeHidden(response.reranking.models.join(', ')) : '',
    permalink: permalinks?.get(result.address) ?? '',
    link: links?.get(result.address) ?? '',
  }));
  return stringify(rows, {
    header: true,
    columns: COLUMNS,
    escape_formulas: true,
    record_delimiter: 'windows',
    // Numbers are exempt from the formula guard, which would quote a negative score.
    cast: { number: (value) => ({ value: String(value), escape_formulas: false }) },
  });
}

const COLUMNS = [
  'rank',
  'score',
  'path',
  'qualified_name',
  'kind',
  'start_line',
  'end_line',
  'reasons',
  'mark',
  'note',
  'content_hash',
  'reranked_by',
  'permalink',
  'link',
];

const WRITERS: Record<ExportFormat, (input: ExportInput) => string> = {
  markdown: toMarkdown,
  json: toJson,
  csv: toCsv,
  sarif: toSarif,
  prompt: (input) => toPrompt(input).text,
};

/** Returns the whole file as text, ending in a line feed. */
export function exportResults(format: ExportFormat, input: ExportInput): string {
  return WRITERS[format](input);
}

/** Returns the format for a file name's extension; null if it is unknown. */
export function detectFormat(path: string): ExportFormat | null {
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
