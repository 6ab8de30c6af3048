import { StringDecoder } from 'node:string_decoder';
import {
  DiffReader,
  type DiffVisitor,
  type FileHeaders,
  type HunkHeader,
  type LineMark,
} from '../../base/unified-diff.ts';
import { findLanguage } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import { NO_BLOB } from './commit-records.ts';
import { EditedDefinitions, type EditedFileReader } from './edited-file.ts';
import { findBoundary, Outline, type OutlineBoundary, type OutlineCache } from './outline.ts';
import { OutlinedFileReader } from './outlined-file.ts';
import type { Commit, FileEdit } from './types.ts';

/** Reads the diff of a file that includes the whole file as context. */
class WholeFileReader implements EditedFileReader {
  readonly #language: Language;
  readonly #edited: EditedDefinitions;
  /** Context lines, with their marks, that were not examined yet: most are never needed, since edits are few. */
  #passed: { text: string; start: number; end: number }[] = [];

  constructor(language: Language) {
    this.#language = language;
    this.#edited = new EditedDefinitions(language);
  }

  beginHunk(): void {}

  passContext(text: string, start: number, end: number): void {
    this.#passed.push({ text, start, end });
    if (this.#edited.isDecorated) this.#enterPassed();
  }

  passChange(mark: '+' | '-', text: string, start: number): void {
    if (this.#passed.length > 0) this.#enterPassed();
    this.#edited.change(mark, text, start);
  }

  end(): Iterable<string> {
    return this.#edited.names;
  }

  #enterPassed(): void {
    for (const boundary of this.#findPassedBoundaries()) this.#edited.pass(boundary);
    this.#passed = [];
  }

  /** Returns boundaries from the last one at depth 0, which closes all before it; all of them after a changed decorator. */
  #findPassedBoundaries(): OutlineBoundary[] {
    const passed: OutlineBoundary[] = [];
    for (const { text, start, end } of this.#passed.toReversed()) {
      for (let line = end; line > start; ) {
        line = line < 2 ? 0 : Math.max(start, text.lastIndexOf('\n', line - 2) + 1);
        const boundary = findBoundary(this.#language, text, line + 1);
        if (!boundary) continue;
        passed.push(boundary);
        if (boundary.depth === 0 && !this.#edited.isDecorated) return passed.reverse();
      }
    }
    return passed.reverse();
  }
}

const MAX_MESSAGE = 2_000;
/** A commit that edits more files moves, formats or renames them, and tells nothing about any one of them. */
export const MAX_COMMIT_FILES = 50;
const MAX_DEFINITIONS = 200;
/** Maximum length of a line. Of a longer one, only its end may matter, because it can end a message. */
const MAX_LINE = 1 << 20;

/** Value of git's `--format` that `DiffParser` reads. No part can contain a NUL, and no line of a diff begins with one. */
export const COMMIT_FORMAT = '%x00%H%x00%at%x00%an <%ae>%x00%B%x00';

const BOT = /\[bot\]|\bbot@|dependabot|renovate|pre-commit-ci|pyup|greenkeeper|weblate|transifex/i;

/**
 * Parses the output of `git diff-tree -p` in the format above, and finds the qualified name of the definition around each
 * edited line. Commits are returned in the order of the output.
 *
 * Without `outlines`, git must show whole files as context. With them, git shows little context and full blob ids: each file
 * after an edit needs an outline, and the outline before the edit is added. A commit whose outline is missing is not
 * returned; its id is added to `undecided`.
 */
export class DiffParser {
  readonly undecided: string[] = [];
  readonly #decoder = new StringDecoder('utf8');
  readonly #collector: EditCollector;
  readonly #diff: DiffReader;
  #rest = '';
  #inMessage = false;
  #commit: Commit | null = null;
  #isBot = false;

  constructor(outlines: OutlineCache | null = null) {
    this.#collector = new EditCollector(outlines);
    this.#diff = new DiffReader(this.#collector);
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
    // The rest of the previous data has no line end.
    let end = text.indexOf('\n', this.#rest.length);
    for (; end >= 0; end = text.indexOf('\n', start)) {
      const commit = this.#readLine(text, start, end);
      if (commit) done.push(commit);
      start = this.#diff.readContext(text, end + 1);
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MAX_LINE) {
      this.#rest = this.#rest.slice(0, MAX_LINE / 2) + this.#rest.slice(-16);
    }
    return done;
  }

  /** Reads the line `text[start, end)`. If the line begins a commit, returns the previous one. */
  #readLine(text: string, start: number, end: number): Commit | null {
    if (!this.#inMessage && text.charCodeAt(start) === NUL) {
      const before = this.#finish();
      this.#begin(text.slice(start + 1, end));
      return before;
    }
    if (this.#inMessage) this.#readMessageLine(text.slice(start, end));
    else this.#diff.readLine(text, start, end);
    return null;
  }

  #begin(line: string): void {
    const [hash = '', time, author = '', ...message] = line.split('\0');
    this.#commit = { hash, time: Number(time) || 0, message: '', edits: [] };
    this.#isBot = BOT.test(author);
    this.#inMessage = true;
    this.#readMessageLine(message.join('\0'));
  }

  #readMessageLine(line: string): void {
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
    const edits = this.#collector.take();
    const commit = this.#commit;
    this.#commit = null;
    if (!commit) return null;
    if (!edits) {
      this.undecided.push(commit.hash);
      return null;
    }
    commit.message = commit.message.trim();
    if (!this.#isBot && edits.length <= MAX_COMMIT_FILES) commit.edits = edits;
    return commit;
  }
}

class EditCollector implements DiffVisitor {
  readonly #outlines: OutlineCache | null;
  #edits: FileEdit[] = [];
  /** File that is being read; null if Locus does not index it. */
  #file: {
    path: string;
    language: Language;
    headers: FileHeaders;
    lines: EditedFileReader;
  } | null = null;
  /** True if a file had to be left out because its outline is missing. */
  #isIncomplete = false;

  constructor(outlines: OutlineCache | null) {
    this.#outlines = outlines;
  }

  beginFile(headers: FileHeaders): void {
    this.#file = null;
    // A deleted file has only an old path.
    const path = headers.to ?? headers.from ?? '';
    const language = findLanguage(path);
    // Paths that git quotes, those with control characters, arrive empty.
    if (!path || !language) return;
    const lines = this.#createReader(language, headers);
    if (lines) this.#file = { path, language, headers, lines };
    else this.#isIncomplete = true;
  }

  beginHunk(header: HunkHeader): void {
    this.#file?.lines.beginHunk(header);
  }

  line(mark: LineMark, text: string, start: number, end: number): void {
    const lines = this.#file?.lines;
    if (!lines || mark === '\\') return;
    if (mark === ' ') lines.passContext(text, start - 1, end + 1);
    else lines.passChange(mark, text, start);
  }

  context(text: string, start: number, end: number): void {
    this.#file?.lines.passContext(text, start, end);
  }

  endFile(): void {
    const file = this.#file;
    this.#file = null;
    if (!file) return;
    const { path, language, headers, lines } = file;
    const definitions = [...lines.end()].slice(0, MAX_DEFINITIONS);
    this.#edits.push({ path, from: headers.movedFrom, definitions });
    if (lines instanceof OutlinedFileReader && headers.blobs && !NO_BLOB.test(headers.blobs.before))
      this.#outlines?.put(headers.blobs.before, language, lines.before);
  }

  /** Returns the edits so far and clears them; null if some are missing. */
  take(): FileEdit[] | null {
    const edits = this.#isIncomplete ? null : this.#edits;
    this.#edits = [];
    this.#isIncomplete = false;
    return edits;
  }

  /** Returns a reader of the file's lines; null if it needs an outline that is missing. */
  #createReader(language: Language, { blobs }: FileHeaders): EditedFileReader | null {
    // A file that only moved has no blob ids and no lines.
    if (!this.#outlines || !blobs) return new WholeFileReader(language);
    const whole = NO_BLOB.test(blobs.before) || NO_BLOB.test(blobs.after);
    const outline = whole ? new Outline() : this.#outlines.take(blobs.after, language);
    return outline ? new OutlinedFileReader(language, outline) : null;
  }
}

const NUL = 0;
