/**
 * Decides which requests are answered. A client shows the token: a page as a subprotocol of its WebSocket, a program as its bearer. The
 * browser sends no credential by itself, so a page of another site, or of another port, has none to misuse. It is refused all the
 * same: by `Host` (DNS rebinding), by `Origin`, and by `Sec-Fetch-Site`.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ENGINE_PATH, ENGINE_PROTOCOL } from '../shared/app-page.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Returns a new token of `locus serve`, of letters that an address and a subprotocol can have. */
export const createToken = (): string => randomBytes(24).toString('base64url');

export class Access {
  readonly token: string;

  constructor(token: string) {
    this.token = token;
  }

  /** Returns why a request is refused, whatever it asks for; null if it is not. */
  refusal({ headers, url = '/' }: IncomingMessage): string | null {
    const { host = '', origin } = headers;
    if (!LOOPBACK.has(host.replace(/:\d+$/, '').toLowerCase())) {
      return 'Locus answers under 127.0.0.1 and localhost only.';
    }
    // Through a forwarded port the browser's port is another one, but Host and Origin still agree.
    if (origin !== undefined && origin !== `http://${host}`) {
      return 'Requests from other sites are refused.';
    }
    // A link with the token may be on another site, such as a terminal in the browser.
    const site = headers['sec-fetch-site'] ?? 'none';
    if (site !== 'none' && site !== 'same-origin' && !this.#isEntrance(url)) {
      return 'Requests from other sites are refused. Type the address, or open a bookmark.';
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

  /** True if a WebSocket is opened by the app's page. Browsers always send the origin. */
  mayUpgrade(request: IncomingMessage): boolean {
    const { origin, 'sec-websocket-protocol': offered = '' } = request.headers;
    const [protocol, token = ''] = offered.split(',', 2).map((part) => part.trim());
    return (
      request.url === ENGINE_PATH &&
      origin !== undefined &&
      this.refusal(request) === null &&
      protocol === ENGINE_PROTOCOL &&
      this.isToken(token)
    );
  }

  #isEntrance(url: string): boolean {
    const token = URL.parse(url, 'http://localhost')?.searchParams.get('token');
    return typeof token === 'string' && this.isToken(token);
  }
}
