/**
 * Prevents pages from navigating away, loading from other origins, opening windows and getting permissions, whatever
 * they contain. Also prevents Chromium from using the network.
 */
import type { App, Session, WebContents, WebFrameMain } from 'electron';
import { ORIGIN } from './app-protocol.ts';

/** Returns true if a message comes from the main frame of one of the app's own pages. */
export function isOwnPage(frame: WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.origin === ORIGIN;
}

/**
 * Makes every host name unresolvable for Chromium; to call before the app is ready. All pages come from files, so Chromium
 * needs no network. The engine's requests to a check use Node and are not affected.
 */
export function confineNetwork({ commandLine }: Pick<App, 'commandLine'>): void {
  commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  // Without this, Chromium may search the network for a proxy.
  commandLine.appendSwitch('no-proxy-server');
}

export function confineSession(session: Session): void {
  // Windows with spell checking disabled still fetched dictionaries (electron#22995).
  session.setSpellCheckerEnabled(false);
  session.setSpellCheckerDictionaryDownloadURL(`${ORIGIN}/no-dictionaries/`);
  // Copy buttons write to the clipboard. The page can do so only after a click or a key press.
  const allowed = (permission: string, origin: string) =>
    permission === 'clipboard-sanitized-write' && getOrigin(origin) === ORIGIN;
  session.setPermissionRequestHandler((_, permission, answer, details) =>
    answer(details.isMainFrame && allowed(permission, details.requestingUrl)),
  );
  session.setPermissionCheckHandler((_, permission, origin) => allowed(permission, origin));
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((request, answer) =>
    answer({ cancel: !isLocal(request.url) }),
  );
  session.on('will-download', (event) => event.preventDefault());
}

/** Confines a page. @param openOutside receives the http and https addresses that a page tries to open */
export function confineContents(contents: WebContents, openOutside: (url: string) => void): void {
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && getOrigin(event.url) === ORIGIN) return;
    event.preventDefault();
    if (isHttp(event.url)) openOutside(event.url);
  });
  // Neither the content security policy nor the request filter applies to WebRTC.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isHttp(url)) openOutside(url);
    return { action: 'deny' };
  });
}

function isLocal(address: string): boolean {
  const protocol = URL.parse(address)?.protocol ?? '';
  return getOrigin(address) === ORIGIN || ['data:', 'blob:', 'devtools:'].includes(protocol);
}

function isHttp(address: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(address)?.protocol ?? '');
}

/** Returns the origin of an address. `URL.origin` is `null` for schemes that Node does not know. */
function getOrigin(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}` : '';
}
