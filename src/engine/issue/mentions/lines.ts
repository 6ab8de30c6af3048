/** Lines of a file, as an issue gives them beside its path: what a person means who has looked at the code already. */

/** Lines from 1, the last one included. */
export interface NamedLines {
  first: number;
  last: number;
}

/** Lines that an issue may name together. */
const MOST_LINES = 300;

/** Behind the path in a link: `#L12`, `#L12-L20`, `#L12C3-L20C7`, `#L12-20`, `#lines-12:20`, `?plain=1#L12`. */
const ANCHOR =
  /(?:\?[^\s#]{0,200})?#(?:L|lines-)?(?<first>\d{1,7})(?!\d)(?:C\d{1,5})?(?:[-:]L?(?<last>\d{1,7})(?:C\d{1,5})?)?/y;
/** Behind a path in a sentence: `:12`, `:12-20`, `, line 12`, ` (lines 12-20)`. */
const BEHIND =
  /:L?(?<first>\d{1,7})(?:-L?(?<last>\d{1,7}))?(?![\d:])|["'`)\]*]{0,3},?[ \t]{1,2}\(?(?:(?:at|on|in|around|near)[ \t])?[Ll]ines?[ \t]#?(?<firstLine>\d{1,7})(?:[ \t]?(?:-|–|to|and)[ \t]?(?<lastLine>\d{1,7}))?/y;
/** Before it: `line 12 of `, `lines 12-20 in the file `. */
const BEFORE =
  /\blines?[ \t]#?(?<first>\d{1,7})(?:[ \t]?(?:-|–|to|and)[ \t]?(?<last>\d{1,7}))?[ \t](?:of|in)[ \t](?:the[ \t])?(?:file[ \t])?["'`*[(]{0,3}$/i;
/** In UTF-16 units. */
const LOOK_BACK = 60;

/** The lines of a link whose path ends here; null where it has none. */
export function linesLinked(text: string, end: number): NamedLines | null {
  return linesAt(ANCHOR, text, end);
}

/** The lines that a sentence gives beside a path, `[start, end)` of a text; null where it gives none. */
export function linesSaid(text: string, start: number, end: number): NamedLines | null {
  // `(Cart.java:12)` is where a program was.
  const behind = text[start - 1] === '(' ? null : linesAt(BEHIND, text, end);
  if (behind) return behind;
  const match = BEFORE.exec(text.slice(Math.max(0, start - LOOK_BACK), start));
  return match && linesIn(match);
}

function linesAt(form: RegExp, text: string, at: number): NamedLines | null {
  form.lastIndex = at;
  const match = form.exec(text);
  return match && linesIn(match);
}

function linesIn({ groups = {} }: RegExpExecArray): NamedLines {
  const first = Number(groups.first ?? groups.firstLine);
  const last = Number(groups.last ?? groups.lastLine ?? first);
  const start = Math.min(first, last);
  return { first: start, last: Math.min(Math.max(first, last), start + MOST_LINES - 1) };
}
