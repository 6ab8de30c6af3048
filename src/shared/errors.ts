/** Failures: as they are thrown, as they travel, and as a client sees them. */

/** A failure that a person can mend: `message` names the thing, `remedy` says what to do about it. */
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

export interface Failure {
  /** `crashed`: the engine ended while working on it, twice. `unexpected`: a defect in Locus. */
  code: LocusErrorCode | 'unexpected' | 'crashed';
  message: string;
  remedy: string;
}

/** A failure as the client sees it. */
export class RpcError extends Error {
  readonly code: Failure['code'];
  readonly remedy: string;

  constructor({ code, message, remedy }: Failure) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.remedy = remedy;
  }
}
