/** What a forge answered, whatever it says. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Null if the answer is not JSON, or does not say that it is. */
  json: unknown;
}
