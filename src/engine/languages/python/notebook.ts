/** Adapter of Jupyter notebooks: the cells of code are one module of Python. Other cells are comments, outputs are left out. */
import { blankOut } from '../blank.ts';
import type { Language } from '../language.ts';
import type { Markup } from '../markup.ts';
import { python } from './index.ts';
import { type NotebookCell, readNotebookCells } from './notebook-cells.ts';
import { prepare } from './prepare.ts';

/** Command of IPython instead of code: `%load_ext x`, `!pip install x`, `?help`. */
const COMMAND = /^\s*[%!?]/;
/** Cell in another language or of text. The other commands for a whole cell run its code. */
const OTHER_CELL = /^%%(?!time\b|timeit\b|capture\b|prun\b)/;

export const notebook: Language = {
  ...python,
  name: 'notebook',
  title: 'Jupyter notebook',
  // Fixes edit notebooks as rarely as examples.
  files: { ...python.files, extensions: ['.ipynb'], names: [], examples: /^/ },
  markup: { read: readNotebook },
  example: {
    path: 'example.ipynb',
    text: '{"cells": [{"cell_type": "code", "source": [\n"def f(x):\\n",\n"    return x"\n]}]}\n',
    name: 'f',
  },
};

/** Reads a notebook. Each line of a cell stays on its row. All code begins at the column of the leftmost line. */
export function readNotebook(text: string): Markup {
  const { cells, language } = readNotebookCells(text);
  const isPython = language === '' || language.startsWith('python') || language === 'ipython';
  const rows = new RowWriter(text);
  const column = findLeastColumn(text, cells);
  for (const [i, { isCode, start, lines }] of cells.entries()) {
    if (start >= 0) rows.write(start, `# Cell ${i + 1}`);
    const written = lines.map((span) => decode(text.slice(span.start, span.end)));
    const isOther = !isCode || !isPython || OTHER_CELL.test(written[0] ?? '');
    for (const [n, line] of written.entries()) {
      const at = lines[n]?.start ?? 0;
      if (line === '') continue;
      if (isOther || line.includes('\n')) rows.write(at - 1, `#${line.replaceAll('\n', ' ')}`);
      else rows.writeAtColumn(at, column, line.replace(COMMAND, toComment));
    }
  }
  const code = rows.finish();
  return { code: prepare(code), text: code, sections: [], cells: cells.map(findStart) };
}

/** Returns where a cell begins: its first key or line that was read. */
function findStart({ start, lines }: NotebookCell): number {
  const first = lines[0]?.start ?? Number.POSITIVE_INFINITY;
  return start < 0 ? first : Math.min(start, first);
}

function findLeastColumn(text: string, cells: readonly NotebookCell[]): number {
  const rows = new Rows(text);
  let least = Number.POSITIVE_INFINITY;
  for (const { isCode, lines } of cells)
    for (const { start } of isCode ? lines : [])
      least = Math.min(least, start - rows.moveTo(start).start);
  return least;
}

function toComment(command: string): string {
  return `${command.slice(0, -1)}#`;
}

/** Decodes a string of JSON, without the line break at its end. */
function decode(written: string): string {
  try {
    return String(JSON.parse(`"${written}"`)).trimEnd();
  } catch {
    // A notebook that is being written, or a merge conflict.
    return written;
  }
}

/** Finds the rows of offsets that only grow. */
class Rows {
  start = 0;
  end: number;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.end = this.#findEnd();
  }

  /** Returns the row of an offset. */
  moveTo(at: number): { start: number; end: number } {
    while (this.end < at) {
      this.start = this.end + 1;
      this.end = this.#findEnd();
    }
    return this;
  }

  #findEnd(): number {
    const newline = this.#text.indexOf('\n', this.start);
    return newline < 0 ? this.#text.length : newline;
  }
}

/** Writes into the rows of a text that is otherwise white space. */
class RowWriter {
  readonly #text: string;
  readonly #rows: Rows;
  readonly #parts: string[] = [];
  #end = 0;

  constructor(text: string) {
    this.#text = text;
    this.#rows = new Rows(text);
  }

  /** Writes at an offset, up to the end of the row. What is before the end of earlier writes is left out. */
  write(at: number, line: string): void {
    if (at < this.#end) return;
    const shown = line.slice(0, this.#rows.moveTo(at).end - at);
    this.#addSpace(at);
    this.#parts.push(shown);
    this.#end = at + shown.length;
  }

  /** Writes at a column of an offset's row; at the offset itself, as another statement, if something is on the row. */
  writeAtColumn(at: number, column: number, line: string): void {
    const { start } = this.#rows.moveTo(at);
    if (this.#end > start) this.write(at - 1, `;${line}`);
    else this.write(start + column, line);
  }

  finish(): string {
    this.#addSpace(this.#text.length);
    return this.#parts.join('');
  }

  #addSpace(to: number): void {
    this.#parts.push(blankOut(this.#text.slice(this.#end, to)));
  }
}
