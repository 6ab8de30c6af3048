/**
 * Rewrites functions, procedures and triggers in the procedural languages of databases, which the grammar does not know. Names keep
 * their position, their parameters become white space, and of their code only the calls remain.
 */
import { blankOut } from '../../blank.ts';
import { Canvas, NoRoom } from './canvas.ts';
import { findStatementEnd } from './statement.ts';

/** Maximum length of a statement in UTF-16 units. Nothing is read behind it. */
const MAX_STATEMENT = 200_000;
/** Start of what defines a function, and of a block without a name. */
const HEADER =
  /^[ \t]{0,40}(?:DO(?=\s{1,8}\$)|CREATE\s{1,8}(?:OR\s{1,8}(?:REPLACE|ALTER)\s{1,8})?(?:DEFINER\s{0,8}=\s{0,8}\S{1,80}\s{1,8})?(?:(?:NON)?EDITIONABLE\s{1,8})?(?<kind>FUNCTION|PROCEDURE|AGGREGATE|TRIGGER)\s{1,8}(?:IF\s{1,8}NOT\s{1,8}EXISTS\s{1,8})?(?<name>(?:[\w$]{1,80}|["`[][^"`\]\n]{1,80}["`\]])(?:\s{0,4}\.\s{0,4}(?:[\w$]{1,80}|["`[][^"`\]\n]{1,80}["`\]]))?))/dgim;
const DEFINES = /\bCREATE\s{1,8}(?:OR\s{1,8}REPLACE\s{1,8})?(?:FUNCTION|PROCEDURE)\b/i;
/** Rows that are commands of a client. */
const COMMAND = /^(?:\\[a-z!][^\n]*|(?:DELIMITER\b|GO\b)[^\n]*|\/[ \t]*\r?)$/gim;
/** A call in code, or what looks like one. */
const CODE =
  /--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|'(?:[^']|'')*'?|(?<open>(?<callee>(?:\b[a-z_]\w{0,80}\.)?\b[a-z_]\w{0,80})\s{0,2}\(|\()|(?<close>\))/gi;
const NO_CALL =
  /^(?:all|and|any|array|as|begin|by|case|cast|check|declare|else|elsif|exists|for|foreach|from|if|in|into|key|loop|not|on|or|over|return|returns|select|set|some|table|then|to|union|using|values|varchar|when|where|while|with)$/i;
/** Words between the name and the code. */
const RETURNS: readonly string[] = ['()', 'RETURNS', 'int', 'AS'];

/** Returns a text that the grammar can parse; every name keeps its position. */
export function prepareSql(text: string): string {
  let result = '';
  let at = 0;
  for (const header of text.matchAll(HEADER)) {
    if (header.index < at) continue;
    const rest = text.slice(header.index, header.index + MAX_STATEMENT);
    const code = rest.slice(0, findStatementEnd(rest, header[0].length));
    const statement = rewrite(code, header);
    if (statement === null) continue;
    result += text.slice(at, header.index).replace(COMMAND, blankOut) + statement;
    at = header.index + code.length;
  }
  return result + text.slice(at).replace(COMMAND, blankOut);
}

/**
 * Returns a statement in the form that the grammar knows, or white space for a block without a name; null if it has that form,
 * defines others, or is too short.
 */
function rewrite(statement: string, header: RegExpExecArray): string | null {
  const { kind = '', name = '' } = header.groups ?? {};
  if (name === '') return DEFINES.test(statement) ? null : blankOut(statement);
  const isTrigger = kind.toUpperCase() === 'TRIGGER';
  if (isTrigger && !/\bBEGIN\b/i.test(statement)) return null;
  const nameAt = (header.indices?.groups?.name?.[0] ?? 0) - header.index;
  const from = nameAt + name.length;
  for (const write of isTrigger ? [writeTrigger] : [writeCalls, writeString]) {
    const canvas = new Canvas(statement);
    try {
      canvas.flow(0, ['CREATE', isTrigger ? 'TRIGGER' : 'FUNCTION'], nameAt);
      canvas.put(nameAt, name.replace(/[[\]]/g, '"'));
      if (write(canvas, statement, from)) return canvas.toString();
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
    }
  }
  return null;
}

function writeTrigger(canvas: Canvas, { length }: string, from: number): boolean {
  canvas.flow(from, [' AFTER', 'INSERT', 'ON', 'x', 'EXECUTE', 'FUNCTION', "x('"]);
  canvas.putLast(length, "');");
  return true;
}

function writeCalls(canvas: Canvas, statement: string, from: number): boolean {
  const begin = /\b(?:AS|IS|BEGIN|RETURN)\b/i.exec(statement);
  const [quote, start, end] = findQuotedCode(statement);
  const open = quote === '' ? (begin?.index ?? statement.length) : start;
  const calls = findCalls(statement.slice(open, end));
  if (calls.length === 0) return false;
  for (const { at, text } of calls) canvas.put(open + at, text);
  canvas.flow(from, [...RETURNS, '$$', 'SELECT'], open + (calls[0]?.at ?? 0));
  canvas.putLast(statement.length, '$$;');
  return true;
}

function writeString(canvas: Canvas, { length }: string, from: number): boolean {
  canvas.flow(from, [...RETURNS, "'"]);
  canvas.putLast(length, "';");
  return true;
}

/** Returns the quote around the code, and where the code starts and ends; all of a statement without quotes. */
function findQuotedCode(statement: string): [quote: string, start: number, end: number] {
  const { index = 0, 0: quote = '' } = /\$\w{0,40}\$/.exec(statement) ?? {};
  const start = index + quote.length;
  const end = quote === '' ? statement.length : statement.indexOf(quote, start);
  return end < 0 ? ['', 0, statement.length] : [quote, start, end];
}

/** Returns the callees, parentheses and commas of code, with their offsets, as a list of calls. */
function findCalls(code: string): { at: number; text: string }[] {
  const found: { at: number; text: string }[] = [];
  const open: boolean[] = [];
  let isAfterCall = false;
  for (const { index, groups = {}, 0: text } of code.matchAll(CODE)) {
    if (groups.open !== undefined) {
      const isCall = groups.callee !== undefined && !NO_CALL.test(groups.callee);
      open.push(isCall);
      if (!isCall) continue;
      if (isAfterCall) found.push({ at: index - 1, text: ',' });
      found.push(
        { at: index, text: groups.callee ?? '' },
        { at: index + text.length - 1, text: '(' },
      );
      isAfterCall = false;
    } else if (groups.close !== undefined && open.pop()) {
      found.push({ at: index, text: ')' });
      isAfterCall = true;
    }
  }
  return open.length === 0 ? found : [];
}
