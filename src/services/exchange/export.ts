/** Formats search results as the text of a file, for people, scripts and other tools. */

import { stringify } from 'csv-stringify/sync';
import { assertPresent } from '../../shared/assert-present.ts';
import { listReasons } from '../../shared/evidence.ts';
import type { ExportFormat } from '../../shared/lists.ts';
import { escapeHidden, escapeHiddenLines, stringifySafely } from '../../shared/quote.ts';
import type { RankedChunk } from '../../shared/search.ts';
import { VERSION } from '../../shared/version.ts';
import { describeList, type ExportInput, getRank, getReranking } from './export-input.ts';
import { LIST_FORMAT, LIST_VERSION, type ListEntry, type LocusList } from './list.ts';
import { findVerdict, toCheckHead } from './list-check.ts';
import { toMarkdown } from './markdown.ts';
import { toPrompt } from './prompt.ts';
import { toSarif } from './sarif.ts';

/** Formats results in the list format of `list.ts`, which `parseList` reads. The text contains no absolute path. */
function toJson(input: ExportInput): string {
  return `${stringifySafely(toList(input))}\n`;
}

/** Returns the results as a list to share: the value that the list format stores. */
export function toList(input: ExportInput): LocusList {
  const { response, issue, contentHashes, commit, marks, code, permalinks, deepLinks, createdAt } =
    input;
  const { repository, model } = response;
  const notes = describeList(input);
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
    check: toCheckHead(input.check),
    partial: response.partial !== null,
    ...(notes.length > 0 && { notes }),
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
        contentHash: assertPresent(
          contentHashes.get(result.address),
          `the content hash of ${result.address}`,
        ),
        // Spans are omitted: they are of use only in an editor with the issue, and the sentences quote their text.
        evidence: Object.fromEntries(
          Object.entries(result.evidence).map(([signal, { spans: _, ...withoutSpans }]) => [
            signal,
            withoutSpans,
          ]),
        ),
        reranked: result.reranked,
        check: findVerdict(input.check, result),
        ...marks?.get(result.address),
        // JSON omits undefined values.
        code: code?.get(result.address),
        permalink: permalinks?.get(result.address),
        link: deepLinks?.get(result.address),
      }),
    ),
  };
}

/**
 * Formats results as CSV (RFC 4180), one row for each result. `reranked_by` names the models that reranked a result; it is empty in an
 * initial ranking. Notes about the list are rows at the end that have only `reasons`. Text that a spreadsheet would run as a formula
 * gets a leading apostrophe. `check` is `edit`, `not` or empty.
 */
function toCsv(input: ExportInput): string {
  const { response, contentHashes, marks, permalinks, deepLinks } = input;
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
    content_hash: assertPresent(
      contentHashes.get(result.address),
      `the content hash of ${result.address}`,
    ),
    reranked_by: result.reranked ? escapeHidden(response.reranking.models.join(', ')) : '',
    permalink: permalinks?.get(result.address) ?? '',
    link: deepLinks?.get(result.address) ?? '',
    ...toCheckCells(input, result),
  }));
  const notes = describeList(input).map((note) => ({ reasons: escapeHidden(note) }));
  return stringify([...rows, ...notes], {
    header: true,
    columns: COLUMNS,
    escape_formulas: true,
    record_delimiter: 'windows',
    // Numbers are not escaped, since a negative score would become text.
    cast: { number: (value) => ({ value: String(value), escape_formulas: false }) },
  });
}

function toCheckCells(input: ExportInput, result: RankedChunk) {
  const { edit, reason = '', rankBefore = '' } = findVerdict(input.check, result) ?? {};
  const check = edit === undefined ? '' : edit ? 'edit' : 'not';
  return { check, check_reason: escapeHidden(reason), rank_before_check: rankBefore };
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
  'check',
  'check_reason',
  'rank_before_check',
];

const FORMATTERS: Record<ExportFormat, (input: ExportInput) => string> = {
  markdown: toMarkdown,
  json: toJson,
  csv: toCsv,
  sarif: toSarif,
  prompt: (input) => toPrompt(input).text,
};

/** Returns the whole file as text, ending in a line feed. */
export function exportResults(format: ExportFormat, input: ExportInput): string {
  return FORMATTERS[format](input);
}

/** Returns the format for a file name's extension; null if it is unknown. Prompts have no extension of their own. */
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
