/** Calls `read` for each line of a text, without its end, and returns the number of lines. Numbers are 1-based. */
export function readLines(text: string, read: (line: string, number: number) => void): number {
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline + 1;
    let end = newline < 0 ? text.length : newline;
    if (text.charCodeAt(end - 1) === CARRIAGE_RETURN && end > start) end -= 1;
    number += 1;
    read(text.slice(start, end), number);
    start = next;
  }
  return number;
}

/** Returns the number of lines of a text whose last character is on `line`. A newline at the end begins no other line. */
export function countLinesTo(line: number, text: string): number {
  return text.endsWith('\n') || text === '' ? line - 1 : line;
}

/** Returns the index of the first character other than a space or tab; the length of a blank line. */
export function findText(line: string): number {
  let at = 0;
  for (let code = line.charCodeAt(0); code === SPACE || code === TAB; code = line.charCodeAt(at))
    at += 1;
  return at;
}

const CARRIAGE_RETURN = 13;
const SPACE = 32;
const TAB = 9;
