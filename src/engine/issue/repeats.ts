/** Finds the lines of a long issue that repeat others, as those of logs do. */
import type { ClassifiedLine } from './line-kinds.ts';

/** Length in UTF-16 units up to which a person may have written all lines. */
const MAX_WRITTEN = 20_000;

/**
 * Parts that differ between log lines of one statement: UUIDs, long hexadecimal numbers and whatever begins with a digit, such as
 * times and counts. The line after a path, in a link or at an arrow is part of a frame, and does not count.
 */
const VARYING =
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b(?=\d)(?<!\.[a-z]\w{0,7}["”'`]?[:(]|\blines? #?|#L|-> ?)\w+|\b(?=[a-f]{1,16}\d)[\da-f]{8,64}\b/gi;

/**
 * Yields all lines, and tells which repeat an earlier one except for numbers. A line next to a new one does not count as a
 * repetition, because a frame may have two lines. A short issue has no repetitions.
 * @param length length of the issue in UTF-16 units
 */
export function* findRepeats(
  lines: Iterable<ClassifiedLine>,
  length: number,
): Generator<{ line: ClassifiedLine; isRepeat: boolean }> {
  const seen = new Set<string>();
  const isNew = ({ text }: ClassifiedLine) => {
    const before = seen.size;
    return length <= MAX_WRITTEN || seen.add(text.replace(VARYING, '0')).size > before;
  };
  let wasNew = false;
  /** The last line, if it is a repetition unless the next line is new. */
  let waiting: ClassifiedLine | null = null;
  for (const line of lines) {
    const isNewLine = isNew(line);
    if (waiting) yield { line: waiting, isRepeat: !isNewLine };
    waiting = isNewLine || wasNew ? null : line;
    if (!waiting) yield { line, isRepeat: false };
    wasNew = isNewLine;
  }
  if (waiting) yield { line: waiting, isRepeat: true };
}
