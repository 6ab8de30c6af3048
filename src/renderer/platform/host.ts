/** Connects the window to its engine: over a WebSocket to `locus serve`, or over a port from Electron's preload script. */
import { create } from 'zustand';
import { ENGINE_PATH, ENGINE_PROTOCOL, TOKEN_KEY } from '../../shared/app-page.ts';
import type { DesktopHost } from '../../shared/desktop.ts';
import type { Channel } from '../../shared/rpc/messages.ts';

declare global {
  interface Window {
    /** Set by the preload script. */
    locus?: DesktopHost;
  }
}

/** The desktop app; null in a browser, where the page has its own dialogs. */
export const desktop: DesktopHost | null = globalThis.window?.locus ?? null;

/** `isTokenRejected`: true if the server rejects this window's token, because it was restarted. */
export const useHost = create(() => ({ isTokenRejected: false }));

/** Connects to the engine, and reconnects until the window closes. Calls `attach` with each new channel. */
export function connect(attach: (channel: Channel) => void): void {
  if (desktop) connectPorts(desktop, attach);
  else connectSocket(attach);
}

function connectPorts(desktop: DesktopHost, attach: (channel: Channel) => void): void {
  window.addEventListener('message', (event) => {
    if (event.source !== window || event.data !== 'locus:engine') return;
    const [port] = event.ports;
    if (!port) return;
    attach({
      post: (text) => port.postMessage(text),
      onMessage: (listener) => {
        port.onmessage = ({ data }) => listener(data as string);
      },
      onClose: (listener) => port.addEventListener('close', listener),
      close: () => port.close(),
    });
  });
  desktop.requestEngine();
}

/** Time without any message after which the connection counts as lost. The server sends a heartbeat every 15 s. */
const TIMEOUT_MS = 40_000;
const RETRY_MS = [0, 300, 1000, 2000, 5000];

/** Reads the token from storage each time, since another window may have received a newer one. */
const readToken = (): string => localStorage.getItem(TOKEN_KEY) ?? '';

function connectSocket(attach: (channel: Channel) => void): void {
  let failures = 0;
  open();

  /** Checks if the server rejects the token, since a WebSocket does not report why it could not be opened. */
  async function checkToken(): Promise<void> {
    const headers = { Authorization: `Bearer ${readToken()}` };
    const answer = await fetch(ENGINE_PATH, { method: 'HEAD', cache: 'no-store', headers }).catch(
      () => null,
    );
    if (failures > 0) useHost.setState({ isTokenRejected: answer?.status === 401 });
  }

  function open(): void {
    const url = location.origin.replace(/^http/, 'ws') + ENGINE_PATH;
    const token = readToken();
    const socket = new WebSocket(url, token === '' ? ENGINE_PROTOCOL : [ENGINE_PROTOCOL, token]);
    let timer = 0;
    const restartTimeout = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => socket.close(), TIMEOUT_MS);
    };
    socket.addEventListener('open', () => {
      failures = 0;
      useHost.setState({ isTokenRejected: false });
      restartTimeout();
      attach({
        post: (text) => socket.send(text),
        onMessage: (listener) =>
          socket.addEventListener('message', ({ data }) => {
            restartTimeout();
            if (data !== '') listener(data as string);
          }),
        onClose: (listener) => socket.addEventListener('close', listener),
        close: () => socket.close(),
      });
    });
    socket.addEventListener('close', () => {
      clearTimeout(timer);
      if (failures > 0) void checkToken();
      window.setTimeout(open, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
    });
  }
}
