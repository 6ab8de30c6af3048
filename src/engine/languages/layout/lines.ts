/** A source text by rows (0-based), and the normal form of its lines. */
export class Lines {
  private readonly rows: readonly string[];
  private readonly tabWidth: number;

  constructor(text: string, tabWidth: number) {
    const rows = text.split('\n');
    // A final line break ends the last line, it does not begin another.
    if (rows.length > 1 && rows.at(-1) === '') rows.pop();
    this.rows = rows;
    this.tabWidth = tabWidth;
  }

  get count(): number {
    return this.rows.length;
  }

  /** The line as it is; empty past the end. */
  row(row: number): string {
    return this.rows[row] ?? '';
  }

  /** The line without trailing white space, tabs expanded. */
  normal(row: number): string {
    return this.expand(this.row(row).trimEnd());
  }

  /** Columns before the first visible character; -1 for a blank line. */
  indent(row: number): number {
    const line = this.row(row);
    const first = line.search(/\S/);
    return first < 0 ? -1 : this.expand(line.slice(0, first)).length;
  }

  /** The column at which a UTF-16 offset within the line stands once tabs are expanded. */
  column(row: number, offset: number): number {
    const line = this.row(row);
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
