import { StringDecoder } from 'node:string_decoder';
import { present } from '../../shared/present.ts';
import { languageOf } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import { headerAt } from '../languages/layout/header.ts';
import { OpenDefinitions } from './edited-definitions.ts';
import type { Commit, FileEdit } from './types.ts';

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
  #rest = '';
  #state: 'message' | 'file' | 'hunk' = 'file';
  #commit: Commit | null = null;
  #isBot = false;
  #file: OpenFile | null = null;

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
      start = end + 1;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MAX_LINE) {
      this.#rest = this.#rest.slice(0, MAX_LINE / 2) + this.#rest.slice(-16);
    }
    return done;
  }

  /** Takes the line `text[start, end)` in; returns the commit before it when the line begins the next. */
  #line(text: string, start: number, end: number): Commit | null {
    if (this.#state === 'message') {
      this.#messageLine(text.slice(start, end));
      return null;
    }
    switch (text.charCodeAt(start)) {
      case NUL: {
        const before = this.#finish();
        this.#begin(text.slice(start + 1, end));
        return before;
      }
      case LETTER_D:
        if (text.startsWith('diff --git ', start)) {
          this.#closeFile();
          this.#state = 'file';
          return null;
        }
    }
    if (this.#state === 'hunk') this.#hunkLine(text, start);
    else this.#fileLine(text.slice(start, Math.min(end, start + 5_000)));
    return null;
  }

  #begin(line: string): void {
    const [hash = '', time, author = '', ...message] = line.split('\0');
    this.#commit = { hash, time: Number(time) || 0, message: '', edits: [] };
    this.#isBot = BOT.test(author);
    this.#state = 'message';
    this.#messageLine(message.join('\0'));
  }

  #messageLine(line: string): void {
    const end = line.indexOf('\0');
    const commit = present(this.#commit, 'the commit of a message');
    if (commit.message.length < MAX_MESSAGE) {
      const room = MAX_MESSAGE - commit.message.length;
      commit.message += `${end < 0 ? line : line.slice(0, end)}\n`.slice(0, room);
    }
    if (end >= 0) this.#state = 'file';
  }

  /** A line between `diff --git` and the hunk. */
  #fileLine(line: string): void {
    const found = /^(rename from |rename to |--- a\/|\+\+\+ b\/|@@ )([^\t"\\]*)/.exec(line);
    if (!found) return;
    const [, what, path = ''] = found;
    this.#file ??= new OpenFile();
    if (what === 'rename from ') this.#file.from = path;
    else if (what === '@@ ') this.#enterHunk();
    // A deleted file has only an old path.
    else this.#file.path = path;
  }

  #enterHunk(): void {
    this.#state = 'hunk';
    if (this.#file) this.#file.language = languageOf(this.#file.path);
  }

  #hunkLine(text: string, start: number): void {
    const file = this.#file;
    const language = file?.language;
    if (!language) return;
    const mark = text.charCodeAt(start);
    if (mark === SPACE) file.contextLine(language, text, start + 1);
    else if (mark === PLUS) file.changedLine(language, text, start + 1, file.after);
    else if (mark === MINUS) file.changedLine(language, text, start + 1, file.before);
  }

  #closeFile(): void {
    const file = this.#file;
    this.#file = null;
    // Quoted paths, those with control characters, come out empty.
    if (!file?.path || !languageOf(file.path)) return;
    const { path, from, edited } = file;
    this.#commit?.edits.push({ path, from, definitions: [...edited].slice(0, MAX_DEFINITIONS) });
  }

  #finish(): Commit | null {
    this.#closeFile();
    const commit = this.#commit;
    this.#commit = null;
    if (!commit) return null;
    commit.message = commit.message.trim();
    if (this.#isBot || commit.edits.length > MAX_FILES) commit.edits = [];
    return commit;
  }
}

/** A file's part of a diff. */
class OpenFile {
  path = '';
  from: FileEdit['from'] = null;
  /** Null where nothing is read of it. */
  language: Language | null = null;
  readonly before = new OpenDefinitions();
  readonly after = new OpenDefinitions();
  readonly edited = new Set<string>();
  /** A decorator changed; it belongs to the next definition. */
  #decorated = false;

  contextLine(language: Language, text: string, start: number): void {
    const header = headerAt(language, text, start);
    if (!header) return;
    const depth = language.layout.depthAt(text, start);
    this.before.enter(header, depth);
    this.after.enter(header, depth);
    if (this.#decorated) this.edited.add(this.after.innermost());
    this.#decorated = false;
  }

  changedLine(language: Language, text: string, start: number, version: OpenDefinitions): void {
    const depth = language.layout.depthAt(text, start);
    const header = headerAt(language, text, start);
    if (header) {
      version.enter(header, depth);
      this.edited.add(version.innermost());
      this.#decorated = false;
      return;
    }
    const first = firstLetter(text, start);
    if (isDecorator(language, text, start)) this.#decorated = true;
    // Blank lines say nothing, and the end of a list may stand anywhere.
    else if (!'\r\n)]}'.includes(first)) {
      this.edited.add(version.around(depth));
    }
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
const PLUS = 43;
const MINUS = 45;
const LETTER_D = 100;
