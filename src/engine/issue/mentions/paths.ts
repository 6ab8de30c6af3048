import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { PATH_RUN, type Passage, rangeReader, spanOf } from '../passages.ts';
import { qualifiedNames } from './names.ts';

/** What may name a file or a module. */
export interface PathToken {
  kind: 'file' | 'module';
  span: IssueSpan;
  /** Of the path or the module's name. */
  segments: string[];
  /** Where in the span each segment of a module's name ends, in UTF-16 units; none for a file. */
  ends: number[];
  /** The lines of the file that the issue is about; null where it does not say. */
  lines: NamedLines | null;
  /** Where it is the path of a link to a file in a repository, and so one from the root of that. */
  link: { revision: string | null } | null;
}

const MAX_TOKEN = 1000;
/** Parts of a module's name that are looked at; no repository nests that deep. */
const MAX_SEGMENTS = 40;
const EXTENSION = /[^./\\]\.[A-Za-z]\w{0,9}$/;
/**
 * What a link has before the path of a file: `github.com/owner/name/blob/main/`, and as GitLab, Gitea and Bitbucket write it.
 * Of a branch with slashes in its name, what stands behind the first is left.
 */
const BEFORE_PATH =
  /^\/\/[^/]+(?:\/[^/]+){2,8}?\/(?:(?:-\/)?(?:blob|blame|raw)\/(?<revision>[^/]+)|src\/(?:(?:branch|commit|tag)\/(?<named>[^/]+)|(?<commit>[\da-f]{7,40}))|browse)\//;

/**
 * What may name a file or a module, passage by passage, files first.
 * @param prose where a person writes, `[start, end)` in order: elsewhere, lines are where a program was, not what is pointed at
 */
export function findPaths(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
  prose: readonly (readonly [number, number])[] = [],
): PathToken[] {
  const isProse = rangeReader(prose);
  return passages.flatMap((passage) => [
    ...fileTokens(passage, isProse),
    ...moduleTokens(passage, syntaxes),
  ]);
}

/** Anything that ends in a file extension, with as much of a path before it as there is. */
function* fileTokens(passage: Passage, isProse: (at: number) => boolean): Generator<PathToken> {
  const { offset, text } = passage;
  for (const { 0: run, index } of text.matchAll(PATH_RUN)) {
    if (run.length > MAX_TOKEN) continue;
    const path = run.replace(/[.+%-]{1,20}$/, '');
    if (!EXTENSION.test(path)) continue;
    const end = index + path.length;
    const link = text[index - 1] === ':' ? BEFORE_PATH.exec(path) : null;
    const inside = link ? path.slice(link[0].length) : path;
    const said = isProse(offset + index) ? linesSaid(text, index, end) : null;
    yield {
      kind: 'file',
      span: spanOf(passage, end - inside.length, end),
      segments: segmentsOf(inside),
      ends: [],
      lines: linesLinked(text, end) ?? said,
      link: link && { revision: revisionIn(link) ?? revisionBehind(text, end) },
    };
  }
}

/** By names of their own: before V8 12.5, which Node 22 lacks, alternatives could not share one. */
const revisionIn = ({ groups = {} }: RegExpExecArray): string | undefined =>
  groups.revision ?? groups.named ?? groups.commit;

/** What a link of Bitbucket Server has behind the path: `?at=0123abc`. */
const AT = /\?at=(?<revision>[\w.-]{1,100})(?=[#&\s]|$)/y;

function revisionBehind(text: string, at: number): string | null {
  AT.lastIndex = at;
  return AT.exec(text)?.groups?.revision ?? null;
}

/** Names of at least two parts. */
function* moduleTokens(passage: Passage, syntaxes: readonly IssueSyntax[]): Generator<PathToken> {
  for (const { at, text, parts } of qualifiedNames(passage.text, syntaxes)) {
    if (text.length > MAX_TOKEN || parts.length < 2) continue;
    const span = spanOf(passage, at, at + text.length);
    const first = parts.slice(0, MAX_SEGMENTS);
    const segments = first.map(({ name }) => name);
    const ends = first.map((part) => part.at + part.name.length);
    yield { kind: 'module', span, segments, ends, lines: null, link: null };
  }
}

/** The parts of a path, without `.` and `..`. */
export function segmentsOf(path: string): string[] {
  return path.split(/[/\\]+/).filter((part) => part !== '' && part !== '.' && part !== '..');
}

/** Lines of a file, as an issue gives them beside its path: what a person means who has looked at the code already. */

/** Lines from 1, the last one included. */
export interface NamedLines {
  first: number;
  last: number;
}

/** Lines that an issue may name together. */
const MOST_LINES = 300;

/** Behind the path in a link: `#L12`, `#L12-L20`, `#L12C3-L20C7`, `#L12-20`, `#lines-12:20`, `?plain=1#L12`. */
const ANCHOR =
  /(?:\?[^\s#]{0,200})?#(?:L|lines-)?(?<first>\d{1,7})(?!\d)(?:C\d{1,5})?(?:[-:]L?(?<last>\d{1,7})(?:C\d{1,5})?)?/y;
/** Behind a path in a sentence: `:12`, `:12-20`, `, line 12`, ` (lines 12-20)`. */
const BEHIND =
  /:L?(?<first>\d{1,7})(?:-L?(?<last>\d{1,7}))?(?![\d:])|["'`)\]*]{0,3},?[ \t]{1,2}\(?(?:(?:at|on|in|around|near)[ \t])?[Ll]ines?[ \t]#?(?<firstLine>\d{1,7})(?:[ \t]?(?:-|–|to|and)[ \t]?(?<lastLine>\d{1,7}))?/y;
/** Before it: `line 12 of `, `lines 12-20 in the file `. */
const BEFORE =
  /\blines?[ \t]#?(?<first>\d{1,7})(?:[ \t]?(?:-|–|to|and)[ \t]?(?<last>\d{1,7}))?[ \t](?:of|in)[ \t](?:the[ \t])?(?:file[ \t])?["'`*[(]{0,3}$/i;
/** In UTF-16 units. */
const LOOK_BACK = 60;

/** The lines of a link whose path ends here; null where it has none. */
function linesLinked(text: string, end: number): NamedLines | null {
  return linesAt(ANCHOR, text, end);
}

/** The lines that a sentence gives beside a path, `[start, end)` of a text; null where it gives none. */
function linesSaid(text: string, start: number, end: number): NamedLines | null {
  // `(Cart.java:12)` is where a program was.
  const behind = text[start - 1] === '(' ? null : linesAt(BEHIND, text, end);
  if (behind) return behind;
  const match = BEFORE.exec(text.slice(Math.max(0, start - LOOK_BACK), start));
  return match && linesIn(match);
}

function linesAt(form: RegExp, text: string, at: number): NamedLines | null {
  form.lastIndex = at;
  const match = form.exec(text);
  return match && linesIn(match);
}

function linesIn({ groups = {} }: RegExpExecArray): NamedLines {
  const first = Number(groups.first ?? groups.firstLine);
  const last = Number(groups.last ?? groups.lastLine ?? first);
  const start = Math.min(first, last);
  return { first: start, last: Math.min(Math.max(first, last), start + MOST_LINES - 1) };
}
