/** Rewrites macros that the grammar takes for errors, without moving any character. */
import { blankOut } from '../../blank.ts';

/** Macro alone on its row, such as `NS_ASSUME_NONNULL_BEGIN` and `SpecEnd`, and `SpecBegin(Cart)` before blocks. */
const ALONE =
  /^[ \t]*(?:[A-Z][A-Z0-9]*_[A-Z0-9_]*|[A-Z]\w{0,60}End|[A-Z]\w{0,60}Begin\(\w{1,80}\));?[ \t]*\r?$/;
/** Matches `typedef NS_ENUM(NSInteger, CartState) {`. */
const ENUM =
  /\b((?:typedef[ \t]{1,8})?(?:NS|CF)_(?:CLOSED_|ERROR_)?(?:ENUM|OPTIONS)\([ \t]*\w{1,80}[ \t]*,[ \t]*)(\w{1,80})[ \t]*\)/;
/** Matches `SpecBegin(Cart) {` and `EXPMatcherImplementationBegin(beNil, (void)) {`. */
const BEGIN = /^([A-Z]\w{0,60}Begin\()(\w{1,80})(?:\) (\{)|(, *)(\([^()]{0,400}\))\)(.*))\r?$/;

/** Returns a text that the grammar can parse; every name keeps its position. */
export function prepareObjectiveC(text: string): string {
  return text.split('\n').map(prepareRow).join('\n');
}

function prepareRow(row: string): string {
  if (ALONE.test(row)) return blankOut(row);
  return row.replace(ENUM, nameEnum).replace(BEGIN, nameFunction);
}

const nameEnum = (_: string, before: string, name: string): string =>
  `${'enum'.padEnd(before.length)}${name} `;

/** Returns the header of a function with the name that the macro gets. */
function nameFunction(
  _: string,
  ...[before = '', name, brace, comma = '', parameters, rest = '']: string[]
): string {
  const start = `${'void'.padEnd(before.length)}${name}`;
  return brace ? `${start}(){` : `${start}${blankOut(comma)}${parameters} ${rest}`;
}
