/** Several repositories are asked the same, one after the other: an issue is read once for those of the same languages. */
import type { IssueSyntax } from '../languages/issue-syntax.ts';
import { type Issue, readIssue } from './issue.ts';

/** Readings of one text, by the languages that were known to the reader: a set of forty repositories has twenty such lists. */
const KEPT = 64;

let asked: { text: string; readings: Issue[] } = { text: '', readings: [] };

/** The same as `readIssue`; it belongs to all who ask, who only read it. */
export function readOnce(text: string, syntaxes: readonly IssueSyntax[]): Issue {
  if (asked.text !== text) asked = { text, readings: [] };
  const { readings } = asked;
  const before = readings.find((issue) => isSame(issue.syntaxes, syntaxes));
  if (before) return before;
  const read = readIssue(text, syntaxes);
  if (readings.length === KEPT) readings.shift();
  readings.push(read);
  return read;
}

const isSame = (a: readonly IssueSyntax[], b: readonly IssueSyntax[]): boolean =>
  a.length === b.length && a.every((syntax, i) => syntax === b[i]);
