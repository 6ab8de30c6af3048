import type { IpcRenderer, WebUtils } from 'electron';
import {
  CONNECT_CHANNEL,
  type DesktopEvent,
  type DesktopHost,
  ENGINE_PORT,
  EVENT_CHANNEL,
  PORT_CHANNEL,
  resultOf,
} from '../shared/desktop.ts';

/** The window as far as the bridge needs it. */
export interface PageWindow {
  origin: string;
  postMessage(message: unknown, targetOrigin: string, transfer: unknown[]): void;
}

/** What a page gets of the desktop app: named requests with plain values; never Electron's own objects. */
export function createBridge(
  ipc: Pick<IpcRenderer, 'send' | 'invoke' | 'on'>,
  webUtils: Pick<WebUtils, 'getPathForFile'>,
  window: PageWindow,
  platform: string,
): DesktopHost {
  const early: DesktopEvent[] = [];
  let tell = (event: DesktopEvent): void => {
    early.push(event);
  };
  ipc.on(EVENT_CHANNEL, (_, event: DesktopEvent) => tell(event));
  // Ports cannot go through the bridge; a message to the page's own window takes them along.
  ipc.on(PORT_CHANNEL, ({ ports }) => window.postMessage(ENGINE_PORT, window.origin, ports));

  return {
    platform,
    requestEngine: () => ipc.send(CONNECT_CHANNEL),
    onEvent: (listener) => {
      tell = listener;
      for (const event of early.splice(0)) listener(event);
    },
    pickFolder: () => resultOf(ipc.invoke('locus:pick-folder', null)),
    saveFile: (request) => ipc.invoke('locus:save-file', request),
    openInEditor: (request) => ipc.invoke('locus:open-in-editor', request),
    opened: (repository) => ipc.invoke('locus:opened', repository),
    showMenu: (commands) => ipc.invoke('locus:show-menu', commands),
    useTheme: (theme) => ipc.invoke('locus:use-theme', theme),
    pathOf: (file) => webUtils.getPathForFile(file as Parameters<WebUtils['getPathForFile']>[0]),
  };
}
