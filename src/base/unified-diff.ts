/** Reads unified diffs as git prints them: the one place that knows how they look. */

/** Where a file was and is. Paths are null where there is no file, and empty where git had to quote them. */
export interface FileHeaders {
  from: string | null;
  to: string | null;
  /** Where it was before, when it moved. */
  movedFrom: string | null;
  /** The ids of both blobs of a file that has hunks, where git says them in full; nothing but zeros is no blob. */
  blobs?: { before: string; after: string };
}

/** The lines of both files that a hunk is about; where it has none of one, its start is the line above. */
export interface HunkHeader {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

/**
 * Whether a line is in both files, or in the one after or before alone; a backslash marks no line, but a remark of git's
 * on the one above: "\ No newline at end of file".
 */
export type LineMark = ' ' | '+' | '-' | '\\';

export interface DiffVisitor {
  /** A file that has hunks, or that moved. */
  beginFile(headers: FileHeaders): void;
  beginHunk?(header: HunkHeader): void;
  /** A line of a hunk, `text[start, end)` without its mark: nothing is copied that nobody wants. */
  line(mark: LineMark, text: string, start: number, end: number): void;
  /** Lines of both files at once, `text[start, end)` with their marks and line feeds; else each is a line as others are. */
  context?(text: string, start: number, end: number): void;
  endFile?(): void;
}

/** Of a header line; more than that is no path. */
const LONGEST_HEADER = 5_000;
const HEADER = /^(?:rename (?<move>from|to) |(?<side>---|\+\+\+) (?:[ab]\/)?)(?<path>[^\t"\\\r]*)/;
const BLOBS = /^index (?<before>[0-9a-f]{40,64})\.\.(?<after>[0-9a-f]{40,64})\b/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Takes a diff in line by line, of any length: it remembers no more than the headers of one file. */
export class DiffReader {
  readonly #visitor: DiffVisitor;
  #headers: FileHeaders | null = null;
  #blobs: FileHeaders['blobs'];
  #begun = false;
  /** Lines that the hunk still has, of the files before and after. */
  #before = 0;
  #after = 0;

  constructor(visitor: DiffVisitor) {
    this.#visitor = visitor;
  }

  /** Takes in the line `text[start, end)`, without its line feed. */
  line(text: string, start: number, end: number): void {
    const inHunk = this.#before > 0 || this.#after > 0;
    // A remark may follow the last line of a hunk.
    if (inHunk || (this.#begun && text.charCodeAt(start) === BACKSLASH)) {
      this.#hunkLine(text, start, end);
    } else {
      this.#headerLine(text.slice(start, Math.min(end, start + LONGEST_HEADER)));
    }
  }

  /** Takes in the complete lines of both files that begin at `start`; returns where they end. */
  passContext(text: string, start: number): number {
    if (!this.#visitor.context) return start;
    let at = start;
    while (this.#before > 0 && this.#after > 0 && text.charCodeAt(at) === SPACE) {
      const feed = text.indexOf('\n', at + 1);
      if (feed < 0) break;
      at = feed + 1;
      this.#before--;
      this.#after--;
    }
    if (at > start) this.#visitor.context(text, start, at);
    return at;
  }

  /** The diff is over; another may follow. */
  end(): void {
    if (this.#headers && !this.#begun) this.#visitor.beginFile(this.#headers);
    if (this.#headers) this.#visitor.endFile?.();
    this.#headers = null;
    this.#blobs = undefined;
    this.#begun = false;
    this.#before = this.#after = 0;
  }

  #headerLine(line: string): void {
    if (line.startsWith('diff ')) this.end();
    else if (line.startsWith('@@ ')) this.#enterHunk(line);
    else this.#readHeader(line);
  }

  #readHeader(line: string): void {
    const { before, after } = BLOBS.exec(line)?.groups ?? {};
    if (before !== undefined && after !== undefined) this.#blobs = { before, after };
    const { move, side, path } = HEADER.exec(line)?.groups ?? {};
    if (path === undefined) return;
    // A patch that no git made has no other sign of where a file begins.
    if (this.#begun) this.end();
    const headers = this.#headers ?? { from: '', to: '', movedFrom: null };
    const there = side && path === '/dev/null' ? null : path;
    if (move === 'from') headers.movedFrom = path;
    if (move === 'from' || side === '---') headers.from = there;
    else headers.to = there;
    this.#headers = headers;
  }

  #enterHunk(line: string): void {
    const [, oldStart, oldLines = 1, newStart, newLines = 1] = HUNK.exec(line) ?? [];
    if (oldStart === undefined) return;
    this.#headers ??= { from: '', to: '', movedFrom: null };
    if (this.#blobs) this.#headers.blobs = this.#blobs;
    if (!this.#begun) this.#visitor.beginFile(this.#headers);
    this.#begun = true;
    this.#before = Number(oldLines);
    this.#after = Number(newLines);
    this.#visitor.beginHunk?.({
      oldStart: Number(oldStart),
      oldLines: this.#before,
      newStart: Number(newStart),
      newLines: this.#after,
    });
  }

  #hunkLine(text: string, start: number, end: number): void {
    const mark = markAt(text, start);
    if (mark === ' ' || mark === '-') this.#before--;
    if (mark === ' ' || mark === '+') this.#after--;
    this.#visitor.line(mark, text, start + 1, end);
  }
}

/** A line without a mark is an empty one of both files, which lost its space on the way. */
function markAt(text: string, start: number): LineMark {
  const mark = text[start];
  return mark === '+' || mark === '-' || mark === '\\' ? mark : ' ';
}

const SPACE = 32;
const BACKSLASH = 92;

export interface Hunk extends Pick<HunkHeader, 'oldStart' | 'oldLines'> {
  lines: { mark: LineMark; text: string }[];
}

export interface FileDiff extends FileHeaders {
  hunks: Hunk[];
}

export function parseDiff(patch: string): FileDiff[] {
  const files: FileDiff[] = [];
  const reader = new DiffReader({
    beginFile: (headers) => files.push({ ...headers, hunks: [] }),
    beginHunk: ({ oldStart, oldLines }) =>
      files.at(-1)?.hunks.push({ oldStart, oldLines, lines: [] }),
    line: (mark, text, start) => {
      const hunk = files.at(-1)?.hunks.at(-1);
      hunk?.lines.push({ mark, text: text.slice(start) });
    },
  });
  for (const line of patch.split('\n')) reader.line(line, 0, line.length);
  reader.end();
  return files;
}
