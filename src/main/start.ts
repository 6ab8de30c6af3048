import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { App } from 'electron';
import { Supervisor } from '../backend/supervisor.ts';
import { identifyProcess, log, logFailure } from '../base/log.ts';
import { dataDirectory, prepareDataDirectory } from '../services/locations.ts';
import type { MenuCommand } from '../shared/desktop-requests.ts';
import { isLocusLink, LINK_SCHEME } from '../shared/locus-link.ts';
import { PRIVILEGES, SCHEME, serveFiles } from './app-protocol.ts';
import { confineContents, confineNetwork, confineSession } from './confinement.ts';
import type { ElectronApi } from './electron-api.ts';
import { forkEngine, type UtilityEngine } from './engine.ts';
import { Memory } from './memory.ts';
import { menuTemplate } from './menu.ts';
import { answerRequests } from './requests.ts';
import { Windows } from './windows.ts';

/** Where things lie, in the project and in a packaged app alike. */
interface Paths {
  /** Built by `npm run build`. */
  renderer: string;
  preload: string;
  /** Runs as it is: Electron's Node takes the types out. Outside of the archive; bundled in npm's package. See docs/packaging.md. */
  engine: string;
  /** Folder for the state of Chromium and of this host. */
  userData: string;
  logs: string;
}

function getPaths(app: Pick<App, 'getAppPath'>): Paths {
  const root = app.getAppPath();
  const unpacked = root.replace(/\bapp\.asar$/, 'app.asar.unpacked');
  const data = dataDirectory();
  const bundled = join(root, 'lib/electron.js');
  return {
    renderer: join(root, 'out/renderer'),
    preload: join(root, 'out/preload/index.cjs'),
    engine: existsSync(bundled) ? bundled : join(unpacked, 'src/backend/electron.ts'),
    userData: join(data, 'desktop'),
    logs: join(data, 'logs'),
  };
}

/** More is no link; it is cut so that the page can say so. */
const LONGEST_LINK = 10_000;

/**
 * The folder that a command line names: `locus <dir>`, or what a file manager opens the app with.
 *
 * @param args what follows the program; switches are Chromium's.
 * @returns an absolute path, the folder of a file; null when none was named. Whether it is there, the engine says.
 */
function folderFromArguments(args: readonly string[], cwd: string): string | null {
  const end = args.indexOf('--');
  const named =
    args.find((arg, i) => !arg.startsWith('-') && !isLocusLink(arg) && (end < 0 || i < end)) ??
    (end < 0 ? undefined : args[end + 1]);
  return named ? findFolder(resolve(cwd, named)) : null;
}

/** The `locus://` link that a command line has, as the system starts the app for one; null without. Nothing of it is believed yet. */
function linkFromArguments(args: readonly string[]): string | null {
  return args.find(isLocusLink)?.slice(0, LONGEST_LINK) ?? null;
}

/** Returns the folder that holds a file, or the folder itself. */
function findFolder(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
}

export interface Surroundings {
  argv: readonly string[];
  cwd: string;
  platform: string;
}

/**
 * The desktop app, from launch to quit: one instance, its windows, the engine in a utility process.
 * @returns when the first window has been opened; at once in a second instance, which hands its folder to the first.
 */
export async function start(
  electron: ElectronApi,
  { argv, cwd, platform }: Surroundings = {
    argv: process.argv,
    cwd: process.cwd(),
    platform: process.platform,
  },
): Promise<void> {
  const { app } = electron;
  const paths = getPaths(app);
  identifyProcess('desktop');
  prepareDataDirectoryIfPossible();
  // Apart from the engine's data, and where the user's data directory is.
  app.setPath('userData', paths.userData);
  app.setPath('crashDumps', join(paths.logs, 'crashes'));
  app.setAppLogsPath(paths.logs);

  const args = argv.slice(app.isPackaged ? 1 : 2);
  let folder = folderFromArguments(args, cwd);
  let link = linkFromArguments(args);
  // The arguments that the first instance sees are in another order and among switches, so the folder goes along.
  if (!app.requestSingleInstanceLock({ folder, link })) return app.quit();

  electron.crashReporter.start({ uploadToServer: false });
  app.enableSandbox();
  confineNetwork(app);
  electron.protocol.registerSchemesAsPrivileged([PRIVILEGES]);
  // Before the app is ready, as when Finder starts it with a folder.
  const early = (event: { preventDefault(): void }, path: string) => {
    event.preventDefault();
    folder = findFolder(path);
  };
  app.on('open-file', early);
  const earlyLink = (event: { preventDefault(): void }, url: string) => {
    event.preventDefault();
    link = linkFromArguments([url]);
  };
  app.on('open-url', earlyLink);
  // Elsewhere the system would start Electron itself, which opens anything.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);

  await app.whenReady();
  app.off('open-file', early);
  app.off('open-url', earlyLink);
  const windows = run(electron, paths, platform);
  windows.add(folder, link);
}

/** The engine tells the window what is wrong with the data directory. */
function prepareDataDirectoryIfPossible(): void {
  try {
    prepareDataDirectory();
  } catch (error) {
    logFailure(error);
  }
}

function run(electron: ElectronApi, paths: Paths, platform: string): Windows {
  const { app } = electron;
  const memory = new Memory(join(paths.userData, 'window.json'));
  const windows = new Windows(electron, paths.preload, memory);

  confineSession(electron.session.defaultSession);
  app.on('web-contents-created', (_, contents) =>
    confineContents(contents, (url) => openOutside(electron, url)),
  );
  electron.protocol.handle(SCHEME, serveFiles(paths.renderer));

  const supervisor = superviseEngine(electron, paths, windows);
  const showMenu = (commands: MenuCommand[]) => {
    const template = menuTemplate(commands, platform, {
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
    windows.open(textIn(data, 'folder'), textIn(data, 'link')),
  );
  app.on('open-file', (event, path) => {
    event.preventDefault();
    windows.open(findFolder(path));
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    windows.open(null, linkFromArguments([url]));
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
  windows: Windows,
): Supervisor<UtilityEngine> {
  return new Supervisor(() => forkEngine(electron, paths.engine), {
    onStart: (engine) => windows.connectAll(engine),
    onCrash: (reason) => {
      log('process-ended', { process: 'engine', reason });
      windows.tellAll({ type: 'engine-lost', reason });
    },
  });
}

/** Holds quitting up until `end` is done. */
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

/** The user sees the whole address before anything leaves the app. */
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

function textIn(data: unknown, key: 'folder' | 'link'): string | null {
  const value = ((data ?? {}) as Record<string, unknown>)[key];
  return typeof value === 'string' ? value : null;
}
