/** Names of templates, as they are written in the code that the grammar of JavaScript parses. */

/** Words that cannot be a statement of their own. */
export const RESERVED: ReadonlySet<string> = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends false finally for function if
  import in instanceof let new null return static super switch this throw true try typeof undefined var void while with yield`.split(
    /\s+/,
  ),
);

/** Letters that stand for the characters at the end of names in Ruby, and at the start of variables. */
const LETTERS: Readonly<Record<string, string>> = { '?': '\u0294', '!': '\u01C3', '@': '$' };
const ENCODED = /[\u0294\u01C3]/g;

/** Returns a name as an identifier of JavaScript of the same length. */
export function encodeName(name: string): string {
  return name.replace(/[?!@]/g, (char) => LETTERS[char] ?? char);
}

/** Returns the name that an identifier stands for. */
export function decodeName(name: string): string {
  return name.replace(ENCODED, (letter) => (letter === '\u0294' ? '?' : '!'));
}
