import type { BrowserWindow, Display, Rectangle, WebContents } from 'electron';
import { log, logFailure } from '../base/log.ts';
import { type DesktopEvent, EVENT_CHANNEL, PORT_CHANNEL } from '../shared/desktop.ts';
import { ORIGIN } from './app-protocol.ts';
import type { ElectronApi } from './electron-api.ts';
import type { UtilityEngine } from './engine.ts';
import type { RememberedState, WindowMemory } from './window-memory.ts';

const BACKGROUND = { dark: '#16181d', light: '#ffffff' };
/** A page that crashes again within this time after loading is not reloaded. */
const RELOAD_AFTER_MS = 10_000;

type Api = Pick<ElectronApi, 'BrowserWindow' | 'MessageChannelMain' | 'nativeTheme' | 'screen'>;

/** Windows of the app, each with its own message port to the engine. */
export class AppWindows {
  readonly #api: Api;
  readonly #preload: string;
  readonly #memory: WindowMemory;
  readonly #windows = new Set<BrowserWindow>();
  /** Windows whose page is loaded and receives events. */
  readonly #loaded = new Set<BrowserWindow>();
  /** Windows that requested the engine, and are connected to each new one. */
  readonly #connected = new Set<BrowserWindow>();
  #last: BrowserWindow | null = null;

  constructor(api: Api, preload: string, memory: WindowMemory) {
    this.#api = api;
    this.#preload = preload;
    this.#memory = memory;
  }

  get size(): number {
    return this.#windows.size;
  }

  findByContents(contents: WebContents): BrowserWindow | undefined {
    return [...this.#windows].find((window) => window.webContents === contents);
  }

  add(folder: string | null = null, link: string | null = null): BrowserWindow {
    const remembered = this.#memory.get().window;
    const window = new this.#api.BrowserWindow({
      ...placeWindow(remembered, this.#api.screen.getAllDisplays()),
      minWidth: MIN_SIZE.width,
      minHeight: MIN_SIZE.height,
      title: 'Locus',
      // The window is shown when the page is ready. Until then it has the background color of the page.
      show: false,
      backgroundColor: this.#api.nativeTheme.shouldUseDarkColors
        ? BACKGROUND.dark
        : BACKGROUND.light,
      webPreferences: {
        preload: this.#preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webSecurity: true,
        // Chromium would download dictionaries.
        spellcheck: false,
      },
    });
    if (remembered?.maximized) window.maximize();
    this.#windows.add(window);
    this.#last = window;
    this.#addListeners(window);
    this.#deliver(window, folder, link);
    window.loadURL(`${ORIGIN}/`).catch(logFailure);
    return window;
  }

  /** Brings the last used window to the front, or opens one. */
  open(folder: string | null, link: string | null = null): void {
    const window = this.#last ?? [...this.#windows].at(-1);
    if (!window) {
      this.add(folder, link);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    this.#deliver(window, folder, link);
  }

  #deliver(window: BrowserWindow, folder: string | null, link: string | null): void {
    if (folder !== null) this.send(window, { type: 'open', root: folder });
    if (link !== null) this.send(window, { type: 'link', link });
  }

  /** Sends an event to a page now, or as soon as it is loaded. */
  send(window: BrowserWindow, event: DesktopEvent): void {
    const send = () => window.webContents.send(EVENT_CHANNEL, event);
    if (this.#loaded.has(window)) send();
    else window.webContents.once('did-finish-load', send);
  }

  sendToAll(event: DesktopEvent): void {
    for (const window of this.#connected) this.send(window, event);
  }

  /** Runs a menu command in the focused window. */
  run(command: string): void {
    const window = this.#api.BrowserWindow.getFocusedWindow() ?? this.#last;
    if (window && this.#windows.has(window)) this.send(window, { type: 'command', command });
  }

  /** Connects a window to the engine. Without an engine, it is connected when the next one starts. */
  connect(window: BrowserWindow, engine: UtilityEngine | null): void {
    this.#connected.add(window);
    if (!engine) return;
    const { port1, port2 } = new this.#api.MessageChannelMain();
    engine.connect(String(window.webContents.id), port1);
    window.webContents.postMessage(PORT_CHANNEL, null, [port2]);
  }

  connectAll(engine: UtilityEngine): void {
    for (const window of this.#connected) this.connect(window, engine);
  }

  #addListeners(window: BrowserWindow): void {
    const contents = window.webContents;
    let loadedAt = Number.NEGATIVE_INFINITY;
    window.once('ready-to-show', () => window.show());
    window.on('focus', () => {
      this.#last = window;
    });
    window.on('close', () => this.#remember(window));
    window.on('closed', () => {
      this.#windows.delete(window);
      this.#loaded.delete(window);
      this.#connected.delete(window);
      if (this.#last === window) this.#last = null;
    });
    // A reloaded page requests the engine again.
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (!isMainFrame || isSameDocument) return;
      this.#loaded.delete(window);
      this.#connected.delete(window);
    });
    contents.on('did-finish-load', () => {
      this.#loaded.add(window);
      loadedAt = performance.now();
    });
    contents.on('render-process-gone', (_, { reason, exitCode }) => {
      log('process-ended', { process: 'page', reason: `${reason} ${exitCode}` });
      if (reason === 'clean-exit' || performance.now() - loadedAt < RELOAD_AFTER_MS) return;
      contents.reload();
    });
    contents.on('preload-error', (_event, _path, error) => log('defect', { error }));
    contents.on('console-message', ({ level, lineNumber }) => {
      if (level === 'error') log('page-failed', { line: lineNumber });
    });
  }

  #remember(window: BrowserWindow): void {
    this.#memory.set({
      window: { ...window.getNormalBounds(), maximized: window.isMaximized() },
    });
  }
}

const DEFAULT_SIZE = { width: 1440, height: 900 };
const MIN_SIZE = { width: 800, height: 500 };
/** Minimum part of a window's top edge that must be on a display, so that a pointer can grab it. */
const MIN_GRAB = { width: 120, height: 24 };

/**
 * Returns the bounds of a new window: as remembered if a person can still reach it there, else the system's default.
 * It is never larger than its display.
 */
export function placeWindow(
  remembered: RememberedState['window'],
  displays: readonly Pick<Display, 'workArea'>[],
): Partial<Rectangle> & { width: number; height: number } {
  const areas = displays.map(({ workArea }) => workArea);
  const area = remembered && areas.find((workArea) => isReachable(remembered, workArea));
  if (!remembered || !area) return fitSize(remembered ?? DEFAULT_SIZE, areas[0] ?? DEFAULT_SIZE);
  return { x: remembered.x, y: remembered.y, ...fitSize(remembered, area) };
}

function isReachable(window: Rectangle, area: Rectangle): boolean {
  const overlap =
    Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  return (
    overlap >= MIN_GRAB.width &&
    window.y >= area.y &&
    window.y + MIN_GRAB.height <= area.y + area.height
  );
}

function fitSize(size: { width: number; height: number }, area: { width: number; height: number }) {
  return {
    width: Math.max(MIN_SIZE.width, Math.min(size.width, area.width)),
    height: Math.max(MIN_SIZE.height, Math.min(size.height, area.height)),
  };
}
