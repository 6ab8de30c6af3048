/** Why the endpoint could not be used, for people: it ends a verification, never a search. */
export class EndpointFailure extends Error {
  readonly remedy: string;
  /** Milliseconds to wait before it may be worth another try; null when it is not. */
  readonly retryAfter: number | null;
  /** True if the server objected to the form of the request. */
  readonly rejected: boolean;

  constructor(
    message: string,
    remedy: string,
    options: { retryAfter?: number | null; rejected?: boolean } = {},
  ) {
    super(message);
    this.name = 'EndpointFailure';
    this.remedy = remedy;
    this.retryAfter = options.retryAfter ?? null;
    this.rejected = options.rejected ?? false;
  }
}
