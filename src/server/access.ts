/**
 * Decides which requests are answered. A client must send the token: a page as a subprotocol of its WebSocket, a program as a
 * bearer token. The browser sends no credential by itself, so pages of other sites or ports have nothing to misuse. They are
 * also refused by `Host` (DNS rebinding), `Origin` and `Sec-Fetch-Site`.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ENGINE_PATH, ENGINE_PROTOCOL } from '../shared/app-page.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Returns a new token, made of characters that are valid in a URL and in a subprotocol. */
export const createToken = (): string => randomBytes(24).toString('base64url');

export class RequestAccess {
  readonly token: string;

  constructor(token: string) {
    this.token = token;
  }

  /** Returns the reason to refuse a request, independent of its path; null to allow it. */
  findRefusal({ headers, url = '/' }: IncomingMessage): string | null {
    const { host = '', origin } = headers;
    if (!LOOPBACK.has(host.replace(/:\d+$/, '').toLowerCase())) {
      return 'Locus is reachable at 127.0.0.1 and localhost only.';
    }
    // With a forwarded port, the browser's port differs from ours, but Host and Origin still agree.
    if (origin !== undefined && origin !== `http://${host}`) {
      return 'Requests from other sites are refused.';
    }
    // A link with the token may come from another site, such as a terminal in the browser.
    const site = headers['sec-fetch-site'] ?? 'none';
    if (site !== 'none' && site !== 'same-origin' && !this.#hasToken(url)) {
      return 'Requests from other sites are refused. Type the address or use a bookmark.';
    }
    return null;
  }

  isToken(token: string): boolean {
    const [left, right] = [Buffer.from(token), Buffer.from(this.token)];
    return left.length === right.length && timingSafeEqual(left, right);
  }

  hasBearer({ headers: { authorization = '' } }: IncomingMessage): boolean {
    const prefix = 'Bearer ';
    return authorization.startsWith(prefix) && this.isToken(authorization.slice(prefix.length));
  }

  /** Returns true if the app's page opens the WebSocket. Browsers always send the origin. */
  canUpgrade(request: IncomingMessage): boolean {
    const { origin, 'sec-websocket-protocol': offered = '' } = request.headers;
    const [protocol, token = ''] = offered.split(',', 2).map((part) => part.trim());
    return (
      request.url === ENGINE_PATH &&
      origin !== undefined &&
      this.findRefusal(request) === null &&
      protocol === ENGINE_PROTOCOL &&
      this.isToken(token)
    );
  }

  #hasToken(url: string): boolean {
    const token = URL.parse(url, 'http://localhost')?.searchParams.get('token');
    return typeof token === 'string' && this.isToken(token);
  }
}
