/** Tells words that are written as ordinary words from words that are written as code. */
import type { IssueSpan } from '../../src/shared/evidence.ts';

const WORD = /^\p{Lu}?\p{Ll}+$|^\p{Lu}+$/u;
/** Member after a name. */
const QUALIFIED = /^(?:\.|#|::|->)\p{L}/u;
/** Line of a sanitizer's report, whose words are the sanitizer's own. */
const SANITIZER =
  /^\s*(?:==\d+==|(?:READ|WRITE) of size|SUMMARY: |0x[\da-f]+ is located|(?:freed|previously allocated|allocated) by thread|#\d+ 0x)/;
/** Words that tracebacks begin with. */
const LABEL = /^\s*(?:at|File|Traceback \(most recent call)$/;
/** Frame of a sanitizer up to its function, which is a name. */
const FRAME = /^\s*#\d+ 0x[\da-f]+ in [\w:~<>]*$/;

/**
 * Returns true for a word without humps, underscores, a qualifier, a call or backquotes, if it is outside blocks, or in a
 * sanitizer's report, the label of a traceback, or a row of words in a block.
 */
export function isPlain(
  text: string,
  { start, end, text: name }: IssueSpan,
  blocks: readonly { start: number; end: number }[],
): boolean {
  if (!WORD.test(name) || QUALIFIED.test(text.slice(end, end + 3))) return false;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(from, start);
  const line = text.slice(from, text.indexOf('\n', end) < 0 ? undefined : text.indexOf('\n', end));
  if (SANITIZER.test(line)) return !FRAME.test(before);
  if (blocks.some((block) => block.start <= start && start < block.end))
    return LABEL.test(before + name) || isInSentence(before, name, text.slice(end, end + 80));
  if (before.split('`').length % 2 === 0) return isBranch(before, text.slice(end));
  if (text.startsWith('(', end)) return text.startsWith('(s)', end) || text.startsWith('(es)', end);
  return true;
}

/** Returns true for a branch in backquotes: "on the branch `main`", "the `main` branch". */
function isBranch(before: string, after: string): boolean {
  return /\bbranch `$/i.test(before) || /^` branch\b/i.test(after);
}

/** Returns true for one of at least four words of letters in a row: in a message, a log or a comment. */
function isInSentence(before: string, name: string, after: string): boolean {
  const [left = ''] = /(?:\p{L}+ )*$/u.exec(before.slice(-80)) ?? [];
  const [right = ''] = /^(?: \p{L}+)*(?![\p{L}\p{N}_$(=.])/u.exec(after) ?? [];
  return `${left}${name}${right}`.split(' ').length > 3;
}
