import { getOrAdd } from '../../shared/get-or-add.ts';
import type { IssueSyntax } from '../languages/issue-syntax.ts';
import type { Passage } from './passages.ts';

/** A line of an issue, without its line end. */
export interface MarkedLine {
  /** Start in the issue, in UTF-16 units. */
  start: number;
  text: string;
  /** The same with its line end, if the line end is read. */
  whole: string;
  /** True for a part of a very long line, except its first part. */
  isRest: boolean;
  marks: LineMarks;
}

/** Properties of a line by its form alone, without its neighbors. */
export interface LineMarks {
  /** True if it opens or closes a Markdown block, quoted or not. */
  isFence: boolean;
  /** Text after a fence in lower case, usually the language of the block. */
  info: string;
  /** Set if it opens or closes a block with Trac's braces. */
  braces: 'open' | 'close' | null;
  /** True if it is indented like a Markdown code block. */
  isIndented: boolean;
  /** True for input at a prompt, or its output. */
  isPrompt: boolean;
  /** True for input at a language's prompt. */
  isInput: boolean;
  /** True if it looks like code. */
  isCode: boolean;
  traceback: 'begins' | 'continues' | null;
  /** Properties by the patterns that encoders were trained with. */
  trained: { isFence: boolean; isPrompt: boolean; isFrame: boolean };
}

/** UTF-16 units of a line that are examined. */
const MAX_EXAMINED = 240;
/** Maximum different lines whose marks are cached. */
const MAX_CACHED = 10_000;

const FENCE = /^[ \t>]{0,20}(?:`{3,40}[^`]{0,240}$|~~~)/;
const INFO = /^[ \t>]{0,20}(?:`{3,40}|~{3,40})[ \t]{0,8}\{?\.?([\w+#-]{1,40})/;
const BRACES_OPEN = /^[ \t]{0,20}\{\{\{/;
const BRACES_CLOSE = /^[ \t]{0,20}\}\}\}/;
const INDENTED = /^(?: {4}|\t)/;
const SHELL = /^\s{0,240}\$ /;
const TRAINED_FENCE = /^[ \t]*(?:```|~~~)/;
const TRAINED_SHELL = /^[ \t]*\$ /;

export function* markLines(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
): Generator<MarkedLine> {
  // Logs repeat their lines.
  const cached = new Map<string, LineMarks>();
  for (const { offset, text, isRest = false } of passages) {
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf('\n', start);
      const end = newline < 0 ? text.length : newline + 1;
      const whole = text.slice(start, end);
      const line = newline < 0 ? whole : whole.slice(0, -1);
      if (cached.size === MAX_CACHED) cached.clear();
      const marks = getOrAdd(cached, line, () => markLine(line, syntaxes));
      yield { start: offset + start, text: line, whole, isRest, marks };
      start = end;
    }
  }
}

export function markLine(line: string, syntaxes: readonly IssueSyntax[]): LineMarks {
  const head = getLineHead(line);
  const matches = (text: string, patternOf: (syntax: IssueSyntax) => RegExp | undefined) =>
    syntaxes.some((syntax) => patternOf(syntax)?.test(text));
  return {
    isFence: FENCE.test(head),
    info: INFO.exec(head)?.[1]?.toLowerCase() ?? '',
    braces: getBraces(head),
    isIndented: INDENTED.test(line),
    isPrompt: SHELL.test(head) || matches(head, ({ prompt }) => prompt),
    isInput: matches(line, ({ input }) => input),
    isCode: matches(head, ({ codeLine }) => codeLine),
    traceback: matches(head, ({ traceback }) => traceback.begins)
      ? 'begins'
      : matches(head, ({ traceback }) => traceback.continues)
        ? 'continues'
        : null,
    trained: {
      isFence: TRAINED_FENCE.test(line),
      isPrompt: TRAINED_SHELL.test(line) || matches(line, ({ trained }) => trained?.prompt),
      isFrame: matches(line, ({ trained }) => trained?.frame),
    },
  };
}

/** Returns the beginning of a line, which is enough to classify it. */
export function getLineHead(line: string): string {
  return line.slice(0, MAX_EXAMINED).trimEnd();
}

/** Returns whether braces open or close a block. Braces that are closed in the same line are inline code. */
function getBraces(head: string): LineMarks['braces'] {
  if (BRACES_CLOSE.test(head)) return 'close';
  return BRACES_OPEN.test(head) && !head.includes('}}}') ? 'open' : null;
}
