import type { IssueSyntax } from '../languages/issue-syntax.ts';
import type { Passage } from './passages.ts';

/** A line of an issue, without its line end. */
export interface Line {
  /** Where it begins in the issue, in UTF-16 units. */
  start: number;
  text: string;
  /** The same with its line end, where that is read. */
  whole: string;
  /** Set where what stands before it in the issue is left out: a block that was open there is unknown here. */
  isAfterGap: boolean;
  marks: Marks;
}

/** What the form of a line says of it, whatever stands around it. */
export interface Marks {
  /** Opens or closes a Markdown block, quoted or not. */
  isFence: boolean;
  /** What stands behind a fence, in lower case: the language of the block, mostly. */
  info: string;
  /** Trac's braces that open or close a block. */
  braces: 'open' | 'close' | null;
  /** As a Markdown block is. */
  isIndented: boolean;
  /** Typed at a prompt, or answered there. */
  isPrompt: boolean;
  /** Begins with what is typed at a language's prompt. */
  isInput: boolean;
  /** Code by its looks. */
  isCode: boolean;
  traceback: 'begins' | 'continues' | null;
  /** As encoders were trained to tell these. */
  trained: { isFence: boolean; isPrompt: boolean; isFrame: boolean };
}

/** In UTF-16 units. */
const LOOK = 240;

const FENCE = /^[ \t>]{0,20}(?:`{3,40}[^`]{0,240}$|~~~)/;
const INFO = /^[ \t>]{0,20}(?:`{3,40}|~{3,40})[ \t]{0,8}\{?\.?([\w+#-]{1,40})/;
const BRACES_OPEN = /^[ \t]{0,20}\{\{\{/;
const BRACES_CLOSE = /^[ \t]{0,20}\}\}\}/;
const INDENTED = /^(?: {4}|\t)/;
const SHELL = /^\s{0,240}\$ /;
const TRAINED_FENCE = /^[ \t]*(?:```|~~~)/;
const TRAINED_SHELL = /^[ \t]*\$ /;

export function* linesOf(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
): Generator<Line> {
  // Logs repeat their lines.
  const known = new Map<string, Marks>();
  let isAfterGap = true;
  for (const { offset, text, isCut } of passages) {
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf('\n', start);
      const end = newline < 0 ? text.length : newline + 1;
      const whole = text.slice(start, end);
      const line = newline < 0 ? whole : whole.slice(0, -1);
      const marks = known.get(line) ?? marksOf(line, syntaxes);
      known.set(line, marks);
      yield { start: offset + start, text: line, whole, isAfterGap, marks };
      isAfterGap = false;
      start = end;
    }
    isAfterGap = !isCut;
  }
}

export function marksOf(line: string, syntaxes: readonly IssueSyntax[]): Marks {
  const head = headOf(line);
  const is = (text: string, patternOf: (syntax: IssueSyntax) => RegExp | undefined) =>
    syntaxes.some((syntax) => patternOf(syntax)?.test(text));
  return {
    isFence: FENCE.test(head),
    info: INFO.exec(head)?.[1]?.toLowerCase() ?? '',
    braces: bracesOf(head),
    isIndented: INDENTED.test(line),
    isPrompt: SHELL.test(head) || is(head, ({ prompt }) => prompt),
    isInput: is(line, ({ input }) => input),
    isCode: is(head, ({ codeLine }) => codeLine),
    traceback: is(head, ({ traceback }) => traceback.begins)
      ? 'begins'
      : is(head, ({ traceback }) => traceback.continues)
        ? 'continues'
        : null,
    trained: {
      isFence: TRAINED_FENCE.test(line),
      isPrompt: TRAINED_SHELL.test(line) || is(line, ({ trained }) => trained?.prompt),
      isFrame: is(line, ({ trained }) => trained?.frame),
    },
  };
}

/** What of a line it is judged by. */
export function headOf(line: string): string {
  return line.slice(0, LOOK).trimEnd();
}

/** What is closed in what is looked at is inline code. */
function bracesOf(head: string): Marks['braces'] {
  if (BRACES_CLOSE.test(head)) return 'close';
  return BRACES_OPEN.test(head) && !head.includes('}}}') ? 'open' : null;
}
