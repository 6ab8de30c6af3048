/**
 * The list that the job without rights hands to the job that may comment. The second job trusts nothing in it: every field is checked,
 * and addresses are made there.
 */
import { parseJsonOrNull } from '../base/http.ts';
import { CHUNK_KINDS } from '../shared/chunk-kind.ts';
import { badInput } from '../shared/errors.ts';
import { endTruncated } from '../shared/quote.ts';
import { isPositive } from './issue.ts';

export interface RankedFunction {
  path: string;
  name: string;
  kind: string;
  startLine: number;
  endLine: number;
  /** Clauses, with names and text of the issue between backquotes. */
  reasons: string[];
}

export interface RankedList {
  /** Full id of the commit that was ranked. */
  commit: string;
  /** Number of functions in the index. */
  functions: number;
  /** Reason why the list is not final; null for a final list. */
  partial: string | null;
  /** Best first. */
  results: RankedFunction[];
}

/** Number of results in a comment, and of reasons for each. */
export const MAX_RESULTS_SHOWN = 5;
const MAX_REASONS_SHOWN = 3;
/** Lengths in UTF-16 units. Together they stay below the 128 KiB that Linux allows for a variable, which is how a step gets the list. */
const MAX_LIST_PATH = 1000;
const MAX_LIST_TEXT = 200;

const KINDS: ReadonlySet<string> = new Set(CHUNK_KINDS);
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Returns true for a full commit id. */
export const isCommitId = (text: string): boolean => COMMIT.test(text);

/** Part of the JSON of `locus search` that a list needs. */
export interface SearchOutput {
  repository: { chunks: number };
  partial: { reason: string } | null;
  results: {
    path: string;
    qualifiedName: string;
    kind: string;
    startLine: number;
    endLine: number;
    reasons: string[];
  }[];
}

/** Creates the list of a search, with long texts truncated. Results with a path that is too long for a link are left out. */
export function createList(
  { repository, partial, results }: SearchOutput,
  commit: string,
): RankedList {
  const short = results.filter(({ path }) => path.length <= MAX_LIST_PATH);
  return {
    commit,
    functions: repository.chunks,
    partial: partial && truncate(partial.reason),
    results: short.slice(0, MAX_RESULTS_SHOWN).map((result) => ({
      path: result.path,
      name: truncate(result.qualifiedName),
      kind: result.kind,
      startLine: result.startLine,
      endLine: result.endLine,
      reasons: result.reasons.slice(0, MAX_REASONS_SHOWN).map(truncate),
    })),
  };
}

const truncate = (text: string): string =>
  text.length > MAX_LIST_TEXT ? endTruncated(text.slice(0, MAX_LIST_TEXT).toWellFormed()) : text;

/**
 * Parses a list that another job handed over. Unknown fields are dropped.
 * @throws LocusError `bad-input` that names the first invalid field
 */
export function parseList(text: string): RankedList {
  const list = parseJsonOrNull(text);
  const { commit, functions, partial, results } = toFields(list, 'the list');
  return {
    commit: check(commit, (value) => typeof value === 'string' && isCommitId(value), 'commit'),
    functions: check(functions, isPositive, 'functions'),
    partial: check(partial, (value) => value === null || isText(value), 'partial'),
    results: check<unknown[]>(results, isShownResults, 'results').map(parseResult),
  };
}

function parseResult(value: unknown, index: number): RankedFunction {
  const { path, name, kind, startLine, endLine, reasons } = toFields(value, `results[${index}]`);
  const field = <T>(one: unknown, isValid: (one: unknown) => boolean, key: string) =>
    check<T>(one, isValid, `results[${index}].${key}`);
  const start = field<number>(startLine, isPositive, 'startLine');
  return {
    path: field(path, isPath, 'path'),
    name: field(name, (one) => isText(one) && one !== '', 'name'),
    kind: field(kind, (one) => KINDS.has(one as string), 'kind'),
    startLine: start,
    endLine: field(endLine, (one) => isPositive(one) && one >= start, 'endLine'),
    reasons: field(reasons, isReasons, 'reasons'),
  };
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_LIST_TEXT;

const isReasons = (value: unknown) =>
  Array.isArray(value) && value.length <= MAX_REASONS_SHOWN && value.every(isText);

const isShownResults = (value: unknown) =>
  Array.isArray(value) && value.length >= 1 && value.length <= MAX_RESULTS_SHOWN;

/** Returns true for a path inside a repository. In an address, other paths would lead elsewhere on the host. */
const isPath = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= MAX_LIST_PATH &&
  value.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');

function toFields(value: unknown, what: string): Record<string, unknown> {
  return check(value, (one) => typeof one === 'object' && one !== null, what);
}

function check<T>(value: unknown, isValid: (value: unknown) => boolean, name: string): T {
  if (isValid(value)) return value as T;
  throw badInput(
    `The input list is invalid: ${name}.`,
    'Give the output list of the job that ranked, with the same version of the action.',
  );
}
