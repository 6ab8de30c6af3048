/** Shortens long runs of comments for the parser, without moving any character. */
import { blankOut } from '../blank.ts';

/** Maximum number of lines of comments in a run that the parser gets whole. */
const MAX_COMMENTS = 128;
/** Number of lines at each end of a longer run that it gets. */
const KEPT = 32;

const NEWLINE = 10;
const COMMENT = '#'.charCodeAt(0);
/** Tab, form feed, carriage return and space. */
const SPACES: ReadonlySet<number> = new Set([9, 12, 13, 32]);

/**
 * Blanks out the middle of long runs of lines with nothing but comments. At each comment, the grammar reads all comments up to the
 * next code to learn its indentation, which takes quadratic time in the length of a run. Blank lines are read once.
 */
export function prepare(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  /** Offsets of the lines of the run. */
  let run: number[] = [];
  const endRun = () => {
    const [from, to] = [run.at(KEPT), run.at(-KEPT)];
    if (run.length > MAX_COMMENTS && from !== undefined && to !== undefined) {
      parts.push(text.slice(copied, from), blankOut(text.slice(from, to)));
      copied = to;
    }
    run = [];
  };
  for (let start = 0; start < text.length; start = findNext(text, start)) {
    let at = start;
    while (SPACES.has(text.charCodeAt(at))) at++;
    const first = text.charCodeAt(at);
    if (first === COMMENT) run.push(start);
    else if (first !== NEWLINE && run.length > 0) endRun();
  }
  endRun();
  return parts.length === 0 ? text : parts.join('') + text.slice(copied);
}

/** Returns the offset of the next line. */
function findNext(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end + 1;
}
