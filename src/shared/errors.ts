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
  | 'cancelled';
