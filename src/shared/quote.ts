/**
 * Quotes text from a repository, an issue or a model within Locus' own output. Quoted lines begin with a mark, or a line number and a mark, names within a
 * sentence are between backquotes. Quoted text cannot end its own quotation, so readers can tell it from Locus' own words.
 */

/** Start of each line of quoted text. No line of Locus' own starts with it. */
const LINE_MARK = '|';

/** Quotes text within a sentence: one line between backquotes, a backquote in it written as `\x60`. */
export function quoteText(text: string): string {
  return `\`${escapeHidden(text).replaceAll('`', '\\x60')}\``;
}

/** Letters and digits of any script, and characters of names and paths. */
const PLAIN_WORD = /^[\p{L}\p{N}_./\\@#$<[({~…][\p{L}\p{M}\p{N}\w./\\@#$%+=~*<>()[\]{}^!?&,:…-]*$/u;

/** Returns a name for display: unchanged if it is one plain word, otherwise quoted. */
export function quoteName(text: string): string {
  const shown = escapeHidden(text);
  // A name with a colon at its end would look like a label.
  return PLAIN_WORD.test(shown) && !shown.endsWith(':') ? shown : quoteText(text);
}

/** Quotes a text, with a mark before each line. */
export function quoteLines(text: string): string[] {
  return escapeHiddenLines(text)
    .split('\n')
    .map((line) => (line === '' ? LINE_MARK : `${LINE_MARK} ${line}`));
}

/** Quotes a line of a file, with its number before the mark: `12| code`. */
export function quoteNumberedLine(line: number, text: string): string {
  const [shown = ''] = escapeHiddenLines(text).split('\n');
  return `${line}${LINE_MARK}${shown === '' ? '' : ` ${shown}`}`;
}

/** Ends a sentence that was truncated to `part` with an ellipsis, and closes an open quotation. */
export function endTruncated(part: string): string {
  const shorter = withoutLast(part);
  if (!endsInQuotation(shorter)) return `${shorter}…`;
  const inside = withoutLast(shorter);
  return endsInQuotation(inside) ? `${inside}…\`` : `${inside}…`;
}

const withoutLast = (text: string) => text.replace(/.$/su, '');

const endsInQuotation = (text: string) => text.split('`').length % 2 === 0;

/**
 * Text from a repository may contain characters that control a terminal or change the order of text: escape sequences,
 * bidirectional overrides, invisible characters. The functions below show these as escapes.
 */

// Control characters, line and paragraph separators, direction marks and overrides, zero-width characters (soft hyphens,
// fillers, tags, variation selectors) and lone surrogates. Joiners and emoji selectors are allowed, since scripts need them.
const HOSTILE =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Surrogate}\ufff9-\ufffb]/gu;

const SHORT_ESCAPES: Record<string, string> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u001b': '\\e',
};

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const short = SHORT_ESCAPES[character];
  return short ?? (code < 0x100 ? `\\x${toHex(code, 2)}` : `\\u{${toHex(code, 4)}}`);
}

const toHex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');

/** Escapes control and invisible characters, line feeds included, so that the text is one line and safe to print. */
export function escapeHidden(text: string): string {
  return text.replace(HOSTILE, escapeCharacter);
}

/** Escapes control and invisible characters, but keeps line feeds and tabs. */
export function escapeHiddenLines(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(HOSTILE, (character) =>
      character === '\n' || character === '\t' ? character : escapeCharacter(character),
    );
}

/** Returns JSON with hostile characters as `\uXXXX` escapes, which parsers read as the same value and terminals print safely. */
export function stringifySafely(value: unknown, indent = 2): string {
  const json = JSON.stringify(value, null, indent);
  return json.replace(HOSTILE, (character) =>
    character === '\n' ? character : escapeForJson(character),
  );
}

function escapeForJson(character: string): string {
  let escapes = '';
  for (let i = 0; i < character.length; i++) escapes += `\\u${toHex(character.charCodeAt(i), 4)}`;
  return escapes;
}
