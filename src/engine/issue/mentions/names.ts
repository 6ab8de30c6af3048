import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { type CodeRange, mayBeLanguage } from '../code.ts';
import { createIssueSpan, PATH_RUN, type Passage } from '../passages.ts';
import { createRangeTest, findRanges, type TextRange } from '../ranges.ts';
import { limitMentions } from './limit.ts';
import { isCalledOrQuoted, isIdentifierLike } from './name-forms.ts';
import { OrdinaryWords } from './ordinary-words.ts';
import { findQualifiedNames, type QualifiedName } from './qualified-names.ts';

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

/** Words that are not names in any language: `report-issue`, `Content-Type`, `--flag`, `text/plain`. */
const NEVER_NAMES =
  /(?<![\w-])(?:--?[a-z]|[a-z]\w{0,60}-[a-z\d]|[A-Z][a-z]{0,60}-[A-Z])[\w-]{0,200}|\b(?:application|audio|font|image|multipart|text|video)\/[\w.+-]{1,100}/g;

/** Finds identifiers in order of appearance. A qualified name yields each part with the part before it. */
export function findNames(
  passages: Iterable<Passage>,
  code: readonly CodeRange[],
  headings: readonly TextRange[],
  syntaxes: readonly IssueSyntax[],
): NameToken[] {
  const found = readNames(passages, code, headings, syntaxes);
  return limitMentions(found, ({ owner, name }) => `${owner ?? ''}.${name}`);
}

function* readNames(
  passages: Iterable<Passage>,
  code: readonly CodeRange[],
  headings: readonly TextRange[],
  syntaxes: readonly IssueSyntax[],
): Generator<NameToken> {
  const ordinary = new OrdinaryWords(code, headings, syntaxes);
  const readers = syntaxes.map((syntax) => new NameReader(syntax, code, syntaxes));
  for (const passage of passages) {
    const isPath = createRangeTest(findPathRanges(passage.text, syntaxes));
    for (const reader of [ordinary, ...readers]) reader.open(passage);
    for (const found of findQualifiedNames(passage.text, syntaxes)) {
      const readings = readers.map((reader) => reader.read(found));
      if (ordinary.has(found) || isPath(found.at) || found.text.length > MAX_TOKEN) continue;
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
    const others = words ? [words.hyphens ? [] : NEVER_NAMES, words.others ?? []].flat() : [];
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
