/** Replaces the AppImage of the desktop app by a newer one, with electron-updater. Imports nothing of Electron. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CancellationToken } from 'builder-util-runtime';
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js';
import { AppImageUpdater } from 'electron-updater/out/AppImageUpdater.js';
import { badInput, LocusError } from '../shared/errors.ts';
import { UpdateRequests } from './update-requests.ts';

export interface AppImageUpdate {
  /** Path of the AppImage, as in the variable `APPIMAGE`. */
  file: string;
  /** Path of the file that electron-builder writes into the app, with the address of the releases. */
  configuration: string;
  /** Version of this app, and the one that the user agreed to install. */
  installed: string;
  version: string;
  /** Called with the downloaded part, from 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Milliseconds for the whole download; an hour by default. */
  milliseconds?: number;
}

const DOWNLOAD_MS = 3600_000;
const REMEDY = 'Download the new version from the page with the releases.';

/**
 * Downloads the AppImage of a version, compares its SHA-512 with the release's list, and replaces the file by it. The running app is not
 * affected: it is still the earlier one.
 * @throws LocusError `not-fetched` if the release has another version or a file with another digest, or cannot be read; `bad-input` if
 *   the folder of the AppImage is not writable
 */
export async function updateAppImage(update: AppImageUpdate): Promise<void> {
  // Next to the file, so that it is replaced in one step.
  const folder = makeFolder(dirname(update.file));
  const token = new CancellationToken();
  const timer = setTimeout(() => token.cancel(), update.milliseconds ?? DOWNLOAD_MS);
  try {
    const updater = createUpdater(update, folder);
    const found = await updater.checkForUpdates();
    if (found?.updateInfo.version !== update.version)
      throw new LocusError(
        'not-fetched',
        `The newest release is not ${update.version}, which you agreed to.`,
        REMEDY,
      );
    const [downloaded] = await updater.downloadUpdate(token);
    if (downloaded === undefined) throw new Error('nothing was downloaded');
    renameSync(downloaded, update.file);
  } catch (error) {
    throw error instanceof LocusError ? error : explainFailure(error);
  } finally {
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  }
}

function createUpdater(
  { configuration, installed, onProgress }: AppImageUpdate,
  folder: string,
): AppImageUpdater {
  const adapter: AppAdapter = {
    version: installed,
    name: 'Locus',
    isPackaged: true,
    appUpdateConfigPath: configuration,
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: async () => {},
    // It is installed by this module.
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  };
  const updater = new AppImageUpdater(null, adapter);
  // It makes its own only with Electron's adapter.
  Object.assign(updater, { httpExecutor: new UpdateRequests() });
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.disableDifferentialDownload = true;
  if (onProgress) updater.on('download-progress', ({ percent }) => onProgress(percent / 100));
  return updater;
}

function makeFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, '.locus-update-'));
  } catch (error) {
    throw badInput(`The folder ${parent} of the AppImage is not writable.`, REMEDY, {
      cause: error,
    });
  }
}

/** Returns an error without the message of electron-updater, which quotes what the server sent. */
function explainFailure(error: unknown): LocusError {
  const { code } = error as { code?: unknown };
  const known = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : '';
  return new LocusError('not-fetched', `The update failed${known}. Nothing was changed.`, REMEDY);
}
