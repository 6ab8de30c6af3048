import type { IpcRenderer, WebUtils } from 'electron';
import {
  CONNECT_CHANNEL,
  type DesktopEvent,
  type DesktopHost,
  ENGINE_PORT,
  EVENT_CHANNEL,
  PORT_CHANNEL,
  unwrapAnswer,
} from '../shared/desktop.ts';

/** Part of `window` that the bridge needs. */
export interface PageWindow {
  origin: string;
  postMessage(message: unknown, targetOrigin: string, transfer: unknown[]): void;
}

/** Creates the interface of the desktop app for pages: requests with plain values, never Electron's own objects. */
export function createBridge(
  ipc: Pick<IpcRenderer, 'send' | 'invoke' | 'on'>,
  webUtils: Pick<WebUtils, 'getPathForFile'>,
  window: PageWindow,
  { platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>,
): DesktopHost {
  const earlyEvents: DesktopEvent[] = [];
  let deliver = (event: DesktopEvent): void => {
    earlyEvents.push(event);
  };
  ipc.on(EVENT_CHANNEL, (_, event: DesktopEvent) => deliver(event));
  // Ports cannot pass through the bridge, so they are sent with a message to the page's own window.
  ipc.on(PORT_CHANNEL, ({ ports }) => window.postMessage(ENGINE_PORT, window.origin, ports));

  return {
    platform,
    requestEngine: () => ipc.send(CONNECT_CHANNEL),
    onEvent: (listener) => {
      deliver = listener;
      for (const event of earlyEvents.splice(0)) listener(event);
    },
    pickFolder: () => unwrapAnswer(ipc.invoke('locus:pick-folder', null)),
    saveFile: (request) => ipc.invoke('locus:save-file', request),
    openInEditor: (request) => ipc.invoke('locus:open-in-editor', request),
    reportOpened: (repository) => ipc.invoke('locus:opened', repository),
    showMenu: (commands) => ipc.invoke('locus:show-menu', commands),
    useTheme: (theme) => ipc.invoke('locus:use-theme', theme),
    canInstallUpdates: platform === 'linux' && Boolean(env.APPIMAGE),
    installUpdate: (version) => ipc.invoke('locus:install-update', version),
    getPath: (file) => webUtils.getPathForFile(file as Parameters<WebUtils['getPathForFile']>[0]),
  };
}
