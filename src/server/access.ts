/**
 * Who may talk to the server: a browser on this machine that was given the token. A page of another site must not
 * reach it: not by its own name for 127.0.0.1 (DNS rebinding: `Host`), not by a request or socket from elsewhere
 * (`Origin`, SameSite cookie).
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { cookieOf } from '../services/running-server.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

export class Access {
  /** In the URL that is printed, and only there. */
  readonly token = randomBytes(24).toString('base64url');
  readonly #session = randomBytes(24).toString('base64url');
  readonly #cookie: string;

  constructor(port: number) {
    this.#cookie = cookieOf(port);
  }

  /** Why the request is refused before anything else is looked at; null when it is not. */
  refusal(request: IncomingMessage): string | null {
    const { host = '', origin } = request.headers;
    if (!LOOPBACK.has(host.replace(/:\d+$/, '').toLowerCase())) {
      return 'Locus answers under 127.0.0.1 and localhost only.';
    }
    // Through a forwarded port the browser's port is another one, but Host and Origin still agree.
    if (origin !== undefined && origin !== `http://${host}`) {
      return 'Requests from other sites are refused.';
    }
    return null;
  }

  /** The header that lets the browser in, for a URL with the right token. */
  cookieFor(token: string): string | null {
    if (!equal(token, this.token)) return null;
    return `${this.#cookie}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Whether a program brings the token itself, as it was printed. */
  hasToken({ headers }: IncomingMessage): boolean {
    const prefix = 'Bearer ';
    const { authorization = '' } = headers;
    return (
      authorization.startsWith(prefix) && equal(authorization.slice(prefix.length), this.token)
    );
  }

  isKnown(request: IncomingMessage): boolean {
    const cookies = (request.headers.cookie ?? '').split(/;\s*/);
    const prefix = `${this.#cookie}=`;
    const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
    return value !== undefined && equal(value, this.#session);
  }
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
