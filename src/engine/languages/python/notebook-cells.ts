/** Reads the cells of Jupyter notebooks, which are JSON, with the positions of their lines. Takes linear time for any text. */

/** Text between quotes: offsets in UTF-16 units. */
interface QuotedSpan {
  start: number;
  end: number;
}

export interface NotebookCell {
  isCode: boolean;
  /** Offset of a key whose row is above the source in most notebooks; -1 without such a key. */
  start: number;
  lines: QuotedSpan[];
}

export interface NotebookCells {
  cells: NotebookCell[];
  /** Name of the kernel's language in lower case; empty if it is unknown. */
  language: string;
}

/** Object or array around a value. */
interface Frame {
  isArray: boolean;
  key: string;
  keyStart: number;
  expectsKey: boolean;
}

const TOKEN = /["{}[\]:,]/g;
/** Depth of what is read: the notebook, its cells, a cell, its source. */
const CELL_DEPTH = 3;

/** Returns the cells of a notebook. An invalid notebook gives the cells before the error. */
export function readNotebookCells(text: string): NotebookCells {
  const found: NotebookCells = { cells: [], language: '' };
  const frames: Frame[] = [];
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    const [mark] = token;
    const top = frames.at(-1);
    if (mark === '{' || mark === '[') {
      const isArray = mark === '[';
      frames.push({ isArray, key: '', keyStart: -1, expectsKey: !isArray });
      if (!isArray && frames.length === CELL_DEPTH && isInCells(frames))
        found.cells.push({ isCode: false, start: -1, lines: [] });
    } else if (mark === '}' || mark === ']') frames.pop();
    else if (mark === ',' && top) top.expectsKey = !top.isArray;
    else if (mark === ':' && top) top.expectsKey = false;
    else if (mark === '"') {
      const span = { start: token.index + 1, end: findQuote(text, token.index + 1) };
      TOKEN.lastIndex = span.end + 1;
      if (top?.expectsKey) {
        top.key = text.slice(span.start, span.end);
        top.keyStart = token.index;
      } else readValue(text, frames, span, found);
    }
  }
  return found;
}

function isInCells([root, cells]: readonly Frame[]): boolean {
  return root?.key === 'cells' && cells?.isArray === true;
}

function readValue(
  text: string,
  frames: readonly Frame[],
  span: QuotedSpan,
  found: NotebookCells,
): void {
  const [root, second, third] = frames;
  const cell = found.cells.at(-1);
  if (cell && third && isInCells(frames)) {
    if (frames.length === CELL_DEPTH && third.key === 'cell_type') {
      cell.isCode = text.slice(span.start, span.end) === 'code';
      cell.start = third.keyStart;
    } else if (third.key === 'source' && frames.length <= CELL_DEPTH + 1) cell.lines.push(span);
  } else if (root?.key === 'metadata' && frames.length === 3 && third) {
    const isLanguage = second?.key === 'kernelspec' && third.key === 'language';
    const isName = second?.key === 'language_info' && third.key === 'name';
    if (isLanguage || isName) found.language = text.slice(span.start, span.end).toLowerCase();
  }
}

/** Returns the offset of the quote that ends a string, or the length of the text. */
function findQuote(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
