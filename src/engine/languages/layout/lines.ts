/** Rows (0-based) of a source text, and their normalized form. */
export class SourceLines {
  private readonly rows: readonly string[];
  private readonly tabWidth: number;

  constructor(text: string, tabWidth: number) {
    const rows = text.split('\n');
    // A final line break ends the last line and does not begin another.
    if (rows.length > 1 && rows.at(-1) === '') rows.pop();
    this.rows = rows;
    this.tabWidth = tabWidth;
  }

  get count(): number {
    return this.rows.length;
  }

  /** Returns a row as it is; empty past the end. */
  getRow(row: number): string {
    return this.rows[row] ?? '';
  }

  /** Returns a row without trailing white space, with tabs expanded. */
  getNormalRow(row: number): string {
    return this.expand(this.getRow(row).trimEnd());
  }

  /** Returns the number of columns before the first visible character; -1 for a blank row. */
  getIndent(row: number): number {
    const line = this.getRow(row);
    const first = line.search(/\S/);
    return first < 0 ? -1 : this.expand(line.slice(0, first)).length;
  }

  /** Returns the column of a UTF-16 offset within a row once tabs are expanded. */
  getColumn(row: number, offset: number): number {
    const line = this.getRow(row);
    return line.includes('\t') ? this.expand(line.slice(0, offset)).length : offset;
  }

  private expand(line: string): string {
    if (!line.includes('\t')) return line;
    let expanded = '';
    for (const piece of line.split(/(\t)/)) {
      expanded +=
        piece === '\t' ? ' '.repeat(this.tabWidth - (expanded.length % this.tabWidth)) : piece;
    }
    return expanded;
  }
}
