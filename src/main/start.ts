import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { App } from 'electron';
import { Supervisor } from '../backend/supervisor.ts';
import { identifyProcess, log, logFailure } from '../base/log.ts';
import { getDataDirectory, prepareDataDirectory } from '../services/locations.ts';
import { isDeepLink, LINK_SCHEME } from '../shared/deep-link.ts';
import type { MenuCommand } from '../shared/desktop-requests.ts';
import { createFileHandler, PRIVILEGES, SCHEME } from './app-protocol.ts';
import { confineContents, confineNetwork, confineSession } from './confinement.ts';
import type { ElectronApi } from './electron-api.ts';
import { forkEngine, type UtilityEngine } from './engine.ts';
import { buildMenu } from './menu.ts';
import { answerRequests } from './requests.ts';
import { WindowMemory } from './window-memory.ts';
import { AppWindows } from './windows.ts';

/** Paths of the app, in the project and in a package. */
interface Paths {
  /** Folder of the pages, built by `npm run build`. */
  renderer: string;
  preload: string;
  /** Entry of the engine, outside of the archive. Electron's Node strips the types; npm's package has it bundled. See docs/reference/packages.md. */
  engine: string;
  /** Folder for the state of Chromium and of the desktop app. */
  userData: string;
  logs: string;
}

function getPaths(app: Pick<App, 'getAppPath'>): Paths {
  const root = app.getAppPath();
  const unpacked = root.replace(/\bapp\.asar$/, 'app.asar.unpacked');
  const data = getDataDirectory();
  const bundled = join(root, 'lib/electron.js');
  return {
    renderer: join(root, 'out/renderer'),
    preload: join(root, 'out/preload/index.cjs'),
    engine: existsSync(bundled) ? bundled : join(unpacked, 'src/backend/electron.ts'),
    userData: join(data, 'desktop'),
    logs: join(data, 'logs'),
  };
}

/** Maximum length of a deep link. A longer one is cut, and the page reports it as invalid. */
const MAX_LINK = 10_000;

/**
 * Returns the folder that a command line names, as `locus <dir>` or a file manager passes it.
 *
 * @param args arguments after the program, including switches of Chromium
 * @returns an absolute path, for a file its folder; null without one. The path may not exist; the engine reports that.
 */
function findFolderArgument(args: readonly string[], cwd: string): string | null {
  const end = args.indexOf('--');
  const named =
    args.find((arg, i) => !arg.startsWith('-') && !isDeepLink(arg) && (end < 0 || i < end)) ??
    (end < 0 ? undefined : args[end + 1]);
  return named ? toFolder(resolve(cwd, named)) : null;
}

/** Returns the deep link of a command line, as the system passes it; null without one. It is not validated yet. */
function findLinkArgument(args: readonly string[]): string | null {
  return args.find(isDeepLink)?.slice(0, MAX_LINK) ?? null;
}

/** Returns the folder that holds a file, or the folder itself. */
function toFolder(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
}

export interface LaunchContext {
  argv: readonly string[];
  cwd: string;
  platform: string;
}

/**
 * Runs the desktop app: a single instance with its windows, and the engine in a utility process. Resolves when the first
 * window is open. A second instance passes its folder to the first and quits.
 */
export async function start(
  electron: ElectronApi,
  { argv, cwd, platform }: LaunchContext = {
    argv: process.argv,
    cwd: process.cwd(),
    platform: process.platform,
  },
): Promise<void> {
  const { app } = electron;
  const paths = getPaths(app);
  identifyProcess('desktop');
  prepareDataDirectoryIfPossible();
  // Separate from the engine's data, but in the same data directory.
  app.setPath('userData', paths.userData);
  app.setPath('crashDumps', join(paths.logs, 'crashes'));
  app.setAppLogsPath(paths.logs);

  const args = argv.slice(app.isPackaged ? 1 : 2);
  let folder = findFolderArgument(args, cwd);
  let link = findLinkArgument(args);
  // The first instance receives the arguments reordered and mixed with switches, so the folder is passed separately.
  if (!app.requestSingleInstanceLock({ folder, link })) return app.quit();

  electron.crashReporter.start({ uploadToServer: false });
  app.enableSandbox();
  confineNetwork(app);
  electron.protocol.registerSchemesAsPrivileged([PRIVILEGES]);
  // Finder can send a folder before the app is ready.
  const onEarlyFile = (event: { preventDefault(): void }, path: string) => {
    event.preventDefault();
    folder = toFolder(path);
  };
  app.on('open-file', onEarlyFile);
  const onEarlyLink = (event: { preventDefault(): void }, url: string) => {
    event.preventDefault();
    link = findLinkArgument([url]);
  };
  app.on('open-url', onEarlyLink);
  // Without a package, the system would start plain Electron, which opens anything.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);

  await app.whenReady();
  app.off('open-file', onEarlyFile);
  app.off('open-url', onEarlyLink);
  const windows = startReady(electron, paths, platform);
  windows.add(folder, link);
}

/** Prepares the data directory. Failures are only logged, because the engine reports them to the window. */
function prepareDataDirectoryIfPossible(): void {
  try {
    prepareDataDirectory();
  } catch (error) {
    logFailure(error);
  }
}

function startReady(electron: ElectronApi, paths: Paths, platform: string): AppWindows {
  const { app } = electron;
  const memory = new WindowMemory(join(paths.userData, 'window.json'));
  const windows = new AppWindows(electron, paths.preload, memory);

  confineSession(electron.session.defaultSession);
  app.on('web-contents-created', (_, contents) =>
    confineContents(contents, (url) => openOutside(electron, url)),
  );
  electron.protocol.handle(SCHEME, createFileHandler(paths.renderer));

  const supervisor = superviseEngine(electron, paths, windows);
  const showMenu = (commands: MenuCommand[]) => {
    const template = buildMenu(commands, platform, {
      run: (command) => windows.run(command),
      newWindow: () => windows.add(),
      openLogs: () => electron.shell.openPath(paths.logs),
    });
    electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(template));
  };
  showMenu([]);
  answerRequests(electron, windows, memory, {
    connect: (window) => windows.connect(window, supervisor.process),
    showMenu,
    onDefect: (error) => log('defect', { error }),
  });

  app.on('second-instance', (_event, _argv, _cwd, data) =>
    windows.open(getText(data, 'folder'), getText(data, 'link')),
  );
  app.on('open-file', (event, path) => {
    event.preventDefault();
    windows.open(toFolder(path));
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    windows.open(null, findLinkArgument([url]));
  });
  app.on('activate', () => {
    if (windows.size === 0) windows.add();
  });
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit();
  });
  app.on('child-process-gone', (_, { reason, exitCode }) =>
    log('process-ended', { process: 'helper', reason: `${reason} ${exitCode}` }),
  );
  quitAfter(electron, () => supervisor.close());
  return windows;
}

function superviseEngine(
  electron: ElectronApi,
  paths: Paths,
  windows: AppWindows,
): Supervisor<UtilityEngine> {
  return new Supervisor(() => forkEngine(electron, paths.engine), {
    onStart: (engine) => windows.connectAll(engine),
    onCrash: (reason) => {
      log('process-ended', { process: 'engine', reason });
      windows.sendToAll({ type: 'engine-lost', reason });
    },
  });
}

/** Delays quitting until `end` is done. */
function quitAfter({ app }: ElectronApi, end: () => Promise<void>): void {
  let ended = false;
  app.on('will-quit', (event) => {
    if (ended) return;
    event.preventDefault();
    end().finally(() => {
      ended = true;
      app.quit();
    });
  });
}

/** Opens an address in the browser, after the user has seen it in full and agreed. */
async function openOutside({ dialog, shell }: ElectronApi, address: string): Promise<void> {
  const { href } = new URL(address);
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'Open this address in your browser?',
    detail: href,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response === 0) await shell.openExternal(href);
}

function getText(data: unknown, key: 'folder' | 'link'): string | null {
  const value = ((data ?? {}) as Record<string, unknown>)[key];
  return typeof value === 'string' ? value : null;
}
