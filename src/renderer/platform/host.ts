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

/** Null in a browser, where the app brings its own dialogs. */
export const desktop: DesktopHost | null = globalThis.window?.locus ?? null;

/** `isUnknownHere`: true if a server answers that does not know this window's token, since it was started again. */
export const useHost = create(() => ({ isUnknownHere: false }));

/** Connects for as long as the window lives: `attach` gets a new channel whenever there is one. */
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

/** The server beats every 15 s; after so long without a word the connection is taken for dead. */
const PATIENCE_MS = 40_000;
const RETRY_MS = [0, 300, 1000, 2000, 5000];

/** Reads it each time: another window may have been given a newer one. */
const storedToken = (): string => localStorage.getItem(TOKEN_KEY) ?? '';

function connectSocket(attach: (channel: Channel) => void): void {
  let failures = 0;
  let wasConnected = false;
  open();

  /** A WebSocket does not say why it could not be opened. */
  async function lookWhoAnswers(): Promise<void> {
    const headers = { Authorization: `Bearer ${storedToken()}` };
    const answer = await fetch(ENGINE_PATH, { method: 'HEAD', cache: 'no-store', headers }).catch(
      () => null,
    );
    if (failures === 0) return;
    const isUnknownHere = answer?.status === 401;
    // Nothing can be lost yet, and this page says what is missing.
    if (isUnknownHere && !wasConnected) location.replace('/?token=');
    useHost.setState({ isUnknownHere });
  }

  function open(): void {
    const url = location.origin.replace(/^http/, 'ws') + ENGINE_PATH;
    const token = storedToken();
    const socket = new WebSocket(url, token === '' ? ENGINE_PROTOCOL : [ENGINE_PROTOCOL, token]);
    let timer = 0;
    const rest = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => socket.close(), PATIENCE_MS);
    };
    socket.addEventListener('open', () => {
      failures = 0;
      wasConnected = true;
      useHost.setState({ isUnknownHere: false });
      rest();
      attach({
        post: (text) => socket.send(text),
        onMessage: (listener) =>
          socket.addEventListener('message', ({ data }) => {
            rest();
            if (data !== '') listener(data as string);
          }),
        onClose: (listener) => socket.addEventListener('close', listener),
        close: () => socket.close(),
      });
    });
    socket.addEventListener('close', () => {
      clearTimeout(timer);
      if (failures > 0) void lookWhoAnswers();
      window.setTimeout(open, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
    });
  }
}
