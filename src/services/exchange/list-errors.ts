/** Errors for files that are not lists of results. They say what is wrong with the file, and how to get a valid one. */
import type { z } from 'zod';
import { badInput, type LocusError } from '../../shared/errors.ts';
import { escapeHidden } from '../../shared/quote.ts';

const EXPORT_STEPS =
  'in the window with Export → JSON, or with locus export <dir> --format json --output list.json.';
const HOW_TO_EXPORT = `Export the list again as JSON: ${EXPORT_STEPS}`;
const OR_EXPORT = `or export the list again as JSON: ${EXPORT_STEPS}`;

const createError = (message: string, remedy: string, cause?: unknown): LocusError =>
  badInput(message, remedy, { cause });

/** Returns the error for text that is not JSON: another format of Locus, something else, or a file that was cut off or edited. */
export function createNotJsonError(text: string, name: string, error: unknown): LocusError {
  if (text.trim() === '') return createError(`${name} is empty.`, HOW_TO_EXPORT, error);
  if (/[\0\ufffd]/.test(text.slice(0, 4000)))
    return createError(`${name} is not JSON: it is not UTF-8 text.`, HOW_TO_EXPORT, error);
  const other = findOtherFormat(text);
  if (other) {
    const remedy = `${other} is for people and other tools, and does not hold what Locus needs to find the code again. ${HOW_TO_EXPORT}`;
    return createError(`${name} is not JSON but a list in ${other}.`, remedy, error);
  }
  if (!/^\s*[[{]/.test(text)) {
    return createError(
      `${name} is not JSON: it begins with “${getStart(text)}”.`,
      HOW_TO_EXPORT,
      error,
    );
  }
  const position = findPosition(text, error);
  const [what, remedy] =
    position === null
      ? ['it ends too early', 'Get the complete file']
      : [`${position} cannot be read`, 'Undo the change there'];
  return createError(`${name} is not valid JSON: ${what}.`, `${remedy}, ${OR_EXPORT}`, error);
}

export function createNotAListError(value: unknown, name: string): LocusError {
  const sarif = isRecord(value) && Array.isArray(value.runs);
  const what = sarif
    ? 'it is SARIF, which is for code scanning tools'
    : '"format": "locus-export" is missing';
  return createError(`${name} is not a Locus list: ${what}.`, HOW_TO_EXPORT);
}

export function createDamagedError(
  value: unknown,
  name: string,
  issues: readonly z.core.$ZodIssue[],
): LocusError {
  const [first] = issues;
  const more = issues.length - 1;
  const rest = more > 0 ? ` ${more} more ${more === 1 ? 'value is' : 'values are'} wrong.` : '';
  const what = first
    ? `${describePath(first.path)} ${describeIssue(first, value)}`
    : 'it cannot be read';
  return createError(`${name} is damaged: ${what}.${rest}`, `Undo the change there, ${OR_EXPORT}`);
}

function findOtherFormat(text: string): string | null {
  if (/^\ufeff?rank,score,path,/.test(text)) return 'CSV';
  if (/^\s{0,3}# Where to edit: /.test(text)) return 'Markdown';
  return text.startsWith('Below are an issue and code of the repository') ? 'prompt format' : null;
}

const getStart = (text: string): string => escapeHidden(text.trim().slice(0, 20)).slice(0, 40);

/** Returns the line and column at which the JSON parser stopped; null for the end of the text. */
function findPosition(text: string, error: unknown): string | null {
  const [, digits] = /at position (\d{1,12})/.exec(String(error)) ?? [];
  const position = digits === undefined ? text.length : Number(digits);
  if (position >= text.trimEnd().length) return null;
  const before = text.slice(0, position).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** Describes `chunks.3.path` as `“path” of result 4`. */
function describePath(path: readonly PropertyKey[]): string {
  const [first, index, ...rest] = path.map(String);
  if (first !== 'chunks' || index === undefined) return `“${path.join('.') || 'format'}”`;
  const result = `result ${Number(index) + 1}`;
  return rest.length > 0 ? `“${rest.join('.')}” of ${result}` : result;
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const found = getValueAt(value, issue.path);
  if (found === undefined) return `is missing. It should be ${describeExpected(issue)}`;
  return `should be ${describeExpected(issue)}, but is ${describeValue(found)}`;
}

function describeExpected(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return describeBound(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return describeBound(issue.origin, 'at most', issue.maximum);
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'a time like 2026-01-31T12:00:00Z'
        : 'a hash of 40 digits and letters a to f';
    default:
      return 'as the list format defines it';
  }
}

const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function describeBound(origin: string, which: string, bound: number | bigint): string {
  if (origin === 'string')
    return `text of ${which} ${bound} ${bound === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `a list of ${which} ${bound} entries`;
  return `a number, ${which} ${bound}`;
}

function getValueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) ? at[String(key)] : undefined), value);
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  return escapeHidden(JSON.stringify(value)).slice(0, 60);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
