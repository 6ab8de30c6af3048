/**
 * Text of a repository, an issue or a model among Locus' own words. Its lines begin with a mark, and names in a sentence
 * are between backquotes. Neither can be ended from within, so that a reader can tell who says what.
 */

/** Begins each line of quoted text; no line of Locus' own begins with it. */
const LINE_MARK = '|';

/** Quotes text within a sentence: one line between backquotes, a backquote in it written as `\x60`. */
export function quoted(text: string): string {
  return `\`${visible(text).replaceAll('`', '\\x60')}\``;
}

/** Letters and digits of any script, and the signs that names and paths are made of. */
const PLAIN_WORD = /^[\p{L}\p{N}_./\\@#$<[({~…][\p{L}\p{M}\p{N}\w./\\@#$%+=~*<>()[\]{}^!?&,:…-]*$/u;

/** Shows a name to a person: as it is where it is one plain word, quoted where it could pass for more. */
export function named(text: string): string {
  const shown = visible(text);
  // With a colon at its end it could pass for a label.
  return PLAIN_WORD.test(shown) && !shown.endsWith(':') ? shown : quoted(text);
}

/** Quotes a text line by line, each behind the mark. */
export function quotedLines(text: string): string[] {
  return visibleLines(text)
    .split('\n')
    .map((line) => (line === '' ? LINE_MARK : `${LINE_MARK} ${line}`));
}

/** Ends a sentence that is cut after `part`: an ellipsis takes the place of its end, and an open quotation is closed. */
export function endCut(part: string): string {
  const shorter = withoutLast(part);
  if (!endsInQuotation(shorter)) return `${shorter}…`;
  const inside = withoutLast(shorter);
  return endsInQuotation(inside) ? `${inside}…\`` : `${inside}…`;
}

const withoutLast = (text: string) => text.replace(/.$/su, '');

const endsInQuotation = (text: string) => text.split('`').length % 2 === 0;

/**
 * Text from a repository may hold characters that act on a terminal or on the order of what is read:
 * escape sequences, bidirectional overrides, invisible marks. These functions show them instead.
 */

// Control characters, line and paragraph separators, marks and overrides of direction, everything that takes no room (soft
// hyphens, fillers, tags, variation selectors) and lone surrogates. Joiners and the selectors of emoji stay: scripts need them.
const HOSTILE =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Surrogate}\ufff9-\ufffb]/gu;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' };

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return SHORT[character] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`);
}

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');

/** One line of text, safe to print: what would act on a terminal or hide is written as an escape. */
export function visible(text: string): string {
  return text.replace(HOSTILE, escaped);
}

/** The same for text of several lines: line feeds and tabs stay. */
export function visibleLines(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(HOSTILE, (character) =>
      character === '\n' || character === '\t' ? character : escaped(character),
    );
}

/** JSON text whose hostile characters are `\uXXXX` escapes: the same value to a parser, harmless to a terminal. */
export function safeJson(value: unknown, indent = 2): string {
  const json = JSON.stringify(value, null, indent);
  return json.replace(HOSTILE, (character) =>
    character === '\n' ? character : jsonEscaped(character),
  );
}

function jsonEscaped(character: string): string {
  let escapes = '';
  for (let i = 0; i < character.length; i++) escapes += `\\u${hex(character.charCodeAt(i), 4)}`;
  return escapes;
}
