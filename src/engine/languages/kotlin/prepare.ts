/** What the grammar of Kotlin cannot take is written as what it can, in the same place. */
import { blank } from '../blank.ts';

/** The grammar knows nothing of `actual constructor`. */
const MODIFIED_CONSTRUCTOR = /\b(?:actual|expect)(?=[ \t]{1,8}constructor\b)/g;
/** Strings whose prefix says how many dollars begin what is put into them; comments and other literals are passed over. */
const STRING =
  /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\/\/[^\n]*|(?<dollars>\${2,8})?(?:"""(?:[^"]|"(?!""))*(?:""")?|"(?:[^"\\\n]|\\[^\n])*"?)|'(?:[^'\\\n]|\\[^\n]){1,12}'/g;
/** What a function, a property or a class wants to be in scope, before its modifiers. */
const CONTEXT =
  /(?<=^[ \t]{0,80})context\((?:[^()"]|\([^()"]{0,80}\)){1,300}\)(?=\s{1,80}(?:@|(?:public|private|internal|protected|override|open|abstract|final|suspend|inline|infix|operator|tailrec|expect|actual|external|data|sealed|fun|va[lr]|class|interface|object)\b))/gm;
/** The condition beside a type in a branch of `when`. */
const GUARD = /(?<=^[ \t]{0,80}!?is [\w.<>?*, ]{1,100} )if\b/gm;
/** What headers of classes are made of; comments and literals come first, to their end or that of the text or the line. */
const TOKEN =
  /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\/\/[^\n]*|"""(?:[^"]|"(?!""))*(?:""")?|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n]){1,12}'|\{[^{}\n]*\}(?=[ \t]*\{)|(?<!:)\b(?:class|object)\b|\b(?:by|fun|interface|typealias|va[lr]|where)\b|[([{<]|[)\]}]|(?<!-)>|[:,;=]|\n(?![ \t\r]*\{)/g;
const DEEPEST_INDENT = 200;
/** Outside of brackets. */
const ENDS_HEADER = /^(?:[{)\]};=]|fun|interface|typealias|va[lr]|where)$/;

/** The text as the grammar can take it; every other character is where it was. */
export function prepare(text: string): string {
  return withoutDelegation(withoutDollars(text).replace(MODIFIED_CONSTRUCTOR, blank))
    .replace(CONTEXT, modifierFor)
    .replace(GUARD, ', ');
}

/** A modifier that says nothing: the definition still begins here, right below its comment. */
function modifierFor(context: string): string {
  return 'public'.concat(blank(context.slice('public'.length)));
}

/** In `$$"a $b $$c"`, `$b` is text and `$$c` is put in: strings without a prefix that say the same. */
function withoutDollars(text: string): string {
  if (!text.includes('$$"')) return text;
  return text.replace(STRING, (literal: string, dollars?: string) => {
    if (dollars === undefined) return literal;
    const said = literal.slice(dollars.length).replace(/\$+/g, (run) => {
      return run.length < dollars.length ? blank(run) : `${blank(run.slice(1))}$`;
    });
    return blank(dollars) + said;
  });
}

/**
 * The grammar may take `d { … }` in `class C(d: I) : I by d { … }` for a call of d with a lambda: the last delegation
 * before a body becomes `I(d)`, or white space where there is no room for brackets.
 */
function withoutDelegation(text: string): string {
  if (!/\bby\b/.test(text)) return text;
  let made = '';
  let end = 0;
  for (const { by, body } of delegations(text)) {
    made += text.slice(end, by) + withBrackets(text, by, body);
    end = body;
  }
  return made + text.slice(end);
}

/** What stands between `by` and the body; `(` on a new line would begin something else. */
function withBrackets(text: string, by: number, body: number): string {
  const delegate = text.slice(by, body);
  const isFirst = /\n[ \t]*$/.test(text.slice(Math.max(0, by - DEEPEST_INDENT), by));
  if (isFirst || !/[ \t]$/.test(delegate)) return blank(delegate);
  return `( ${delegate.slice(2, -1)})`;
}

/** Offsets of `by` and of the brace that begins the body, of the headers that have nothing else between these. */
function* delegations(text: string): Generator<{ by: number; body: number }> {
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
