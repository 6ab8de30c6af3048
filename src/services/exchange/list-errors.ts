/** Why a file is no list of results, in words for whoever chose it: what is wrong with it, and what would be right. */
import type { z } from 'zod';
import { badInput, type LocusError } from '../../shared/errors.ts';
import { visible } from '../../shared/quoted.ts';

const HOW_TO_MAKE_ONE =
  'export the list again as JSON: in the window with Export → JSON, or with locus export <dir> --format json --output list.json';

const refusal = (message: string, remedy: string, cause?: unknown): LocusError =>
  badInput(message, remedy, { cause });

/** A text that is not JSON: another format of Locus, something else, or a file that is cut off or was edited. */
export function notJson(text: string, name: string, error: unknown): LocusError {
  if (text.trim() === '') return refusal(`${name} is empty`, HOW_TO_MAKE_ONE, error);
  if (/[\0\ufffd]/.test(text.slice(0, 4000))) {
    return refusal(`${name} is not JSON: it is no text in UTF-8`, HOW_TO_MAKE_ONE, error);
  }
  const other = otherFormat(text);
  if (other) {
    const remedy = `${other} is for people and other tools, and lacks what is needed to find the code again; ${HOW_TO_MAKE_ONE}`;
    return refusal(`${name} is not JSON but a list in ${other}`, remedy, error);
  }
  if (!/^\s*[[{]/.test(text)) {
    return refusal(`${name} is not JSON: it begins with “${start(text)}”`, HOW_TO_MAKE_ONE, error);
  }
  const at = findPosition(text, error);
  const [what, remedy] =
    at === null
      ? ['it ends too early', 'get the whole file']
      : [`${at} cannot be read`, 'undo what was changed there'];
  const message = `${name} is not JSON as it should be: ${what}`;
  return refusal(message, `${remedy}, or ${HOW_TO_MAKE_ONE}`, error);
}

export function notAList(value: unknown, name: string): LocusError {
  const sarif = isRecord(value) && Array.isArray(value.runs);
  const what = sarif
    ? 'it is SARIF, which is for code scanning views'
    : 'it lacks "format": "locus-export"';
  return refusal(`${name} is not a Locus list: ${what}`, HOW_TO_MAKE_ONE);
}

export function damaged(
  value: unknown,
  name: string,
  issues: readonly z.core.$ZodIssue[],
): LocusError {
  const [first] = issues;
  const more = issues.length - 1;
  const rest = more > 0 ? `; ${more} more ${more === 1 ? 'value is' : 'values are'} wrong` : '';
  const what = first ? `${placeOf(first.path)} ${saidOf(first, value)}` : 'it cannot be read';
  const remedy = `undo what was changed there, or ${HOW_TO_MAKE_ONE}`;
  return refusal(`${name} is damaged: ${what}${rest}`, remedy);
}

function otherFormat(text: string): string | null {
  if (/^\ufeff?rank,score,path,/.test(text)) return 'CSV';
  if (/^\s{0,3}# Where to edit: /.test(text)) return 'Markdown';
  return text.startsWith('Below are an issue and code of the repository') ? 'a prompt' : null;
}

const start = (text: string): string => visible(text.trim().slice(0, 20)).slice(0, 40);

/** Where the parser stopped; null for the end of the text. */
function findPosition(text: string, error: unknown): string | null {
  const [, digits] = /at position (\d{1,12})/.exec(String(error)) ?? [];
  const position = digits === undefined ? text.length : Number(digits);
  if (position >= text.trimEnd().length) return null;
  const before = text.slice(0, position).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** `chunks.3.path` as `“path” of result 4`. */
function placeOf(path: readonly PropertyKey[]): string {
  const [first, index, ...rest] = path.map(String);
  if (first !== 'chunks' || index === undefined) return `“${path.join('.') || 'format'}”`;
  const result = `result ${Number(index) + 1}`;
  return rest.length > 0 ? `“${rest.join('.')}” of ${result}` : result;
}

function saidOf(issue: z.core.$ZodIssue, value: unknown): string {
  const found = valueAt(value, issue.path);
  if (found === undefined) return `is missing; it should be ${wanted(issue)}`;
  return `should be ${wanted(issue)}, and is ${shown(found)}`;
}

function wanted(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return bounded(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return bounded(issue.origin, 'at most', issue.maximum);
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'a time as 2026-01-31T12:00:00Z'
        : 'a hash of 40 digits and letters a to f';
    default:
      return 'as the format has it';
  }
}

const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object in braces',
  record: 'an object in braces',
};

function bounded(origin: string, which: string, bound: number | bigint): string {
  if (origin === 'string')
    return `a text of ${which} ${bound} ${bound === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `a list of ${which} ${bound} entries`;
  return `a number, ${which} ${bound}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) ? at[String(key)] : undefined), value);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  return visible(JSON.stringify(value)).slice(0, 60);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
