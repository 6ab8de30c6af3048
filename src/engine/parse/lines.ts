/** A source text by rows (0-based), and the normal form of its lines. */
export class Lines {
  readonly rows: string[];
  private readonly tabWidth: number;

  constructor(text: string, tabWidth: number) {
    this.rows = text.split('\n');
    // A final line break ends the last line, it does not begin another.
    if (this.rows.length > 1 && this.rows.at(-1) === '') this.rows.pop();
    this.tabWidth = tabWidth;
  }

  get count(): number {
    return this.rows.length;
  }

  /** The line without trailing white space, tabs expanded. */
  normal(row: number): string {
    return this.expand(this.rows[row]!.trimEnd());
  }

  /** Columns before the first visible character; -1 for a blank line. */
  indent(row: number): number {
    const line = this.rows[row]!;
    const first = line.search(/\S/);
    return first < 0 ? -1 : this.expand(line.slice(0, first)).length;
  }

  /** The column at which a UTF-16 offset within the line stands once tabs are expanded. */
  column(row: number, offset: number): number {
    const line = this.rows[row]!;
    return line.includes('\t') ? this.expand(line.slice(0, offset)).length : offset;
  }

  /**
   * Last row of the block that a header begins: the deeper indented rows after it, blank ones in between included.
   * Rows that `skip` holds for do not end it.
   */
  blockEnd(header: number, headerEnd: number, skip: (row: number) => boolean): number {
    const indent = this.indent(header);
    let end = headerEnd;
    for (let row = headerEnd + 1; row < this.rows.length; row++) {
      const own = this.indent(row);
      if (own < 0) continue;
      if (own <= indent && !skip(row)) break;
      end = row;
    }
    return end;
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
