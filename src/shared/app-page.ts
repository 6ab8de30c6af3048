/** The app's page: what it may load, and how it shows the token of `locus serve`. Unlike a cookie, that is not sent to other ports. */

/** Path of the WebSocket. A plain request is answered with 204, or with 401 if its bearer token is wrong. */
export const ENGINE_PATH = '/engine';
/** Subprotocol of the WebSocket. The token is offered as the second one. */
export const ENGINE_PROTOCOL = 'locus';
/** Key of the token in the storage of the page's origin, which includes the port. */
export const TOKEN_KEY = 'locus-token';

/**
 * What the app's pages may load: only what came with them. Both hosts send it with every page.
 *
 * `style-src` has 'unsafe-inline' because Monaco writes its colours and positions into style elements and attributes
 * that it makes at run time; no script can come from a style. Workers and scripts are files of the app.
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
