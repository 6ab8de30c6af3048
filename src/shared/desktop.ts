/**
 * Functions of the desktop app for its windows, apart from the engine, as `window.locus`. Undefined in a browser.
 *
 * The engine's port cannot pass through this object. After `requestEngine`, and after each restart of the engine, it
 * arrives as a window message: `event.data === ENGINE_PORT`, with the port in `event.ports[0]`.
 */
import type { EditorRequest, MenuCommand, SaveRequest, Theme } from './desktop-requests.ts';
import { type Failure, fromFailure } from './errors.ts';

export const ENGINE_PORT = 'locus:engine';

export interface DesktopHost {
  /** `darwin`, `linux`, `win32`. */
  readonly platform: string;
  requestEngine(): void;
  /** Listens for user actions outside the page. The first listener also receives earlier events. */
  onEvent(listener: (event: DesktopEvent) => void): void;
  /** Returns the folder chosen in the system's dialog; null if the dialog was cancelled. */
  pickFolder(): Promise<string | null>;
  /** Saves a text to a file that the user chooses. Returns its path, or null if the dialog was cancelled. */
  saveFile(request: SaveRequest): Promise<DesktopAnswer<string | null>>;
  /** Opens a file of a repository in the user's editor. Returns the editor's name, or null if the user cancelled. */
  openInEditor(request: EditorRequest): Promise<DesktopAnswer<string | null>>;
  /** Reports that a repository is open in this window, for the title and the system's recent folders. */
  reportOpened(repository: { root: string; name: string }): Promise<DesktopAnswer<null>>;
  /** Builds the native menus from the app's commands. Called again if a command is enabled or disabled. */
  showMenu(commands: MenuCommand[]): Promise<DesktopAnswer<null>>;
  /** Applies a theme to the window's frame and the system's dialogs. */
  useTheme(theme: Theme): Promise<DesktopAnswer<null>>;
  /** True if this app can replace itself by a newer version. */
  readonly canInstallUpdates: boolean;
  /** Asks the user, downloads a version and replaces the app by it. Returns false if the user refused. */
  installUpdate(version: string): Promise<DesktopAnswer<boolean>>;
  /** Returns the path of a dropped `File`; empty if it is not on disk. */
  getPath(file: object): string;
}

export type DesktopEvent =
  | { type: 'command'; command: string }
  | { type: 'open'; root: string }
  /** A deep link was opened. It is untrusted. */
  | { type: 'link'; link: string }
  /** The engine stopped unexpectedly and is restarting. */
  | { type: 'engine-lost'; reason: string };

/** Answer of the main process. Errors would lose their fields on the way, so they are sent as values. */
export type DesktopAnswer<T> = { result: T } | { error: Failure };

/** Returns the result of an outcome. @throws LocusError or RemoteDefect if it is an error. */
export async function unwrapAnswer<T>(outcome: Promise<DesktopAnswer<T>>): Promise<T> {
  const settled = await outcome;
  if ('error' in settled) throw fromFailure(settled.error);
  return settled.result;
}

/** Channel on which a window requests a port. */
export const CONNECT_CHANNEL = 'locus:connect';
/** Channel on which a window receives its port. */
export const PORT_CHANNEL = 'locus:port';
/** Channel on which a window receives each `DesktopEvent`. */
export const EVENT_CHANNEL = 'locus:event';
