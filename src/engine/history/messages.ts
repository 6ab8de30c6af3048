/** What the thread that reads commits is asked and says. */
import { LocusError, type LocusErrorCode } from '../../shared/errors.ts';
import { GitFailure } from '../source/git.ts';
import type { Commit } from './types.ts';

export type ToReader = { type: 'read'; root: string; hashes: readonly string[] } | { type: 'stop' };

export type FromReader =
  | { type: 'commits'; commits: Commit[] }
  | { type: 'done' }
  | { type: 'failed'; failure: PlainFailure }
  /** A git that it started, and one that is at its end. */
  | { type: 'git'; pid: number; runs: boolean };

/** An error that can be posted: a posted `GitFailure` would arrive as any error. */
interface PlainFailure {
  message: string;
  code: LocusErrorCode | null;
  remedy: string;
  /** Of a `GitFailure` alone. */
  exitCode: number | null | undefined;
}

export function toPlain(error: unknown): PlainFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof LocusError))
    return { message, code: null, remedy: '', exitCode: undefined };
  const exitCode = error instanceof GitFailure ? error.exitCode : undefined;
  return { message, code: error.code, remedy: error.remedy, exitCode };
}

export function fromPlain({ message, code, remedy, exitCode }: PlainFailure): Error {
  if (code === null) return new Error(message);
  if (exitCode === undefined) return new LocusError(code, message, remedy);
  return new GitFailure(message, remedy, exitCode);
}
