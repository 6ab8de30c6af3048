/**
 * Classifies the lines of an issue: words mean different things in titles, prose, code and tracebacks, and headings of a
 * template or lists of versions are irrelevant to code. Works on Markdown, reStructuredText, Trac and plain text, in linear
 * time.
 */
import type { IssueSyntax } from '../languages/issue-syntax.ts';
import { getLineHead, type MarkedLine } from './lines.ts';
import { getHeading, isEnvironmentHeading, isNoiseLine, isTemplateHeading } from './template.ts';

export type LineKind = 'title' | 'prose' | 'code' | 'traceback' | 'noise';

export interface ClassifiedLine extends MarkedLine {
  kind: LineKind;
  /** True in a hidden comment of a template, including its last line. */
  isComment: boolean;
  /** True in a block between fences or braces, and for the fences and braces themselves. */
  isFenced: boolean;
  /** Info string after the fence of its block; '' outside one. */
  info: string;
}

/**
 * Classifies lines.
 * @param hidden end of the comments that the issue begins with (`getLeadingCommentsEnd`)
 */
export function* classifyLines(
  lines: Iterable<MarkedLine>,
  syntaxes: readonly IssueSyntax[],
  hidden: number,
): Generator<ClassifiedLine> {
  const reader = new LineReader(syntaxes, hidden);
  let kind: LineKind = 'noise';
  for (const line of lines) {
    const wasFenced = reader.isFenced;
    if (!line.isRest || reader.isComment) kind = reader.classify(line);
    const { isComment, info } = reader;
    yield { ...line, kind, isComment, isFenced: wasFenced || reader.isFenced, info };
  }
}

class LineReader {
  readonly #syntaxes: readonly IssueSyntax[];
  readonly #hidden: number;
  readonly #encoded = new EncodedReader();
  #hasTitle = false;
  #block: 'fence' | 'braces' | null = null;
  #info = '';
  isComment = false;
  #inComment = false;
  #inTraceback = false;
  #inCode = false;
  #inEnvironment = false;

  constructor(syntaxes: readonly IssueSyntax[], hidden: number) {
    this.#syntaxes = syntaxes;
    this.#hidden = hidden;
  }

  get isFenced(): boolean {
    return this.#block !== null;
  }

  get info(): string {
    return this.#block === null ? '' : this.#info;
  }

  classify({ start, text, marks }: MarkedLine): LineKind {
    const head = getLineHead(text);
    this.isComment = start + text.length < this.#hidden;
    if (this.isComment) return 'noise';
    if (!this.#hasTitle) return this.#readTitle(head);
    if (this.#encoded.isEncoded(head)) return 'noise';
    if (this.#block) return this.#readFenced(marks);
    if (this.#inComment || head.trimStart().startsWith('<!--')) return this.#readComment(text);
    if (this.#opensBlock(marks)) return 'noise';
    if (this.#continuesTraceback(marks)) return 'traceback';
    if (head === '') return this.#inCode ? 'code' : 'prose';
    if (marks.isPrompt) return this.#readCode();
    const heading = getHeading(head);
    if (heading !== null) return this.#readHeading(heading);
    if (this.#inEnvironment || isNoiseLine(head, this.#syntaxes)) return 'noise';
    if (marks.isIndented || marks.isCode) return this.#readCode();
    this.#inCode = false;
    return 'prose';
  }

  #readTitle(head: string): LineKind {
    if (head === '') return 'noise';
    this.#hasTitle = true;
    return 'title';
  }

  #readCode(): LineKind {
    this.#inCode = true;
    return 'code';
  }

  #readComment(text: string): LineKind {
    this.isComment = true;
    this.#inComment = !text.includes('-->');
    return 'noise';
  }

  #readHeading(heading: string): LineKind {
    this.#inCode = false;
    this.#inEnvironment = isEnvironmentHeading(heading, this.#syntaxes);
    return this.#inEnvironment || isTemplateHeading(heading) ? 'noise' : 'prose';
  }

  #readFenced(marks: MarkedLine['marks']): LineKind {
    if (this.#block === 'fence' ? marks.isFence : marks.braces === 'close') {
      this.#block = null;
      this.#inTraceback = false;
      return 'noise';
    }
    if (this.#continuesTraceback(marks)) return 'traceback';
    return this.#inEnvironment ? 'noise' : 'code';
  }

  #opensBlock({ isFence, info, braces }: MarkedLine['marks']): boolean {
    if (isFence) this.#block = 'fence';
    else if (braces === 'open') this.#block = 'braces';
    else return false;
    this.#info = info;
    this.#inTraceback = false;
    this.#inCode = false;
    return true;
  }

  #continuesTraceback({ traceback }: MarkedLine['marks']): boolean {
    this.#inTraceback = traceback === 'begins' || (this.#inTraceback && traceback === 'continues');
    return this.#inTraceback;
  }
}

// Keys, certificates and other encoded bytes are not words, although parts of them look like words.

const PEM_BEGIN = /^[ \t>]{0,20}-----BEGIN [A-Z\d ]{1,60}-----/;
const PEM_END = /-----END [A-Z\d ]{1,60}-----/;
/** A PEM header, or a line of Base64, whose last line may be short. */
const PEM_LINE = /^[ \t>]{0,20}(?:[A-Z][\w-]{1,40}: .*|[A-Za-z\d+/]{0,240}={0,2})$/;
/** Base64 outside PEM. To exclude long names: as long as encoders' lines, with letters in both cases and several digits. */
const BASE64 =
  /^[ \t>]{0,20}(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=(?:\D*\d){3})[A-Za-z\d+/]{60,240}={0,2}$/;

/** Tells whether lines are encoded data. Takes the heads of all lines in order (`getLineHead`). */
class EncodedReader {
  #isInside = false;

  isEncoded(head: string): boolean {
    if (PEM_BEGIN.test(head)) {
      this.#isInside = !PEM_END.test(head);
      return true;
    }
    if (!this.#isInside) return BASE64.test(head);
    const isLast = PEM_END.test(head);
    const isEncoded = isLast || PEM_LINE.test(head);
    this.#isInside = isEncoded && !isLast;
    return isEncoded;
  }
}
