import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { matchRanges, PATH_RUN, type Passage, rangeReader, spanOf } from '../passages.ts';
import { type QualifiedName, qualifiedNames } from './qualified-names.ts';

/** An identifier that is meant as such, by its form or by where it stands. */
export interface NameToken {
  name: string;
  /** The class, module or object in front of it; null where there is none. */
  owner: string | null;
  span: IssueSpan;
}

const MAX_TOKEN = 500;
const URL = /\b[a-z]{2,10}:\/\/[^\s<>"'`]+/g;
/**
 * What tells a path from a quotient: two slashes, or an extension; with backslashes a drive or a dot, as there are
 * languages that write names with them.
 */
const PATH_LIKE =
  /\/.*\/|^(?:[A-Za-z]:)?\\\w*\\|^[A-Za-z]:\\|\\[^\\]*\.\w|\.(?:rst|md|txt|cfg|toml|ini|json|ya?ml|html|css|js)$/;
const SENTENCE_END = /[.!?:;]["')\]*_]{0,3}$/;
const BULLET = /^[-*#>\d.]{1,6}$/;
/** How much of what stands before a word is looked at, in UTF-16 units. */
const BEFORE = 24;

/** The identifiers in order of appearance. Of qualified ones, each part is given with the part before it. */
export function* findNames(
  passages: readonly Passage[],
  code: readonly (readonly [number, number])[],
  syntaxes: readonly IssueSyntax[],
): Generator<NameToken> {
  const isCode = rangeReader(code);
  for (const passage of passages) {
    const isPath = rangeReader(notNames(passage.text, syntaxes));
    for (const found of qualifiedNames(passage.text, syntaxes)) {
      const inCode = isCode(passage.offset + found.at);
      if (isPath(found.at) || found.text.length > MAX_TOKEN) continue;
      yield* partsOf(found, inCode, passage, syntaxes);
    }
  }
}

function* partsOf(
  { at, text, parts }: QualifiedName,
  inCode: boolean,
  passage: Passage,
  syntaxes: readonly IssueSyntax[],
): Generator<NameToken> {
  const isMeant =
    inCode || parts.length > 1 || isCalledOrQuoted(passage.text, at, at + text.length);
  let owner: QualifiedName['parts'][number] | null = null;
  for (const part of parts) {
    const { name } = part;
    const start = at + part.at;
    const isLong = name.length > 1 || inCode;
    if (isLong && (isMeant || isIdentifierLike(name, passage.text, start, syntaxes))) {
      const first: number = owner === null ? start : at + owner.at;
      yield { name, owner: owner?.name ?? null, span: spanOf(passage, first, start + name.length) };
    }
    owner = part;
  }
}

/** Where URLs and paths are, whose words are not names. */
function notNames(text: string, syntaxes: readonly IssueSyntax[]): [number, number][] {
  const patterns = [PATH_LIKE, ...syntaxes.map(({ sourceFile }) => sourceFile)];
  const paths = matchRanges(PATH_RUN, text).filter(([start, end]) => {
    if (end - start > 1000) return true;
    const run = text.slice(start, end);
    return patterns.some((pattern) => pattern.test(run));
  });
  return [...matchRanges(URL, text), ...paths].sort((a, b) => a[0] - b[0]);
}

function isCalledOrQuoted(text: string, start: number, end: number): boolean {
  const before = text[start - 1];
  const after = text[end];
  return (
    after === '(' ||
    (before !== undefined && before === after && (before === "'" || before === '"'))
  );
}

/** `snake_case`, `camelCase`, `HTTPError`, a language's special names, or a capitalised word within a sentence. */
function isIdentifierLike(
  word: string,
  text: string,
  start: number,
  syntaxes: readonly IssueSyntax[],
): boolean {
  if (/[^_]_+[^_]|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(word)) return true;
  if (syntaxes.some(({ specialName }) => specialName.test(word))) return true;
  if (!/^\p{Lu}/u.test(word)) return false;
  return !isSentenceStart(text.slice(Math.max(0, start - BEFORE), start));
}

/** Whether a sentence, a line or an item of a list begins after this text. */
function isSentenceStart(before: string): boolean {
  const said = before.trimEnd();
  const space = before.slice(said.length);
  if (said === '' || space.includes('\n')) return true;
  if (space === '') return false;
  const newline = said.lastIndexOf('\n');
  return (
    SENTENCE_END.test(said) || (newline >= 0 && BULLET.test(said.slice(newline + 1).trimStart()))
  );
}
