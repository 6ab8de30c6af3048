/** The page at the printed address. It stores the token for its origin and opens the app. */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { CONTENT_SECURITY_POLICY, TOKEN_KEY } from '../shared/app-page.ts';
import { reply } from './files.ts';

/** Opens the app by a navigation of its own, since a reload would repeat the site that the first one came from. */
const SCRIPT = `
const query = new URLSearchParams(location.search);
localStorage.setItem('${TOKEN_KEY}', query.get('token'));
const link = query.get('link');
location.replace((link === null ? '/' : '/?link=' + encodeURIComponent(link)) + location.hash);
`;
const POLICY = CONTENT_SECURITY_POLICY.replace(
  "script-src 'self'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
);

/** Answers a request that brings the token in its address. */
export function openApp(response: ServerResponse): void {
  reply(response, 200, 'Opening Locus …', {
    head: `<link rel="icon" href="data:,"><script>${SCRIPT}</script>`,
    headers: { 'Content-Security-Policy': POLICY },
  });
}
