/**
 * Double of the part of Electron's main-process API that src/main uses. It is checked against Electron's own types, so a
 * renamed or removed method is a type error here. Its behavior follows Electron's documentation.
 */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type {
  App,
  BrowserWindowConstructorOptions,
  Dialog,
  Display,
  IpcMain,
  MenuItemConstructorOptions,
  NativeTheme,
  Protocol,
  Rectangle,
  Screen,
  Session,
  Shell,
  UtilityProcess,
  WebContents,
  WebFrameMain,
  WebRequest,
} from 'electron';
import type { ElectronApi } from '../../src/main/electron-api.ts';

export interface DoubleOptions {
  appPath: string;
  packaged?: boolean;
  displays?: Rectangle[];
  /** True if another instance holds the lock. */
  second?: boolean;
}

/** Emits asynchronously, as Electron does. */
const soon = (action: () => void) => setImmediate(action);

export class FakePort extends EventEmitter {
  other: FakePort | null = null;
  postMessage(data: unknown): void {
    soon(() => this.other?.emit('message', { data, ports: [] }));
  }
  start(): void {}
  close(): void {
    soon(() => this.other?.emit('close'));
  }
}

export class FakeContents extends EventEmitter {
  static #nextId = 1;
  readonly id = FakeContents.#nextId++;
  readonly sent: { channel: string; message: unknown; ports: FakePort[] }[] = [];
  readonly mainFrame = { origin: 'app://locus', parent: null } as unknown as WebFrameMain;
  reloads = 0;
  opener: Parameters<WebContents['setWindowOpenHandler']>[0] | null = null;
  webRtcPolicy = 'default';

  send(channel: string, message: unknown): void {
    this.sent.push({ channel, message, ports: [] });
  }
  postMessage(channel: string, message: unknown, ports: unknown[] = []): void {
    this.sent.push({ channel, message, ports: ports as FakePort[] });
  }
  setWindowOpenHandler(opener: Parameters<WebContents['setWindowOpenHandler']>[0]): void {
    this.opener = opener;
  }
  setWebRTCIPHandlingPolicy(policy: string): void {
    this.webRtcPolicy = policy;
  }
  reload(): void {
    this.reloads++;
    this.load();
  }
  /** Called when a page is loaded. */
  load(): void {
    this.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
    soon(() => this.emit('did-finish-load'));
  }
  /** Navigates like a page. Returns true if that is allowed. */
  navigate(url: string, isMainFrame = true): boolean {
    const event = { url, isMainFrame, defaultPrevented: false, preventDefault: prevent };
    this.emit('will-frame-navigate', event);
    return !event.defaultPrevented;
  }
}
({}) as FakeContents satisfies {
  [Name in 'id' | 'reload' | 'send' | 'setWebRTCIPHandlingPolicy']: WebContents[Name];
};

function prevent(this: { defaultPrevented: boolean }): void {
  this.defaultPrevented = true;
}

class FakeWindow extends EventEmitter {
  static readonly all: FakeWindow[] = [];
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents = new FakeContents();
  readonly calls: string[] = [];
  bounds: Rectangle;
  maximized = false;
  minimised = false;
  visible: boolean;
  title = '';
  url = '';

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    this.options = options;
    this.bounds = {
      x: options.x ?? 0,
      y: options.y ?? 0,
      width: options.width!,
      height: options.height!,
    };
    this.visible = options.show ?? true;
  }
  async loadURL(url: string): Promise<void> {
    this.url = url;
    this.webContents.load();
    soon(() => this.emit('ready-to-show'));
  }
  show(): void {
    this.visible = true;
  }
  focus(): void {
    this.calls.push('focus');
    this.emit('focus');
  }
  restore(): void {
    this.minimised = false;
  }
  maximize(): void {
    this.maximized = true;
  }
  isMinimized(): boolean {
    return this.minimised;
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  getNormalBounds(): Rectangle {
    return this.bounds;
  }
  setTitle(title: string): void {
    this.title = title;
  }
  setRepresentedFilename(path: string): void {
    this.calls.push(`represents ${path}`);
  }
  setProgressBar(progress: number): void {
    this.calls.push(`progress ${progress}`);
  }
  close(): void {
    this.emit('close', {});
    this.emit('closed');
  }
}
({}) as FakeWindow satisfies Pick<
  Electron.BrowserWindow,
  | 'loadURL'
  | 'show'
  | 'focus'
  | 'restore'
  | 'maximize'
  | 'isMinimized'
  | 'isMaximized'
  | 'getNormalBounds'
  | 'setTitle'
  | 'setRepresentedFilename'
  | 'setProgressBar'
  | 'close'
>;

export type { FakeWindow };

export class FakeUtility extends EventEmitter {
  readonly entry: string;
  readonly args: string[];
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly received: { message: { type: string; client?: string }; ports: FakePort[] }[] = [];
  ended = false;

  constructor(entry: string, args: string[]) {
    super();
    this.entry = entry;
    this.args = args;
  }
  postMessage(message: { type: string }, ports: unknown[] = []): void {
    this.received.push({ message, ports: ports as FakePort[] });
    if (message.type === 'stop') soon(() => this.end(0));
  }
  kill(): boolean {
    soon(() => this.end(15));
    return true;
  }
  end(code: number): void {
    if (this.ended) return;
    this.ended = true;
    this.emit('exit', code);
  }
}
({}) as FakeUtility satisfies Pick<UtilityProcess, 'kill'>;

type Handler = (event: unknown, ...args: unknown[]) => unknown;
export type MenuItem = MenuItemConstructorOptions & { submenu?: MenuItem[] };

/** Creates the double, with its recordings and triggers for tests. */
export function createElectron(options: DoubleOptions) {
  const windows: FakeWindow[] = [];
  const engines: FakeUtility[] = [];
  const handlers = new Map<string, Handler>();
  const log: string[] = [];
  const answers = { open: [] as string[], save: '', message: 0 };
  const confined: {
    request?: Parameters<Session['setPermissionRequestHandler']>[0];
    check?: Parameters<Session['setPermissionCheckHandler']>[0];
    device?: Parameters<Session['setDevicePermissionHandler']>[0];
    beforeRequest?: (
      details: { url: string },
      answer: (response: { cancel?: boolean }) => void,
    ) => void;
  } = {};
  const served = new Map<string, (request: Request) => Response | Promise<Response>>();
  let menu: MenuItem[] = [];

  const appEvents = new EventEmitter();
  const app = Object.assign(appEvents, {
    isPackaged: options.packaged ?? false,
    getAppPath: () => options.appPath,
    getVersion: () => '1.2.3',
    setPath: (name: string, path: string) => void log.push(`path ${name} ${path}`),
    setAppLogsPath: (path?: string) => void log.push(`logs ${path}`),
    requestSingleInstanceLock: (data?: Record<string, unknown>) => {
      log.push(`lock ${JSON.stringify(data)}`);
      return !options.second;
    },
    commandLine: {
      appendSwitch: (name: string, value?: string) =>
        void log.push(['switch', name, value].filter(Boolean).join(' ')),
    },
    enableSandbox: () => void log.push('sandbox'),
    whenReady: async () => void log.push('ready'),
    setAsDefaultProtocolClient: (scheme: string) => log.push(`handles ${scheme}`) > 0,
    addRecentDocument: (path: string) => void log.push(`recent ${path}`),
    /** Quits unless a listener prevents it. */
    quit: () => {
      const event = { defaultPrevented: false, preventDefault: prevent };
      appEvents.emit('will-quit', event);
      if (!event.defaultPrevented) log.push('quit');
    },
  }) satisfies Pick<
    App,
    | 'isPackaged'
    | 'getAppPath'
    | 'getVersion'
    | 'setPath'
    | 'setAppLogsPath'
    | 'requestSingleInstanceLock'
    | 'enableSandbox'
    | 'whenReady'
    | 'addRecentDocument'
    | 'quit'
  > & { commandLine: Pick<App['commandLine'], 'appendSwitch'> };

  class BrowserWindow extends FakeWindow {
    static getFocusedWindow(): FakeWindow | null {
      return null;
    }
    constructor(constructorOptions?: BrowserWindowConstructorOptions) {
      super(constructorOptions);
      windows.push(this);
      app.emit('web-contents-created', {}, this.webContents);
      this.once('closed', () => {
        windows.splice(windows.indexOf(this), 1);
        if (windows.length === 0) app.emit('window-all-closed');
      });
    }
  }

  const dialog = {
    showOpenDialog: async () => ({ canceled: answers.open.length === 0, filePaths: answers.open }),
    showSaveDialog: async (_window: unknown, { defaultPath }: { defaultPath?: string } = {}) => {
      log.push(`save as ${defaultPath}`);
      return { canceled: answers.save === '', filePath: answers.save };
    },
    showMessageBox: async (...args: unknown[]) => {
      const { message, detail } = args.at(-1) as { message: string; detail?: string };
      log.push(`asked ${message} ${detail}`);
      return { response: answers.message, checkboxChecked: false };
    },
  } satisfies {
    [Name in 'showOpenDialog' | 'showSaveDialog' | 'showMessageBox']: (
      ...args: never[]
    ) => ReturnType<Dialog[Name]>;
  };

  const ipcMain = Object.assign(new EventEmitter(), {
    handle: (channel: string, handler: (event: never, ...args: never[]) => unknown) =>
      void handlers.set(channel, handler as Handler),
  }) satisfies Pick<IpcMain, 'handle'>;

  const session = Object.assign(
    new EventEmitter(),
    {
      setPermissionRequestHandler: (handler) => {
        confined.request = handler;
      },
      setPermissionCheckHandler: (handler) => {
        confined.check = handler;
      },
      setDevicePermissionHandler: (handler) => {
        confined.device = handler;
      },
      setSpellCheckerEnabled: (enable) => void log.push(`spelling ${enable}`),
      setSpellCheckerDictionaryDownloadURL: (url) => void log.push(`dictionaries ${url}`),
    } satisfies Pick<
      Session,
      | 'setPermissionRequestHandler'
      | 'setPermissionCheckHandler'
      | 'setDevicePermissionHandler'
      | 'setSpellCheckerEnabled'
      | 'setSpellCheckerDictionaryDownloadURL'
    >,
    {
      webRequest: {
        onBeforeRequest: (listener: unknown) => {
          confined.beforeRequest = listener as typeof confined.beforeRequest;
        },
      } satisfies Pick<WebRequest, 'onBeforeRequest'>,
    },
  );

  const nativeTheme = { themeSource: 'system', shouldUseDarkColors: true } as Pick<
    NativeTheme,
    'themeSource' | 'shouldUseDarkColors'
  >;
  const displays = (options.displays ?? [{ x: 0, y: 0, width: 1920, height: 1080 }]).map(
    (workArea) => ({ workArea }) as Display,
  );

  const api = {
    app,
    BrowserWindow,
    crashReporter: { start: (crash: object) => log.push(`crashes ${JSON.stringify(crash)}`) },
    dialog,
    ipcMain,
    Menu: {
      buildFromTemplate: (template: MenuItem[]) => template,
      setApplicationMenu: (built: MenuItem[]) => {
        menu = built;
      },
    },
    MessageChannelMain: class {
      port1 = new FakePort();
      port2 = new FakePort();
      constructor() {
        this.port1.other = this.port2;
        this.port2.other = this.port1;
      }
    },
    nativeTheme,
    protocol: {
      registerSchemesAsPrivileged: (schemes) =>
        void log.push(`schemes ${schemes.map(({ scheme }) => scheme)}`),
      handle: (scheme, handler) => void served.set(scheme, handler as never),
    } satisfies Pick<Protocol, 'registerSchemesAsPrivileged' | 'handle'>,
    screen: { getAllDisplays: () => displays } satisfies Pick<Screen, 'getAllDisplays'>,
    session: { defaultSession: session },
    shell: {
      openExternal: async (url) => void log.push(`browser ${url}`),
      openPath: async (path) => {
        log.push(`shown ${path}`);
        return '';
      },
    } satisfies Pick<Shell, 'openExternal' | 'openPath'>,
    utilityProcess: {
      fork: (entry: string, args: string[] = []) => {
        const engine = new FakeUtility(entry, args);
        engines.push(engine);
        return engine;
      },
    },
  } satisfies Record<keyof ElectronApi, unknown>;

  return {
    api: api as unknown as ElectronApi,
    app,
    ipcMain,
    nativeTheme,
    session,
    windows,
    engines,
    /** Log of actions that leave no other trace, in order. */
    log,
    /** Answers of the user in dialogs; `message` is the index of the button. */
    answers,
    confined,
    served,
    menu: () => menu,
    /** Sends a request from a page. `frame` defaults to the main frame of the page. */
    invoke: async (window: FakeWindow, channel: string, request: unknown, frame?: object) =>
      handlers.get(channel)!(
        { sender: window.webContents, senderFrame: frame ?? window.webContents.mainFrame },
        request,
      ) as Promise<{ result?: unknown; error?: { code: string; message: string } }>,
    /** Requests the engine like a page. */
    connect: (window: FakeWindow, frame?: object) =>
      ipcMain.emit('locus:connect', {
        sender: window.webContents,
        senderFrame: frame ?? window.webContents.mainFrame,
      }),
  };
}

export type ElectronDouble = ReturnType<typeof createElectron>;
