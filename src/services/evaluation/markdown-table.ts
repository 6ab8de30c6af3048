import { assertPresent } from '../../shared/assert-present.ts';

/** Formats a Markdown table with aligned columns: the first one to the left, the others to the right. */
export function formatMarkdownTable(head: string[], rows: string[][]): string[] {
  const widths = head.map((_, i) =>
    Math.max(...[head, ...rows].map((row) => assertPresent(row[i], 'a cell').length)),
  );
  const line = (cells: string[]) => {
    const padded = widths.map((width, i) => {
      const cell = assertPresent(cells[i], 'a cell');
      return i === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(' | ')} |`;
  };
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)];
}
