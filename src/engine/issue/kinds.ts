/**
 * Says of each line of an issue what it is, as a developer's eye does: words mean different things in titles, prose, code
 * and tracebacks, and a template's headings and a list of installed versions say nothing about code. Works on Markdown,
 * reStructuredText, Trac and text without any marks; takes linear time on any text.
 */
import type { IssueSyntax } from '../languages/issue-syntax.ts';
import { headOf, type Line } from './lines.ts';
import { headingOf, isEnvironment, isNoise, isTemplate } from './template.ts';

export type LineKind = 'title' | 'prose' | 'code' | 'traceback' | 'noise';

export interface ReadLine extends Line {
  kind: LineKind;
  /** In a comment of a template, which readers do not see, or the line it ends in. */
  isComment: boolean;
  /** In a block between fences or braces, or one of these. */
  isFenced: boolean;
  /** What stands behind the fence of its block; '' outside of one. */
  info: string;
}

/** @param hidden where the comments end that the issue begins with (`leadingComments`) */
export function* readLines(
  lines: Iterable<Line>,
  syntaxes: readonly IssueSyntax[],
  hidden: number,
): Generator<ReadLine> {
  const reader = new LineReader(syntaxes, hidden);
  for (const line of lines) {
    const wasFenced = reader.isFenced;
    const kind = reader.kindOf(line);
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

  kindOf({ start, text, marks }: Line): LineKind {
    const head = headOf(text);
    this.isComment = start + text.length < this.#hidden;
    if (this.isComment) return 'noise';
    if (!this.#hasTitle) return this.#title(head);
    if (this.#encoded.isEncoded(head)) return 'noise';
    if (this.#block) return this.#fenced(marks);
    if (this.#inComment || head.trimStart().startsWith('<!--')) return this.#comment(text);
    if (this.#opensBlock(marks)) return 'noise';
    if (this.#continuesTraceback(marks)) return 'traceback';
    if (head === '') return this.#inCode ? 'code' : 'prose';
    if (marks.isPrompt) return this.#code();
    const heading = headingOf(head);
    if (heading !== null) return this.#heading(heading);
    if (this.#inEnvironment || isNoise(head, this.#syntaxes)) return 'noise';
    if (marks.isIndented || marks.isCode) return this.#code();
    this.#inCode = false;
    return 'prose';
  }

  #title(head: string): LineKind {
    if (head === '') return 'noise';
    this.#hasTitle = true;
    return 'title';
  }

  #code(): LineKind {
    this.#inCode = true;
    return 'code';
  }

  #comment(text: string): LineKind {
    this.isComment = true;
    this.#inComment = !text.includes('-->');
    return 'noise';
  }

  #heading(heading: string): LineKind {
    this.#inCode = false;
    this.#inEnvironment = isEnvironment(heading, this.#syntaxes);
    return this.#inEnvironment || isTemplate(heading) ? 'noise' : 'prose';
  }

  #fenced(marks: Line['marks']): LineKind {
    if (this.#block === 'fence' ? marks.isFence : marks.braces === 'close') {
      this.#block = null;
      this.#inTraceback = false;
      return 'noise';
    }
    if (this.#continuesTraceback(marks)) return 'traceback';
    return this.#inEnvironment ? 'noise' : 'code';
  }

  #opensBlock({ isFence, info, braces }: Line['marks']): boolean {
    if (isFence) this.#block = 'fence';
    else if (braces === 'open') this.#block = 'braces';
    else return false;
    this.#info = info;
    this.#inTraceback = false;
    this.#inCode = false;
    return true;
  }

  #continuesTraceback({ traceback }: Line['marks']): boolean {
    this.#inTraceback = traceback === 'begins' || (this.#inTraceback && traceback === 'continues');
    return this.#inTraceback;
  }
}

/** Keys, certificates and other bytes written as letters: no words, though their pieces look like some. */

const BEGINS = /^[ \t>]{0,20}-----BEGIN [A-Z\d ]{1,60}-----/;
const ENDS = /-----END [A-Z\d ]{1,60}-----/;
/** A header of PEM, or a line of Base64, the last one of which is short. */
const INSIDE = /^[ \t>]{0,20}(?:[A-Z][\w-]{1,40}: .*|[A-Za-z\d+/]{0,240}={0,2})$/;
/** Outside of PEM, where a long name is possible: as long as encoders break lines, in both cases and with several digits. */
const BASE64 =
  /^[ \t>]{0,20}(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=(?:\D*\d){3})[A-Za-z\d+/]{60,240}={0,2}$/;

/** Says of lines in order whether they are encoded. Takes the beginning of each, without blanks at its end (`headOf`). */
class EncodedReader {
  #isInside = false;

  isEncoded(head: string): boolean {
    if (BEGINS.test(head)) {
      this.#isInside = !ENDS.test(head);
      return true;
    }
    if (!this.#isInside) return BASE64.test(head);
    const isLast = ENDS.test(head);
    const isEncoded = isLast || INSIDE.test(head);
    this.#isInside = isEncoded && !isLast;
    return isEncoded;
  }
}
