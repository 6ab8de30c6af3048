import { StringDecoder } from 'node:string_decoder';
import {
  DiffReader,
  type DiffVisitor,
  type FileHeaders,
  type HunkHeader,
  type LineMark,
} from '../../base/unified-diff.ts';
import { languageOf } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import { NO_BLOB } from './commit-records.ts';
import { Edited, type EditedFile } from './edited-file.ts';
import { type Boundary, boundaryAt, Outline, type Outlines } from './outline.ts';
import { OutlinedFile } from './outlined-file.ts';
import type { Commit, FileEdit } from './types.ts';

/** A file's part of a diff that has the whole file as context. */
class WholeFile implements EditedFile {
  readonly #language: Language;
  readonly #edited: Edited;
  /** Lines of both versions, with their marks, that nothing has asked about yet: most files change in few places. */
  #passed: { text: string; start: number; end: number }[] = [];

  constructor(language: Language) {
    this.#language = language;
    this.#edited = new Edited(language);
  }

  beginHunk(): void {}

  context(text: string, start: number, end: number): void {
    this.#passed.push({ text, start, end });
    if (this.#edited.decorated) this.#enterPassed();
  }

  changed(mark: '+' | '-', text: string, start: number): void {
    if (this.#passed.length > 0) this.#enterPassed();
    this.#edited.change(mark, text, start);
  }

  end(): Iterable<string> {
    return this.#edited.names;
  }

  #enterPassed(): void {
    for (const boundary of this.#passedBoundaries()) this.#edited.pass(boundary);
    this.#passed = [];
  }

  /** From the last one that nothing lies around, which closes all before it; all of them where a decorator waits for the first. */
  #passedBoundaries(): Boundary[] {
    const passed: Boundary[] = [];
    for (const { text, start, end } of this.#passed.toReversed()) {
      for (let line = end; line > start; ) {
        line = line < 2 ? 0 : Math.max(start, text.lastIndexOf('\n', line - 2) + 1);
        const boundary = boundaryAt(this.#language, text, line + 1);
        if (!boundary) continue;
        passed.push(boundary);
        if (boundary.depth === 0 && !this.#edited.decorated) return passed.reverse();
      }
    }
    return passed.reverse();
  }
}

const MAX_MESSAGE = 2_000;
/** A commit that edits more files than this moves, formats or renames; it says nothing of any one of them. */
export const MAX_FILES = 50;
const MAX_DEFINITIONS = 200;
/** A longer line is cut; only its end may matter, as that of a message. */
const MAX_LINE = 1 << 20;

/** What `DiffParser` reads: for git's `--format`. No part can hold a NUL, and no line of a diff begins with one. */
export const FORMAT = '%x00%H%x00%at%x00%an <%ae>%x00%B%x00';

const BOT = /\[bot\]|\bbot@|dependabot|renovate|pre-commit-ci|pyup|greenkeeper|weblate|transifex/i;

/**
 * Reads what git says of commits: `git diff-tree -p` in the format above, so that the definition around each edited line is
 * known by its qualified name. Commits come out in the order they come in.
 *
 * Git shows whole files as context; or with the ids of blobs in full, some context, and `outlines` of the files after each
 * edit, to which those of the files before are added. A commit of which an outline is missing does not come out: it is `unsure`.
 */
export class DiffParser {
  readonly unsure: string[] = [];
  readonly #decoder = new StringDecoder('utf8');
  readonly #edits: EditedFiles;
  readonly #diff: DiffReader;
  #rest = '';
  #inMessage = false;
  #commit: Commit | null = null;
  #isBot = false;

  constructor(outlines: Outlines | null = null) {
    this.#edits = new EditedFiles(outlines);
    this.#diff = new DiffReader(this.#edits);
  }

  push(data: Buffer): Commit[] {
    return this.#read(this.#decoder.write(data));
  }

  end(): Commit[] {
    const done = this.#read(`${this.#decoder.end()}\n`);
    const last = this.#finish();
    return last ? [...done, last] : done;
  }

  #read(data: string): Commit[] {
    const done: Commit[] = [];
    const text = this.#rest + data;
    let start = 0;
    // What was left has no line end.
    let end = text.indexOf('\n', this.#rest.length);
    for (; end >= 0; end = text.indexOf('\n', start)) {
      const commit = this.#line(text, start, end);
      if (commit) done.push(commit);
      start = this.#diff.passContext(text, end + 1);
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MAX_LINE) {
      this.#rest = this.#rest.slice(0, MAX_LINE / 2) + this.#rest.slice(-16);
    }
    return done;
  }

  /** Takes the line `text[start, end)` in; returns the commit before it when the line begins the next. */
  #line(text: string, start: number, end: number): Commit | null {
    if (!this.#inMessage && text.charCodeAt(start) === NUL) {
      const before = this.#finish();
      this.#begin(text.slice(start + 1, end));
      return before;
    }
    if (this.#inMessage) this.#messageLine(text.slice(start, end));
    else this.#diff.line(text, start, end);
    return null;
  }

  #begin(line: string): void {
    const [hash = '', time, author = '', ...message] = line.split('\0');
    this.#commit = { hash, time: Number(time) || 0, message: '', edits: [] };
    this.#isBot = BOT.test(author);
    this.#inMessage = true;
    this.#messageLine(message.join('\0'));
  }

  #messageLine(line: string): void {
    const end = line.indexOf('\0');
    const commit = this.#commit;
    if (commit && commit.message.length < MAX_MESSAGE) {
      const room = MAX_MESSAGE - commit.message.length;
      commit.message += `${end < 0 ? line : line.slice(0, end)}\n`.slice(0, room);
    }
    if (end >= 0) this.#inMessage = false;
  }

  #finish(): Commit | null {
    this.#diff.end();
    const edits = this.#edits.take();
    const commit = this.#commit;
    this.#commit = null;
    if (!commit) return null;
    if (!edits) {
      this.unsure.push(commit.hash);
      return null;
    }
    commit.message = commit.message.trim();
    if (!this.#isBot && edits.length <= MAX_FILES) commit.edits = edits;
    return commit;
  }
}

class EditedFiles implements DiffVisitor {
  readonly #outlines: Outlines | null;
  #edits: FileEdit[] = [];
  /** Null in a file that Locus does not read. */
  #file: { path: string; language: Language; headers: FileHeaders; lines: EditedFile } | null =
    null;
  /** Whether a file had to be left out, since its outline is missing. */
  #isUnsure = false;

  constructor(outlines: Outlines | null) {
    this.#outlines = outlines;
  }

  beginFile(headers: FileHeaders): void {
    this.#file = null;
    // A deleted file has only an old path.
    const path = headers.to ?? headers.from ?? '';
    const language = languageOf(path);
    // Quoted paths, those with control characters, come out empty.
    if (!path || !language) return;
    const lines = this.#reader(language, headers);
    if (lines) this.#file = { path, language, headers, lines };
    else this.#isUnsure = true;
  }

  beginHunk(header: HunkHeader): void {
    this.#file?.lines.beginHunk(header);
  }

  line(mark: LineMark, text: string, start: number, end: number): void {
    const lines = this.#file?.lines;
    if (!lines || mark === '\\') return;
    if (mark === ' ') lines.context(text, start - 1, end + 1);
    else lines.changed(mark, text, start);
  }

  context(text: string, start: number, end: number): void {
    this.#file?.lines.context(text, start, end);
  }

  endFile(): void {
    const file = this.#file;
    this.#file = null;
    if (!file) return;
    const { path, language, headers, lines } = file;
    const definitions = [...lines.end()].slice(0, MAX_DEFINITIONS);
    this.#edits.push({ path, from: headers.movedFrom, definitions });
    if (lines instanceof OutlinedFile && headers.blobs && !NO_BLOB.test(headers.blobs.before))
      this.#outlines?.put(headers.blobs.before, language, lines.before);
  }

  /** The edits so far, which it forgets; null where some are missing. */
  take(): FileEdit[] | null {
    const edits = this.#isUnsure ? null : this.#edits;
    this.#edits = [];
    this.#isUnsure = false;
    return edits;
  }

  /** What reads the file's lines; null where its outline would be needed and is missing. */
  #reader(language: Language, { blobs }: FileHeaders): EditedFile | null {
    // One that only moved has no lines to read.
    if (!this.#outlines || !blobs) return new WholeFile(language);
    const whole = NO_BLOB.test(blobs.before) || NO_BLOB.test(blobs.after);
    const outline = whole ? new Outline() : this.#outlines.take(blobs.after, language);
    return outline ? new OutlinedFile(language, outline) : null;
  }
}

const NUL = 0;
