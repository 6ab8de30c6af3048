/** Failures: as thrown errors, and as values sent between threads, processes and hosts. */
import { quoteText } from './quote.ts';

/** A failure that a user can fix: `message` says what happened, `remedy` says what to do. Each is a full sentence. */
export class LocusError extends Error {
  readonly code: LocusErrorCode;
  readonly remedy: string;

  constructor(code: LocusErrorCode, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocusError';
    this.code = code;
    this.remedy = remedy;
  }
}

export type LocusErrorCode =
  | 'bad-input'
  | 'not-found'
  | 'ambiguous'
  | 'bad-repository'
  | 'bad-model'
  | 'bad-store'
  | 'bad-output'
  | 'read-only'
  | 'busy'
  | 'device'
  | 'not-fetched'
  | 'not-posted'
  | 'bad-objects'
  | 'cancelled';

/** Returns an error about invalid input. */
export function badInput(message: string, remedy: string, options?: ErrorOptions): LocusError {
  const error = new LocusError('bad-input', message, remedy, options);
  // The log names the caller as the origin of the error.
  Error.captureStackTrace?.(error, badInput);
  return error;
}

/** Returns an error about cancelled work. @param work the work as a sentence's subject: "Reading the list". */
export function cancelled(work: string, remedy = 'Start it again to continue.'): LocusError {
  return new LocusError('cancelled', `${work} was cancelled.`, remedy);
}

/** Returns true if an error, or a failure from a wire, says that work was cancelled. */
export function isCancelled(error: unknown): boolean {
  return (error as Partial<Failure> | null)?.code === 'cancelled';
}

/** An error as a plain value, since JSON and structured clones lose an error's class and fields. */
export interface Failure {
  /** `crashed`: the engine crashed twice during the request. `unexpected`: a defect in Locus. */
  code: LocusErrorCode | 'unexpected' | 'crashed';
  message: string;
  remedy: string;
}

/** A failure of another thread, process or host that is caused by a defect in Locus. */
export class RemoteDefect extends Error {
  readonly code: 'unexpected' | 'crashed';
  readonly remedy: string;

  constructor(code: RemoteDefect['code'], message: string, remedy: string) {
    super(message);
    this.name = 'RemoteDefect';
    this.code = code;
    this.remedy = remedy;
  }
}

export function toFailure(error: unknown): Failure {
  if (error instanceof LocusError || error instanceof RemoteDefect) {
    const { code, message, remedy } = error;
    return { code, message, remedy };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'unexpected',
    message: `Something failed unexpectedly: ${quoteText(message)}.`,
    remedy: 'This is a defect in Locus. Run locus doctor to learn more.',
  };
}

export function fromFailure({ code, message, remedy }: Failure): LocusError | RemoteDefect {
  return code === 'unexpected' || code === 'crashed'
    ? new RemoteDefect(code, message, remedy)
    : new LocusError(code, message, remedy);
}

/** Returns the message and remedy of a failure as two sentences. */
export function formatFailure({ message, remedy }: Pick<Failure, 'message' | 'remedy'>): string {
  const [first = ''] = remedy;
  return `${withoutEnd(message)}. ${first.toUpperCase()}${withoutEnd(remedy.slice(first.length))}.`;
}

/** Removes a final period, since some messages end with one and others do not. */
const withoutEnd = (text: string): string => text.replace(/\.$/, '');
