import { stringify } from 'csv-stringify/sync';
import { reasons } from '../../shared/evidence.ts';
import { present } from '../../shared/present.ts';
import { visible, visibleLines } from '../../shared/quoted.ts';
import { type ExportInput, rankOf } from './export-input.ts';

/**
 * One row for each result, RFC 4180. `read_by` names the models that read a result; in a first list there are none. Text that a spreadsheet would run as a formula gets a leading quote mark.
 */
export function toCsv(input: ExportInput): string {
  const { response, hashes, marks, permalinks, links } = input;
  const rows = response.results.map((result) => ({
    rank: rankOf(input, result) ?? '',
    score: result.score,
    path: visible(result.path),
    qualified_name: visible(result.qualifiedName),
    kind: result.kind,
    start_line: result.startLine,
    end_line: result.endLine,
    reasons: reasons(result).map(visible).join('; '),
    mark: marks?.get(result.address)?.mark ?? '',
    note: visibleLines(marks?.get(result.address)?.note ?? ''),
    content_hash: present(hashes.get(result.address), `the content hash of ${result.address}`),
    read_by: result.read ? visible(response.refined.models.join(', ')) : '',
    permalink: permalinks?.get(result.address) ?? '',
    link: links?.get(result.address) ?? '',
  }));
  return stringify(rows, {
    header: true,
    columns: COLUMNS,
    escape_formulas: true,
    record_delimiter: 'windows',
    // Numbers go through as they are: the guard against formulas would quote a negative score.
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
  'read_by',
  'permalink',
  'link',
];
