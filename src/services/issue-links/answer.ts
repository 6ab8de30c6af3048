/** What a forge answered, whatever it says. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Null where it is no JSON. */
  json: unknown;
}
