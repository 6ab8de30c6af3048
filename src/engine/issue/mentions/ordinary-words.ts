/** Recognizes ordinary words that look like names because they are capitalized, quoted or in a block: headings, labels, branches. */
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import type { CodeRange } from '../code.ts';
import type { ClassifiedLine } from '../line-kinds.ts';
import type { Passage } from '../passages.ts';
import { createRangeTest, findRanges, type TextRange } from '../ranges.ts';
import { hasIdentifierForm, isCalled } from './name-forms.ts';
import type { QualifiedName } from './qualified-names.ts';

/** UTF-16 units before and after a word that are examined. */
const MAX_AROUND = 48;

/** Words of sanitizers, valgrind and tracebacks. In lines of frames, only the word before the location. */
const REPORT =
  /^[ \t]{0,8}(?:Traceback \(most recent call last\)|File(?= ["“])|at(?= )|==\d{1,9}==(?: {0,4}(?:at|by)\b|(?![^\n]{0,8}0x)[^\n]{0,300})|(?:READ|WRITE) of size[^\n]{0,300}|0x[\da-f]{1,16} is located[^\n]{0,300}|(?:freed|(?:previously )?allocated) by thread[^\n]{0,300}|SUMMARY: \w{1,40}: [\w-]{1,60})/gm;

/** At least four words of letters in a row, as in messages, logs and comments. */
const SENTENCE =
  /(?<![\p{L}\p{N}_.$@'’])\p{L}{1,30}(?:['’]\p{L}{1,3})?(?: \p{L}{1,30}(?:['’]\p{L}{1,3})?){3,60}(?![\p{L}\p{N}_$(='’]|\.\p{L})/gu;
/** English words that are neither keywords nor frequent names in code. */
const FUNCTION_WORD =
  /(?<=^| )(?:an?|are|at|be|been|but|can(?:not)?|could|has|have|may|must|of|should|that|the|this|to|was|were|will|would|you|your)(?= |$)/i;

const BEFORE_BRANCH =
  /\bbranch(?:es)? ["'`*]{0,3}$|\bgit (?:checkout|fetch|merge|pull|push|rebase|switch) (?:-\w{1,10} )?(?:[\w/.-]{1,20} )?$/i;
const AFTER_BRANCH = /^["'`*]{0,3} branch(?:es)?\b/i;
/** Without *in* and *of*, which also precede a function. */
const BEFORE_DEFAULT_BRANCH =
  /\b(?:against|from|into|latest|on) (?:(?:current|latest|the) )?["'`*]{0,3}$/i;
const DEFAULT_BRANCH = /^(?:develop|main|master|trunk)$/;

/** A person's action on a part of a window, and the words for such parts. */
const BEFORE_LABEL =
  /\b(?:choos|click|hit|press|push|select|tapp?|toggl)(?:e|es|ed|ing|s)?(?: on)?(?: the)? ["'“*_[]{0,3}$/i;
const AFTER_LABEL =
  /^["'”*_\]]{0,3} (?:button|check ?box|drop-?down|icon|link|menu|tab)(?:e?s)?\b/i;
/** `Settings > General > Save`. */
const BEFORE_STEP = /[^\s>] {1,3}(?:->|[>→»]) {1,3}["'“*_]{0,3}$/;
const AFTER_STEP = /^["'”*_]{0,3} {1,3}(?:->|[>→»]) {1,3}["'“*_]{0,3}\p{Lu}/u;

/** Product with its version: `Python 3.7`, `Kernel Version 16.7.0`. */
const VERSION = /^ (?:v|version )?\d{1,4}\.\d/i;
const HTTP_METHOD = /^(?:DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT)$/;
/** Minimum number of words of a line in Title Case, and length of words that it capitalizes. */
const MIN_TITLE_WORDS = 3;
const MIN_CAPITALIZED = 4;

/**
 * Tells whether names are ordinary words. A qualified name, a call and a word in an identifier's form never are. Passages and
 * names must be passed in order.
 */
export class OrdinaryWords {
  readonly #syntaxes: readonly IssueSyntax[];
  readonly #inInlineCode: (at: number) => boolean;
  readonly #inBlock: (at: number) => boolean;
  readonly #inHeading: (at: number) => boolean;
  #passage: Passage = { offset: 0, text: '' };
  #inReport: (at: number) => boolean = () => false;
  #inSentence: (at: number) => boolean = () => false;

  constructor(
    code: readonly CodeRange[],
    headings: readonly TextRange[],
    syntaxes: readonly IssueSyntax[],
  ) {
    this.#syntaxes = syntaxes;
    this.#inInlineCode = createRangeTest(code, ({ isInline }) => isInline);
    this.#inBlock = createRangeTest(code, ({ isInline }) => !isInline);
    this.#inHeading = createRangeTest(headings);
  }

  /** Begins to read a passage. */
  open(passage: Passage): void {
    const { text } = passage;
    this.#passage = passage;
    this.#inReport = createRangeTest(findRanges(REPORT, text));
    this.#inSentence = createRangeTest(
      findRanges(SENTENCE, text).filter(({ start, end }) =>
        FUNCTION_WORD.test(text.slice(start, end)),
      ),
    );
  }

  /** Returns true if a name of the passage is an ordinary word. */
  has({ at, text: word, parts }: QualifiedName): boolean {
    const { offset, text } = this.#passage;
    const end = at + word.length;
    if (parts.length > 1 || isCalled(text, end) || hasIdentifierForm(word, this.#syntaxes))
      return false;
    const before = text.slice(Math.max(0, at - MAX_AROUND), at);
    const after = text.slice(end, end + MAX_AROUND);
    if (isBranch(before, word, after)) return true;
    if (this.#inInlineCode(offset + at)) return false;
    if (this.#inHeading(offset + at) || this.#inReport(at)) return true;
    if (this.#inBlock(offset + at)) return this.#inSentence(at);
    return HTTP_METHOD.test(word) || VERSION.test(after) || isLabel(before, after);
  }
}

/** Returns true for a line without code whose capitals say nothing: of a template, about a machine, or in Title Case. */
export function isHeading({ kind, isFenced, text }: ClassifiedLine): boolean {
  if (isFenced) return false;
  return kind === 'noise' || ((kind === 'title' || kind === 'prose') && isTitleCase(text));
}

function isTitleCase(line: string): boolean {
  const words = line.slice(0, 240).match(/[\p{L}\p{N}_'’]{1,60}/gu) ?? [];
  const long = words.filter(({ length }) => length >= MIN_CAPITALIZED);
  return long.length >= MIN_TITLE_WORDS && long.every((word) => /^[\p{Lu}\p{N}]/u.test(word));
}

function isBranch(before: string, word: string, after: string): boolean {
  if (BEFORE_BRANCH.test(before) || AFTER_BRANCH.test(after)) return true;
  return DEFAULT_BRANCH.test(word) && BEFORE_DEFAULT_BRANCH.test(before);
}

/** Returns true for the label of a button, a menu or a page. */
function isLabel(before: string, after: string): boolean {
  return (
    BEFORE_LABEL.test(before) ||
    AFTER_LABEL.test(after) ||
    BEFORE_STEP.test(before) ||
    AFTER_STEP.test(after)
  );
}
