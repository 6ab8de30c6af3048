/** Rewrites Kotlin syntax that the grammar does not support, without moving any character. */
import { blankOut } from '../blank.ts';

/** Modifier in `actual constructor`, which the grammar does not support. */
const MODIFIED_CONSTRUCTOR = /\b(?:actual|expect)(?=[ \t]{1,8}constructor\b)/g;
/** Strings with a prefix of dollars, which sets how many dollars start an interpolation; also comments and other literals. */
const STRING =
  /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\/\/[^\n]*|(?<dollars>\${2,8})?(?:"""(?:[^"]|"(?!""))*(?:""")?|"(?:[^"\\\n]|\\[^\n])*"?)|'(?:[^'\\\n]|\\[^\n]){1,12}'/g;
/** Context parameters of a function, a property or a class, before its modifiers. */
const CONTEXT =
  /(?<=^[ \t]{0,80})context\((?:[^()"]|\([^()"]{0,80}\)){1,300}\)(?=\s{1,80}(?:@|(?:public|private|internal|protected|override|open|abstract|final|suspend|inline|infix|operator|tailrec|expect|actual|external|data|sealed|fun|va[lr]|class|interface|object)\b))/gm;
/** Condition after a type in a branch of `when`. */
const GUARD = /(?<=^[ \t]{0,80}!?is [\w.<>?*, ]{1,100} )if\b/gm;
/** Tokens of class headers. Comments and literals come first, up to their end, or that of the line or text. */
const TOKEN =
  /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\/\/[^\n]*|"""(?:[^"]|"(?!""))*(?:""")?|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n]){1,12}'|\{[^{}\n]*\}(?=[ \t]*\{)|(?<!:)\b(?:class|object)\b|\b(?:by|fun|interface|typealias|va[lr]|where)\b|[([{<]|[)\]}]|(?<!-)>|[:,;=]|\n(?![ \t\r]*\{)/g;
/** Matches `SMALL(1) { override fun f() = 1 }`, an entry of an enum with a body, and an enum with such entries, on one row. */
const ENTRY =
  /^[ \t]{0,80}(?:[A-Z]\w{0,80}[ \t]{0,8}(?:\([^()]{0,200}\)[ \t]{0,8})?|(?:[a-z]{1,20}[ \t]{1,8}){0,4}enum class[^{}]{1,200})\{.*\}[ \t]{0,8}[,;]?\r?$/gm;
const MEMBER = /\b(?:fun|va[lr])\b/;
const ENTRY_END = /[ \t](?=\}[ \t]{0,8}(?:[,;}]|\r?$))/g;
const DEEPEST_INDENT = 200;
/** Tokens that end a header, outside of brackets. */
const ENDS_HEADER = /^(?:[{)\]};=]|fun|interface|typealias|va[lr]|where)$/;

/** Returns a text that the grammar can parse; every other character keeps its position. */
export function prepare(text: string): string {
  const plain = endEntryMembers(removeDollars(text)).replace(MODIFIED_CONSTRUCTOR, blankOut);
  return replaceDelegation(plain).replace(CONTEXT, createModifier).replace(GUARD, ', ');
}

/** Ends the last member of an enum entry's body by a semicolon, without which the grammar does not find the next entry on a row. */
function endEntryMembers(text: string): string {
  if (!/\benum\b/.test(text)) return text;
  return text.replace(ENTRY, (row) => (MEMBER.test(row) ? row.replace(ENTRY_END, ';') : row));
}

/** Returns a neutral modifier instead of the context, so that the definition still begins right below its comment. */
function createModifier(context: string): string {
  return 'public'.concat(blankOut(context.slice('public'.length)));
}

/** Rewrites strings to equivalent ones without a prefix. In `$$"a $b $$c"`, `$b` is text and `$$c` is an interpolation. */
function removeDollars(text: string): string {
  if (!text.includes('$$"')) return text;
  return text.replace(STRING, (literal: string, dollars?: string) => {
    if (dollars === undefined) return literal;
    const said = literal.slice(dollars.length).replace(/\$+/g, (run) => {
      return run.length < dollars.length ? blankOut(run) : `${blankOut(run.slice(1))}$`;
    });
    return blankOut(dollars) + said;
  });
}

/**
 * Rewrites delegation, since the grammar may read `d { … }` in `class C(d: I) : I by d { … }` as a call of d with a lambda.
 * The last delegation before a body becomes `I(d)`, or white space if there is no room for brackets.
 */
function replaceDelegation(text: string): string {
  if (!/\bby\b/.test(text)) return text;
  let made = '';
  let end = 0;
  for (const { by, body } of findDelegations(text)) {
    made += text.slice(end, by) + addBrackets(text, by, body);
    end = body;
  }
  return made + text.slice(end);
}

/** Puts the text between `by` and the body into brackets, unless it starts on a new line, where `(` means something else. */
function addBrackets(text: string, by: number, body: number): string {
  const delegate = text.slice(by, body);
  const isFirst = /\n[ \t]*$/.test(text.slice(Math.max(0, by - DEEPEST_INDENT), by));
  if (isFirst || !/[ \t]$/.test(delegate)) return blankOut(delegate);
  return `( ${delegate.slice(2, -1)})`;
}

/** Yields the offsets of `by` and of the body's opening brace, for headers with only the delegate between them. */
function* findDelegations(text: string): Generator<{ by: number; body: number }> {
  let inHeader = false;
  let hasColon = false;
  let by = -1;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === 'class' || token === 'object') {
      [inHeader, hasColon, by, depth] = [true, false, -1, 0];
      continue;
    }
    if (!inHeader) continue;
    if (depth === 0) {
      if (token === '{' && by >= 0) yield { by, body: index };
      if (token === ':') hasColon = true;
      else if (token === 'by' && hasColon) by = index;
      else if (token === ',') by = -1;
      else if (ENDS_HEADER.test(token) || (token === '\n' && by >= 0)) inHeader = false;
    }
    if (/^[([{<]$/.test(token)) depth++;
    else if (/^[)\]}>]$/.test(token)) depth--;
  }
}
