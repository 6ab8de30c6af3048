/** Parses unified diffs as printed by git. */

/** Old and new path of a file. Paths are null if there is no file, and empty if git had to quote them. */
export interface FileHeaders {
  from: string | null;
  to: string | null;
  /** Old path of a moved file. */
  movedFrom: string | null;
  /** Ids of both blobs, if the file has hunks and git prints full ids. Zeros mean that there is no blob. */
  blobs?: { before: string; after: string };
}

/** Lines of both files that a hunk covers. If it covers none of a file, the start is the line above. */
export interface HunkHeader {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Text after the numbers, which may be the header of the function around the hunk. */
  heading: string;
}

/**
 * Mark of a line: in both files, only in the new one, or only in the old one. A backslash marks a remark of git about the line above:
 * "\ No newline at end of file".
 */
export type LineMark = ' ' | '+' | '-' | '\\';

export interface DiffVisitor {
  /** True to decode paths that git quoted, instead of leaving them empty. */
  unquotes?: boolean;
  /** Called for a file that has hunks or was moved. */
  beginFile(headers: FileHeaders): void;
  beginHunk?(header: HunkHeader): void;
  /** Called for a line of a hunk: `text[start, end)`, without its mark. The text is not copied. */
  line(mark: LineMark, text: string, start: number, end: number): void;
  /** Called for a run of lines of both files: `text[start, end)`, with marks and line feeds. If missing, `line` is called for each. */
  context?(text: string, start: number, end: number): void;
  endFile?(): void;
}

/** Maximum length of a header line. A longer line cannot be a path. */
const MAX_HEADER_LENGTH = 5_000;
const HEADER = /^(?:rename (?<move>from|to) |(?<side>---|\+\+\+) (?:[ab]\/)?)(?<path>[^\t"\\\r]*)/;
const BLOBS = /^index (?<before>[0-9a-f]{40,64})\.\.(?<after>[0-9a-f]{40,64})\b/;
const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
const QUOTED =
  /^(?:rename (?<move>from|to) |(?<side>---|\+\+\+) )"(?<path>(?:[^"\\]|\\.){1,4096})"/;

/** Parses a diff of any length line by line. It stores only the headers of one file. */
export class DiffReader {
  readonly #visitor: DiffVisitor;
  #headers: FileHeaders | null = null;
  #blobs: FileHeaders['blobs'];
  #hasBegun = false;
  /** Remaining lines of the hunk, in the old and new file. */
  #before = 0;
  #after = 0;

  constructor(visitor: DiffVisitor) {
    this.#visitor = visitor;
  }

  /** Parses the line `text[start, end)`, without its line feed. */
  readLine(text: string, start: number, end: number): void {
    const inHunk = this.#before > 0 || this.#after > 0;
    // A remark of git may follow the last line of a hunk.
    if (inHunk || (this.#hasBegun && text.charCodeAt(start) === BACKSLASH)) {
      this.#readHunkLine(text, start, end);
    } else {
      this.#readHeaderLine(text.slice(start, Math.min(end, start + MAX_HEADER_LENGTH)));
    }
  }

  /** Parses the complete lines of both files from `start` on. Returns their end. */
  readContext(text: string, start: number): number {
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

  /** Ends the diff. Another one may follow. */
  end(): void {
    if (this.#headers && !this.#hasBegun) this.#visitor.beginFile(this.#headers);
    if (this.#headers) this.#visitor.endFile?.();
    this.#headers = null;
    this.#blobs = undefined;
    this.#hasBegun = false;
    this.#before = this.#after = 0;
  }

  #readHeaderLine(line: string): void {
    if (line.startsWith('diff ')) this.end();
    else if (line.startsWith('@@ ')) this.#enterHunk(line);
    else this.#readHeader(line);
  }

  #readHeader(line: string): void {
    const { before, after } = BLOBS.exec(line)?.groups ?? {};
    if (before !== undefined && after !== undefined) this.#blobs = { before, after };
    const quoted = this.#visitor.unquotes ? QUOTED.exec(line)?.groups : undefined;
    const { move, side, path: plain } = quoted ?? HEADER.exec(line)?.groups ?? {};
    const path = quoted ? unquotePath(plain ?? '', side !== undefined) : plain;
    if (path === undefined) return;
    // In a patch that was not made by git, this is the only sign of a new file.
    if (this.#hasBegun) this.end();
    const headers = this.#headers ?? { from: '', to: '', movedFrom: null };
    const there = side && path === '/dev/null' ? null : path;
    if (move === 'from') headers.movedFrom = path;
    if (move === 'from' || side === '---') headers.from = there;
    else headers.to = there;
    this.#headers = headers;
  }

  #enterHunk(line: string): void {
    const [numbers = '', oldStart, oldLines = 1, newStart, newLines = 1] = HUNK.exec(line) ?? [];
    if (oldStart === undefined) return;
    this.#headers ??= { from: '', to: '', movedFrom: null };
    if (this.#blobs) this.#headers.blobs = this.#blobs;
    if (!this.#hasBegun) this.#visitor.beginFile(this.#headers);
    this.#hasBegun = true;
    this.#before = Number(oldLines);
    this.#after = Number(newLines);
    this.#visitor.beginHunk?.({
      oldStart: Number(oldStart),
      oldLines: this.#before,
      newStart: Number(newStart),
      newLines: this.#after,
      heading: line.slice(numbers.length).trim(),
    });
  }

  #readHunkLine(text: string, start: number, end: number): void {
    const mark = getMark(text, start);
    if (mark === ' ' || mark === '-') this.#before--;
    if (mark === ' ' || mark === '+') this.#after--;
    this.#visitor.line(mark, text, start + 1, end);
  }
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Decodes a path between quotes, with octal bytes of UTF-8. `isSide` tells that it may have the prefix `a/` or `b/`. */
function unquotePath(quoted: string, isSide: boolean): string {
  const bytes = quoted.replace(/\\(?:([0-7]{3})|(.))|[^\\]{1,4096}/gsu, (text, octal, escaped) => {
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (escaped) return String.fromCharCode(ESCAPES[escaped] ?? escaped.charCodeAt(0));
    return Buffer.from(text).toString('latin1');
  });
  const path = Buffer.from(bytes, 'latin1').toString('utf8');
  return isSide ? path.replace(/^[ab]\//, '') : path;
}

/** Returns true if a text contains a hunk of a unified diff: its header, and a line of it. Takes linear time. */
export function containsDiff(text: string): boolean {
  for (let at = text.indexOf('@@ -'); at >= 0; at = text.indexOf('@@ -', at + 4)) {
    if (at > 0 && text[at - 1] !== '\n') continue;
    const header = text.slice(at, at + MAX_HUNK_NUMBERS);
    const feed = text.indexOf('\n', at);
    if (feed < 0) return false;
    if (HUNK.test(header) && ' +-\r\n\\'.includes(text[feed + 1] ?? '?')) return true;
  }
  return false;
}

/** Maximum length of the numbers in the header of a hunk. */
const MAX_HUNK_NUMBERS = 60;

/** Returns the mark of a line. An empty line counts as a line of both files whose space was stripped. */
function getMark(text: string, start: number): LineMark {
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
  for (const line of patch.split('\n')) reader.readLine(line, 0, line.length);
  reader.end();
  return files;
}
