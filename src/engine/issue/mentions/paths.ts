import type { IssueSpan } from '../../../shared/types.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { PATH_RUN, type Passage, spanOf } from '../passages.ts';
import { qualifiedNames } from './qualified-names.ts';

/** What may name a file or a module. */
export interface PathToken {
  kind: 'file' | 'module';
  span: IssueSpan;
  /** Of the path or the module's name. */
  segments: string[];
  /** Where in the span each segment of a module's name ends, in UTF-16 units; none for a file. */
  ends: number[];
}

const MAX_TOKEN = 1000;
/** Parts of a module's name that are looked at; no repository nests that deep. */
const MAX_SEGMENTS = 40;
const EXTENSION = /[^./\\]\.[A-Za-z]\w{0,9}$/;

/** What may name a file or a module, passage by passage, files first. */
export function findPaths(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
): PathToken[] {
  return passages.flatMap((passage) => [
    ...fileTokens(passage),
    ...moduleTokens(passage, syntaxes),
  ]);
}

/** Anything that ends in a file extension, with as much of a path before it as there is. */
function* fileTokens(passage: Passage): Generator<PathToken> {
  for (const { 0: run, index } of passage.text.matchAll(PATH_RUN)) {
    if (run.length > MAX_TOKEN) continue;
    const path = run.replace(/[.+%-]{1,20}$/, '');
    if (!EXTENSION.test(path)) continue;
    const span = spanOf(passage, index, index + path.length);
    yield { kind: 'file', span, segments: segmentsOf(path), ends: [] };
  }
}

/** Names of at least two parts. */
function* moduleTokens(passage: Passage, syntaxes: readonly IssueSyntax[]): Generator<PathToken> {
  for (const { at, text, parts } of qualifiedNames(passage.text, syntaxes)) {
    if (text.length > MAX_TOKEN || parts.length < 2) continue;
    const span = spanOf(passage, at, at + text.length);
    const first = parts.slice(0, MAX_SEGMENTS);
    const segments = first.map(({ name }) => name);
    yield { kind: 'module', span, segments, ends: first.map((part) => part.at + part.name.length) };
  }
}

/** The parts of a path, without `.` and `..`. */
export function segmentsOf(path: string): string[] {
  return path.split(/[/\\]+/).filter((part) => part !== '' && part !== '.' && part !== '..');
}
