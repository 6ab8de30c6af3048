/** Reads HTTP responses of servers that are not trusted. */

/** Returns the body of a response as text. Returns null, and closes the connection, if it is longer than `maxBytes`. */
export async function readBoundedBody(
  response: Response,
  maxBytes: number,
): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON.
    return null;
  }
}

/** Statuses whose `Location` header redirects the request. */
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

export const isRedirect = ({ status }: Pick<Response, 'status'>): boolean =>
  REDIRECTS.includes(status);

/** Returns true if the headers declare JSON: `application/json`, or a type such as `application/problem+json`. */
export function hasJsonType(headers: Headers): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return /^application\/(?:[\w.-]{1,100}\+)?json$/i.test(type.trim());
}

/** Maximum wait that a host may ask for. A longer one is a mistake or means forever, and such a date is not shown. */
export const MAX_WAIT_MS = 30 * 24 * 3600_000;

/** Parses a `Retry-After` header, in seconds or as a date. Returns milliseconds from 0 (no header) to `MAX_WAIT_MS`. */
export function parseRetryAfter(header: string | null): number {
  const text = header?.trim() ?? '';
  return limitWait(/^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - Date.now());
}

/** Parses a time of a rate limit, in seconds since 1970. Returns the milliseconds until then, from 0 (no header) to `MAX_WAIT_MS`. */
export function parseResetTime(header: string | null): number {
  const text = header?.trim() ?? '';
  return /^\d+$/.test(text) ? limitWait(1000 * Number(text) - Date.now()) : 0;
}

const limitWait = (ms: number): number =>
  Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), MAX_WAIT_MS);
