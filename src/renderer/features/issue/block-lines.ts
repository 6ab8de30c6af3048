import type { IssueReport } from '../../../shared/search.ts';

/** What of a text in the editor is asked. */
interface PlacedText {
  getValueLength(): number;
  getPositionAt(offset: number): { lineNumber: number };
}

/**
 * The first and the last line (from 1) of each block of code or output; null where the report is of another text than
 * this, as far as its length tells.
 */
export function blockLines(
  report: IssueReport | null,
  text: PlacedText,
): [first: number, last: number][] | null {
  if (!report) return [];
  if (report.length !== text.getValueLength()) return null;
  return report.blocks.map(({ start, end }) => [
    text.getPositionAt(start).lineNumber,
    text.getPositionAt(end).lineNumber,
  ]);
}
