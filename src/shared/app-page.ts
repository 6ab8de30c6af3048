/** The app's pages: what they may load, how both hosts serve them, and how they present the token of `locus serve`. */

/** Port of `locus serve` without `--port`, unless it is in use. Bookmarks contain it. */
export const DEFAULT_PORT = 4747;
/** Path of the WebSocket. A plain request is answered with 204, or with 401 if its bearer token is wrong. */
export const ENGINE_PATH = '/engine';
/** Subprotocol of the WebSocket. The token is offered as the second one. */
export const ENGINE_PROTOCOL = 'locus';
/** Key of the token in the storage of the page's origin. Unlike a cookie, it is not sent to other ports. */
export const TOKEN_KEY = 'locus-token';

/**
 * Content security policy of the app's pages: they load only their own files. Both hosts send it with every page.
 *
 * `style-src` has 'unsafe-inline' because Monaco creates style elements and attributes for colors and positions at run
 * time; a style cannot run a script. Workers and scripts are files of the app.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.json': 'application/json',
};
