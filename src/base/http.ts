/** Reading answers over HTTP from servers that are not trusted. */

/** The body as text, read no further than it may be long; null for a longer one, whose connection is closed. */
export async function readAtMost(response: Response, maxBytes: number): Promise<string | null> {
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

/** Statuses whose `Location` is another address of what was asked for. */
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

export const isRedirect = ({ status }: Pick<Response, 'status'>): boolean =>
  REDIRECTS.includes(status);

/** True if an answer says that its body is JSON: `application/json`, or a type such as `application/problem+json`. */
export function saysJson(headers: Headers): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return /^application\/(?:[\w.-]{1,100}\+)?json$/i.test(type.trim());
}

/** A host that asks for a longer wait is wrong, or means for ever; a date that far is not shown. */
export const MAX_WAIT_MS = 30 * 24 * 3600_000;

/** Milliseconds that a `Retry-After` header asks to wait, in seconds or as a date: from 0, for none, to `MAX_WAIT_MS`. */
export function retryAfterMs(header: string | null): number {
  const text = header?.trim() ?? '';
  return waitMs(/^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - Date.now());
}

/** Milliseconds until a time in seconds since 1970, as rate limits name it: from 0, for none, to `MAX_WAIT_MS`. */
export function resetMs(header: string | null): number {
  const text = header?.trim() ?? '';
  return /^\d+$/.test(text) ? waitMs(1000 * Number(text) - Date.now()) : 0;
}

const waitMs = (ms: number): number =>
  Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), MAX_WAIT_MS);
