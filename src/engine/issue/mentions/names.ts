import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { type CodeRange, mayBeLanguage } from '../code.ts';
import { createIssueSpan, PATH_RUN, type Passage } from '../passages.ts';
import { createRangeTest, findRanges, type TextRange } from '../ranges.ts';
import { limitMentions } from './limit.ts';

/** A word that is meant as an identifier, by its form or its context. */
export interface NameToken {
  name: string;
  /** Class, module or object before it; null if none exists. */
  owner: string | null;
  span: IssueSpan;
  /** Languages in which it is not an identifier: it is a keyword or a key there, or part of another language's code. */
  notIn: readonly IssueSyntax[];
}

const MAX_TOKEN = 500;
const URL = /\b[a-z]{2,10}:\/\/[^\s<>"'`]+/g;
/** A path rather than a quotient: with two slashes or an extension. With backslashes, which names may have: a drive or a dot. */
const PATH_LIKE =
  /\/.*\/|^[A-Za-z]:\\|\\[^\\]*\.\w|\.(?:rst|md|txt|cfg|toml|ini|json|ya?ml|html|css|js)$/;
/** A path from the root without a drive; some languages write names like this. */
const BACKSLASHED = /^\\\w*\\/;
const SENTENCE_END = /[.!?:;]["')\]*_]{0,3}$/;
const BULLET = /^[-*#>\d.]{1,6}$/;
/** UTF-16 units before a word that are examined. */
const MAX_BEFORE = 24;

/** Words that are not names in any language: `report-issue`, `Content-Type`, `--flag`, `text/plain`. */
const NEVER_NAMES =
  /(?<![\w-])(?:--?[a-z]|[a-z]\w{0,60}-[a-z\d]|[A-Z][a-z]{0,60}-[A-Z])[\w-]{0,200}|\b(?:application|audio|font|image|multipart|text|video)\/[\w.+-]{1,100}/g;

/** Finds identifiers in order of appearance. A qualified name yields each part with the part before it. */
export function findNames(
  passages: Iterable<Passage>,
  code: readonly CodeRange[],
  syntaxes: readonly IssueSyntax[],
): NameToken[] {
  const found = readNames(passages, code, syntaxes);
  return limitMentions(found, ({ owner, name }) => `${owner ?? ''}.${name}`);
}

function* readNames(
  passages: Iterable<Passage>,
  code: readonly CodeRange[],
  syntaxes: readonly IssueSyntax[],
): Generator<NameToken> {
  const readers = syntaxes.map((syntax) => new NameReader(syntax, code, syntaxes));
  for (const passage of passages) {
    const isPath = createRangeTest(findPathRanges(passage.text, syntaxes));
    for (const reader of readers) reader.open(passage);
    for (const found of findQualifiedNames(passage.text, syntaxes)) {
      const readings = readers.map((reader) => reader.read(found));
      if (isPath(found.at) || found.text.length > MAX_TOKEN) continue;
      for (const [n, { name, at }] of found.parts.entries()) {
        const notIn = syntaxes.filter((_, s) => !readings[s]?.[n]);
        if (notIn.length === syntaxes.length) continue;
        const owner = found.parts[n - 1];
        const start = found.at + (owner ?? { at }).at;
        const span = createIssueSpan(passage, start, found.at + at + name.length);
        yield { name, owner: owner?.name ?? null, span, notIn };
      }
    }
  }
}

/** Tells whether words of an issue are names in one language. Passages and words must be passed in order. */
class NameReader {
  readonly #syntax: IssueSyntax;
  readonly #syntaxes: readonly IssueSyntax[];
  readonly #isCode: (at: number) => boolean;
  #text = '';
  #offset = 0;
  #isOther: (at: number) => boolean = () => false;

  constructor(syntax: IssueSyntax, code: readonly CodeRange[], syntaxes: readonly IssueSyntax[]) {
    this.#syntax = syntax;
    this.#syntaxes = syntaxes;
    this.#isCode = createRangeTest(code, ({ info }) => mayBeLanguage(syntax, info));
  }

  /** Begins to read a passage. */
  open({ text, offset }: Passage): void {
    this.#text = text;
    this.#offset = offset;
    const { words } = this.#syntax;
    const others = words ? [NEVER_NAMES, words.others ?? []].flat() : [];
    const ranges = others.flatMap((pattern) => findRanges(pattern, text));
    this.#isOther = createRangeTest(ranges.sort((a, b) => a.start - b.start));
  }

  /** Returns for each part whether it is a name. */
  read({ at, text, parts }: QualifiedName): boolean[] {
    const inCode = this.#isCode(this.#offset + at);
    const end = at + text.length;
    const isMeant = inCode || parts.length > 1 || isCalledOrQuoted(this.#text, at, end);
    return parts.map(({ name, at: from }, n) => {
      const start = at + from;
      const isOther = this.#isOther(start);
      const isShort = name.length <= 1 && !inCode;
      if (isShort || isOther || this.#isExcluded(name, n, { at, text, parts }, inCode))
        return false;
      return isMeant || isIdentifierLike(name, this.#text, start, this.#syntaxes);
    });
  }

  /** Returns true if a word that looks like a name, or is in code, is a keyword, a key, or too short to look up. */
  #isExcluded(
    name: string,
    n: number,
    { at, text, parts }: QualifiedName,
    inCode: boolean,
  ): boolean {
    const { words } = this.#syntax;
    if (!words) return false;
    const end = at + text.length;
    const isCalled = this.#text[end] === '(' && n === parts.length - 1;
    if (name.length === 1) return !(n > 0 && isCalled);
    if (words.keywords.has(name)) return n === 0 && !(isCalled && this.#text[at - 1] === '`');
    return inCode && parts.length === 1 && /^\p{Ll}/u.test(name) && this.#isLabel(end);
  }

  #isLabel(end: number): boolean {
    const label = this.#syntax.words?.label;
    if (!label) return false;
    label.lastIndex = end;
    return label.test(this.#text);
  }
}

/** Finds the ranges of URLs and paths, whose words are not names. */
function findPathRanges(text: string, syntaxes: readonly IssueSyntax[]): TextRange[] {
  const patterns = [PATH_LIKE, ...syntaxes.map(({ sourceFile }) => sourceFile)];
  const mayBeName = syntaxes.some(({ separator }) => 'A\\b'.split(separator).length > 1);
  const paths = findRanges(PATH_RUN, text).filter(({ start, end }) => {
    if (end - start > 1000) return true;
    const run = text.slice(start, end);
    if (BACKSLASHED.test(run) && !(mayBeName && text[start - 1] !== ':')) return true;
    return patterns.some((pattern) => pattern.test(run));
  });
  return [...findRanges(URL, text), ...paths].sort((a, b) => a.start - b.start);
}

function isCalledOrQuoted(text: string, start: number, end: number): boolean {
  const [before, after] = [text[start - 1], text[end]];
  return after === '(' || (before === after && (before === "'" || before === '"'));
}

/** Returns true for `snake_case`, `camelCase`, `HTTPError`, a language's special names, or a capitalized word within a sentence. */
function isIdentifierLike(
  word: string,
  text: string,
  start: number,
  syntaxes: readonly IssueSyntax[],
): boolean {
  if (/[^_]_+[^_]|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(word)) return true;
  if (syntaxes.some(({ specialName }) => specialName.test(word))) return true;
  if (!/^\p{Lu}/u.test(word)) return false;
  return !isSentenceStart(text.slice(Math.max(0, start - MAX_BEFORE), start));
}

/** Returns true if a sentence, a line or a list item begins after this text. */
function isSentenceStart(before: string): boolean {
  const trimmed = before.trimEnd();
  const space = before.slice(trimmed.length);
  if (trimmed === '' || space.includes('\n')) return true;
  if (space === '') return false;
  const newline = trimmed.lastIndexOf('\n');
  return (
    SENTENCE_END.test(trimmed) ||
    (newline >= 0 && BULLET.test(trimmed.slice(newline + 1).trimStart()))
  );
}

/** An identifier with its qualifiers, such as `Cart.total`. */
export interface QualifiedName {
  at: number;
  text: string;
  /** Identifiers, with the start of each in `text`. */
  parts: { name: string; at: number }[];
}

/** Finds the identifiers of a text in order, each as long as any language's pattern matches. */
export function findQualifiedNames(
  text: string,
  syntaxes: readonly IssueSyntax[],
): QualifiedName[] {
  // Languages share patterns.
  const forms = new Map(
    syntaxes.map((syntax) => [`${syntax.qualifiedName} ${syntax.separator}`, syntax]),
  );
  const found = Array.from(forms.values()).flatMap(({ qualifiedName, separator }) =>
    Array.from(text.matchAll(qualifiedName), ({ 0: name, index }) => {
      return { at: index, text: name, parts: splitParts(name, separator) };
    }),
  );
  if (forms.size === 1) return found;
  let end = 0;
  return found
    .sort((a, b) => a.at - b.at || b.text.length - a.text.length)
    .filter((name) => {
      if (name.at < end) return false;
      end = name.at + name.text.length;
      return true;
    });
}

function splitParts(text: string, separator: string | RegExp): QualifiedName['parts'] {
  let at = 0;
  return text.split(separator).map((name) => {
    at = text.indexOf(name, at);
    const part = { name, at };
    at += name.length;
    return part;
  });
}
