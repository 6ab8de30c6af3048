/**
 * What the desktop app offers its windows beside the engine, as `window.locus`; in a browser there is none.
 *
 * The engine's port does not go through this object, since ports cannot. After `requestEngine`, and again whenever the
 * engine was started anew, it comes as a window message: `event.data === ENGINE_PORT`, the port in `event.ports[0]`.
 */
import type { EditorRequest, MenuCommand, SaveRequest, Theme } from './desktop-requests.ts';
import { type Failure, fromWire } from './errors.ts';

export const ENGINE_PORT = 'locus:engine';

export interface DesktopHost {
  /** `darwin`, `linux`, `win32`. */
  readonly platform: string;
  requestEngine(): void;
  /** What the user did outside of the page. What happened before the first listener came is told to it. */
  onEvent(listener: (event: DesktopEvent) => void): void;
  /** A folder chosen in the system's dialog; null when it was cancelled. */
  pickFolder(): Promise<string | null>;
  /** Writes a text where the user says; answers the path, or null when it was cancelled. */
  saveFile(request: SaveRequest): Promise<Outcome<string | null>>;
  /** Opens a file of a repository in the user's editor; answers the editor's name, or null when it was cancelled. */
  openInEditor(request: EditorRequest): Promise<Outcome<string | null>>;
  /** Tells that a repository is open in this window: for the title and the system's recent folders. */
  opened(repository: { root: string; name: string }): Promise<Outcome<null>>;
  /** Makes the native menus from the app's commands; called again when one is enabled or disabled. */
  showMenu(commands: MenuCommand[]): Promise<Outcome<null>>;
  /** The window's frame and the system's dialogs follow the setting of the same name. */
  useTheme(theme: Theme): Promise<Outcome<null>>;
  /** Where a dropped `File` lies; empty when it is not on disk. */
  pathOf(file: object): string;
}

export type DesktopEvent =
  | { type: 'command'; command: string }
  | { type: 'open'; root: string }
  /** A `locus://` link was opened; anybody may have written it. */
  | { type: 'link'; link: string }
  /** The engine ended unasked and is started again. */
  | { type: 'engine-lost'; reason: string };

/** Errors lose their fields on the way from the main process, so they travel as values. */
export type Outcome<T> = { result: T } | { error: Failure };

/** Returns the result of an outcome. @throws LocusError or RemoteDefect if it is an error. */
export async function resultOf<T>(outcome: Promise<Outcome<T>>): Promise<T> {
  const settled = await outcome;
  if ('error' in settled) throw fromWire(settled.error);
  return settled.result;
}

/** From a window without an answer: it wants a port. */
export const CONNECT_CHANNEL = 'locus:connect';
/** To a window: a port. */
export const PORT_CHANNEL = 'locus:port';
/** To a window: a `DesktopEvent`. */
export const EVENT_CHANNEL = 'locus:event';
