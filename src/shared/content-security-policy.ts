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
