import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { createIssueSpan, PATH_RUN, type Passage } from '../passages.ts';
import { createRangeTest, type TextRange } from '../ranges.ts';
import { limitMentions } from './limit.ts';
import { findQualifiedNames } from './qualified-names.ts';

/** A text that may name a file or a module. */
export interface PathToken {
  kind: 'file' | 'module';
  span: IssueSpan;
  /** Segments of the path or of the module's name. */
  segments: string[];
  /** End of each segment of a module's name in the span, in UTF-16 units; empty for a file. */
  ends: number[];
  /** Lines of the file that the issue names; null if it names none. */
  lines: IssueLines | null;
  /** True if a person wrote it, outside of code and output. */
  isProse: boolean;
  /** Set if it is in a link to a file of a repository; then the path starts at the repository's root. */
  link: { revision: string | null } | null;
}

const MAX_TOKEN = 1000;
/** Maximum segments of a module's name; no repository nests that deep. */
const MAX_SEGMENTS = 40;
const EXTENSION = /[^./\\]\.[A-Za-z]\w{0,9}$/;
/**
 * The part of a link before the path of a file: `github.com/owner/name/blob/main/`, and the forms of GitLab, Gitea and
 * Bitbucket. If a branch's name has slashes, the part after the first one is taken for the path.
 */
const BEFORE_PATH =
  /^\/\/[^/]+(?:\/[^/]+){2,8}?\/(?:(?:-\/)?(?:blob|blame|raw)\/(?<revision>[^/]+)|src\/(?:(?:branch|commit|tag)\/(?<named>[^/]+)|(?<commit>[\da-f]{7,40}))|browse)\//;

/**
 * Finds names of files and modules, passage by passage, files first.
 * @param prose sorted ranges that a person wrote. Line numbers elsewhere are from programs, and are ignored
 */
export function findPaths(
  passages: Iterable<Passage>,
  syntaxes: readonly IssueSyntax[],
  prose: readonly TextRange[] = [],
): PathToken[] {
  return limitMentions(readPaths(passages, syntaxes, prose), ({ span }) => span.text);
}

function* readPaths(
  passages: Iterable<Passage>,
  syntaxes: readonly IssueSyntax[],
  prose: readonly TextRange[],
): Generator<PathToken> {
  const isProse = createRangeTest(prose);
  for (const passage of passages) {
    yield* findFiles(passage, isProse);
    yield* findModules(passage, syntaxes, isProse);
  }
}

/** Yields words with a file extension, with the whole path before them. */
function* findFiles(passage: Passage, isProse: (at: number) => boolean): Generator<PathToken> {
  const { offset, text } = passage;
  for (const { 0: run, index } of text.matchAll(PATH_RUN)) {
    if (run.length > MAX_TOKEN) continue;
    const path = run.replace(/[.+%-]{1,20}$/, '');
    if (!EXTENSION.test(path)) continue;
    const end = index + path.length;
    const link = text[index - 1] === ':' ? BEFORE_PATH.exec(path) : null;
    const inside = link ? path.slice(link[0].length) : path;
    const isWritten = isProse(offset + index);
    const proseLines = isWritten ? readProseLines(text, index, end) : null;
    yield {
      kind: 'file',
      span: createIssueSpan(passage, end - inside.length, end),
      segments: splitPathSegments(inside),
      ends: [],
      lines: readLinkLines(text, end) ?? proseLines,
      isProse: isWritten,
      link: link && { revision: getRevision(link) ?? readRevisionAfter(text, end) },
    };
  }
}

/** Returns the revision of a link. Each alternative has its own group name, since Node 22 (V8 before 12.5) requires that. */
const getRevision = ({ groups = {} }: RegExpExecArray): string | undefined =>
  groups.revision ?? groups.named ?? groups.commit;

/** Revision after the path in a link of Bitbucket Server: `?at=0123abc`. */
const AT = /\?at=(?<revision>[\w.-]{1,100})(?=[#&\s]|$)/y;

function readRevisionAfter(text: string, at: number): string | null {
  AT.lastIndex = at;
  return AT.exec(text)?.groups?.revision ?? null;
}

/** Yields qualified names of at least two parts. */
function* findModules(
  passage: Passage,
  syntaxes: readonly IssueSyntax[],
  isProse: (at: number) => boolean,
): Generator<PathToken> {
  for (const { at, text, parts } of findQualifiedNames(passage.text, syntaxes)) {
    if (text.length > MAX_TOKEN || parts.length < 2) continue;
    const span = createIssueSpan(passage, at, at + text.length);
    const first = parts.slice(0, MAX_SEGMENTS);
    const segments = first.map(({ name }) => name);
    const ends = first.map((part) => part.at + part.name.length);
    const isWritten = isProse(passage.offset + at);
    yield { kind: 'module', span, segments, ends, lines: null, isProse: isWritten, link: null };
  }
}

/** Returns the segments of a path, without `.` and `..`. */
export function splitPathSegments(path: string): string[] {
  return path.split(/[/\\]+/).filter((part) => part !== '' && part !== '.' && part !== '..');
}

/** Lines that an issue gives next to a path, from 1, including `last`. */
export interface IssueLines {
  first: number;
  last: number;
}

/** Maximum number of lines that an issue may name together. */
const MAX_LINES = 300;

/** Lines after the path in a link: `#L12`, `#L12-L20`, `#L12C3-L20C7`, `#L12-20`, `#lines-12:20`, `?plain=1#L12`. */
const ANCHOR =
  /(?:\?[^\s#]{0,200})?#(?:L|lines-)?(?<first>\d{1,7})(?!\d)(?:C\d{1,5})?(?:[-:]L?(?<last>\d{1,7})(?:C\d{1,5})?)?/y;
/** Lines after a path in a sentence: `:12`, `:12-20`, `, line 12`, ` (lines 12-20)`. */
const BEHIND =
  /:L?(?<first>\d{1,7})(?:-L?(?<last>\d{1,7}))?(?![\d:])|["'`)\]*]{0,3},?[ \t]{1,2}\(?(?:(?:at|on|in|around|near)[ \t])?[Ll]ines?[ \t]#?(?<firstLine>\d{1,7})(?:[ \t]?(?:-|–|to|and)[ \t]?(?<lastLine>\d{1,7}))?/y;
/** Lines before a path in a sentence: `line 12 of `, `lines 12-20 in the file `. */
const BEFORE =
  /\blines?[ \t]#?(?<first>\d{1,7})(?:[ \t]?(?:-|–|to|and)[ \t]?(?<last>\d{1,7}))?[ \t](?:of|in)[ \t](?:the[ \t])?(?:file[ \t])?["'`*[(]{0,3}$/i;
/** UTF-16 units before a path that are searched for lines. */
const LOOK_BACK = 60;

/** Returns the lines of a link whose path ends at `end`; null if it has none. */
function readLinkLines(text: string, end: number): IssueLines | null {
  return matchLines(ANCHOR, text, end);
}

/** Returns the lines that a sentence gives next to a path, `[start, end)` of a text; null if it gives none. */
function readProseLines(text: string, start: number, end: number): IssueLines | null {
  // `(Cart.java:12)` is from a traceback.
  const behind = text[start - 1] === '(' ? null : matchLines(BEHIND, text, end);
  if (behind) return behind;
  const match = BEFORE.exec(text.slice(Math.max(0, start - LOOK_BACK), start));
  return match && createLineRange(match);
}

function matchLines(form: RegExp, text: string, at: number): IssueLines | null {
  form.lastIndex = at;
  const match = form.exec(text);
  return match && createLineRange(match);
}

function createLineRange({ groups = {} }: RegExpExecArray): IssueLines {
  const first = Number(groups.first ?? groups.firstLine);
  const last = Number(groups.last ?? groups.lastLine ?? first);
  const start = Math.min(first, last);
  return { first: start, last: Math.min(Math.max(first, last), start + MAX_LINES - 1) };
}
