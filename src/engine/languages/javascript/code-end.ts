/** Finds the end of an expression in a template without parsing it. */

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Returns the offset of the first bracket that closes more than the code opens, or `to` if all brackets are closed; -1 if they
 * do not match. Takes linear time. Regular expressions are read like other code.
 */
export function findCodeEnd(text: string, from: number, to: number): number {
  const open: string[] = [];
  for (let at = from; at < to; at++) {
    const char = text.charAt(at);
    const expected = open.at(-1);
    if (char === '\\') at++;
    else if (char === '`') {
      if (expected === '`') open.pop();
      else open.push('`');
    } else if (expected === '`') {
      if (char === '$' && text[at + 1] === '{') {
        open.push('}');
        at++;
      }
    } else if (char === '"' || char === "'") at = findStringEnd(text, at, to);
    else if (char === '/') {
      const end = findCommentEnd(text, at, to);
      if (end < 0) return -1;
      at = end;
    } else if (char in CLOSERS) open.push(CLOSERS[char] ?? '');
    else if (char === ')' || char === ']' || char === '}') {
      if (expected === undefined) return at;
      if (expected !== char) return -1;
      open.pop();
    }
  }
  return open.length === 0 ? to : -1;
}

/** Returns the offset of the quote that ends a string; that of its first quote if none is on the line, as for an apostrophe. */
function findStringEnd(text: string, start: number, to: number): number {
  const quote = text[start];
  for (let at = start + 1; at < to && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return start;
}

/** Returns the offset of the last character of a comment; `start` without a comment there, -1 if it does not end. */
function findCommentEnd(text: string, start: number, to: number): number {
  if (text[start + 1] === '/' && text[start - 1] !== ':') {
    const newline = text.indexOf('\n', start);
    return newline < 0 || newline > to ? to : newline;
  }
  if (text[start + 1] !== '*') return start;
  const end = text.indexOf('*/', start + 2);
  return end < 0 || end >= to ? -1 : end + 1;
}
