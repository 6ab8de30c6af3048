/**
 * What pages must not do, whatever is in them: leave, load from elsewhere, open windows, get permissions. And what
 * Chromium must not do of itself: call anybody.
 */
import type { App, Session, WebContents, WebFrameMain } from 'electron';
import { ORIGIN } from './app-protocol.ts';

/** Whether a message comes from the main frame of one of the app's own pages. */
export function isOurs(frame: WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.origin === ORIGIN;
}

/**
 * Leaves Chromium without any host, before the app is ready. All its pages come from files, and whatever else it would
 * fetch, nobody asked for. The engine's requests to a verifier are Node's and do not pass through here.
 */
export function confineNetwork({ commandLine }: Pick<App, 'commandLine'>): void {
  commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  // Otherwise it may look for a proxy in the network first.
  commandLine.appendSwitch('no-proxy-server');
}

export function confineSession(session: Session): void {
  // Windows without spelling fetched dictionaries all the same (electron#22995).
  session.setSpellCheckerEnabled(false);
  session.setSpellCheckerDictionaryDownloadURL(`${ORIGIN}/no-dictionaries/`);
  // Writing to the clipboard is what a copy button does; the page can do it only after a click or a key.
  const allowed = (permission: string, origin: string) =>
    permission === 'clipboard-sanitized-write' && originOf(origin) === ORIGIN;
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

/** @param openOutside is given http and https addresses that a page wants to go to. */
export function confineContents(contents: WebContents, openOutside: (url: string) => void): void {
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && originOf(event.url) === ORIGIN) return;
    event.preventDefault();
    if (isWeb(event.url)) openOutside(event.url);
  });
  // WebRTC heeds neither the content security policy nor the filter of requests.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isWeb(url)) openOutside(url);
    return { action: 'deny' };
  });
}

function isLocal(address: string): boolean {
  const protocol = URL.parse(address)?.protocol ?? '';
  return originOf(address) === ORIGIN || ['data:', 'blob:', 'devtools:'].includes(protocol);
}

function isWeb(address: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(address)?.protocol ?? '');
}

/** Node calls the origin of every scheme it does not know `null`. */
function originOf(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}` : '';
}
