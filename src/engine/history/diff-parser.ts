import { StringDecoder } from 'node:string_decoder';
import { languageOf } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import { type Header, headerAt } from '../languages/layout/header.ts';
import { OpenDefinitions } from './edited-definitions.ts';
import type { Commit, FileEdit } from './types.ts';
import { DiffReader, type DiffVisitor, type FileHeaders, type LineMark } from './unified-diff.ts';

/** UTF-16 units of a message that are kept. */
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
 * Reads what git says of commits: `git diff-tree -p` in the format above, with whole files as context, so that the
 * definition around each edited line is known by its qualified name. Commits come out in the order they come in.
 */
export class DiffParser {
  readonly #decoder = new StringDecoder('utf8');
  readonly #edits = new EditedFiles();
  readonly #diff = new DiffReader(this.#edits);
  #rest = '';
  #inMessage = false;
  #commit: Commit | null = null;
  #isBot = false;

  /** The commits that `data` completes. */
  push(data: Buffer): Commit[] {
    return this.#read(this.#decoder.write(data));
  }

  /** The last commit, when git is done. */
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
    for (
      let end = text.indexOf('\n', this.#rest.length);
      end >= 0;
      end = text.indexOf('\n', start)
    ) {
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
    if (this.#inMessage) {
      this.#messageLine(text.slice(start, end));
    } else if (text.charCodeAt(start) === NUL) {
      const before = this.#finish();
      this.#begin(text.slice(start + 1, end));
      return before;
    } else {
      this.#diff.line(text, start, end);
    }
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
    commit.message = commit.message.trim();
    if (!this.#isBot && edits.length <= MAX_FILES) commit.edits = edits;
    return commit;
  }
}

/** The files that a diff edits, with their definitions. */
class EditedFiles implements DiffVisitor {
  #edits: FileEdit[] = [];
  /** Null in a file that Locus does not read. */
  #file: OpenFile | null = null;

  beginFile({ from, to, movedFrom }: FileHeaders): void {
    // A deleted file has only an old path.
    const path = to ?? from ?? '';
    const language = languageOf(path);
    // Quoted paths, those with control characters, come out empty.
    this.#file = path && language ? new OpenFile(path, movedFrom, language) : null;
  }

  line(mark: LineMark, text: string, start: number, end: number): void {
    const file = this.#file;
    if (!file || mark === '\\') return;
    if (mark === ' ') file.context(text, start - 1, end + 1);
    else file.changedLine(text, start, mark === '+' ? file.after : file.before);
  }

  context(text: string, start: number, end: number): void {
    this.#file?.context(text, start, end);
  }

  endFile(): void {
    const file = this.#file;
    this.#file = null;
    if (!file) return;
    const { path, from, edited } = file;
    this.#edits.push({ path, from, definitions: [...edited].slice(0, MAX_DEFINITIONS) });
  }

  /** The edits so far, which it forgets. */
  take(): FileEdit[] {
    const edits = this.#edits;
    this.#edits = [];
    return edits;
  }
}

/** A file's part of a diff. */
class OpenFile {
  readonly path: string;
  readonly from: FileEdit['from'];
  readonly #language: Language;
  readonly before = new OpenDefinitions();
  readonly after = new OpenDefinitions();
  readonly edited = new Set<string>();
  /** A decorator changed; it belongs to the next definition. */
  #decorated = false;
  /** Lines of both versions, with their marks, that nothing has asked about yet: most files change in few places. */
  #passed: { text: string; start: number; end: number }[] = [];

  constructor(path: string, from: FileEdit['from'], language: Language) {
    this.path = path;
    this.from = from;
    this.#language = language;
  }

  context(text: string, start: number, end: number): void {
    this.#passed.push({ text, start, end });
    if (this.#decorated) this.#enterPassed();
  }

  changedLine(text: string, start: number, version: OpenDefinitions): void {
    if (this.#passed.length > 0) this.#enterPassed();
    const depth = this.#language.layout.depthAt(text, start);
    const header = headerAt(this.#language, text, start);
    if (header) {
      version.enter(header, depth);
      this.edited.add(version.innermost());
      this.#decorated = false;
      return;
    }
    const first = firstLetter(text, start);
    if (isDecorator(this.#language, text, start)) this.#decorated = true;
    // Blank lines say nothing, and the end of a list may stand anywhere.
    else if (!'\r\n)]}'.includes(first)) {
      this.edited.add(version.around(depth));
    }
  }

  /** Enters the definitions among the lines since the last one that changed. */
  #enterPassed(): void {
    for (const { header, depth } of this.#passedHeaders()) {
      this.before.enter(header, depth);
      this.after.enter(header, depth);
      if (this.#decorated) this.edited.add(this.after.innermost());
      this.#decorated = false;
    }
    this.#passed = [];
  }

  /** From the last one that nothing lies around, which closes all before it; all of them where a decorator waits for the first. */
  #passedHeaders(): { header: Header; depth: number }[] {
    const passed: { header: Header; depth: number }[] = [];
    for (const { text, start, end } of this.#passed.toReversed()) {
      for (let line = end; line > start; ) {
        line = line < 2 ? 0 : Math.max(start, text.lastIndexOf('\n', line - 2) + 1);
        const header = headerAt(this.#language, text, line + 1);
        if (!header) continue;
        const depth = this.#language.layout.depthAt(text, line + 1);
        passed.push({ header, depth });
        if (depth === 0 && !this.#decorated) return passed.reverse();
      }
    }
    return passed.reverse();
  }
}

function isDecorator({ text: { decorator } }: Language, text: string, start: number): boolean {
  if (!decorator) return false;
  decorator.lastIndex = start;
  return decorator.test(text);
}

function firstLetter(text: string, start: number): string {
  let i = start;
  while (text.charCodeAt(i) === SPACE || text.charCodeAt(i) === TAB) i++;
  return text.charAt(i);
}

const NUL = 0;
const TAB = 9;
const SPACE = 32;
