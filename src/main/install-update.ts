import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { badInput } from '../shared/errors.ts';
import type { ElectronApi } from './electron-api.ts';

type Update = typeof import('./app-image.ts').updateAppImage;

/** Imports electron-updater only when an update was agreed to. */
const updateByDefault: Update = async (update) =>
  (await import('./app-image.ts')).updateAppImage(update);

/**
 * Asks the user, outside of the page, and then replaces the AppImage by a newer version. It starts when the app is opened again.
 * @returns false if the user refused
 * @throws LocusError `bad-input` if this is no AppImage; otherwise as `updateAppImage`
 */
export async function installUpdate(
  { app, dialog }: Pick<ElectronApi, 'app' | 'dialog'>,
  window: BrowserWindow,
  version: string,
  update: Update = updateByDefault,
): Promise<boolean> {
  const file = process.env.APPIMAGE;
  if (!file || !app.isPackaged)
    throw badInput(
      'Only the AppImage of Locus can replace itself.',
      'Download the new version from the page with the releases.',
    );
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: `Download Locus ${version} and replace this one?`,
    detail: `${file}\n\nThe file comes from the page with the releases. Its SHA-512 is compared with the list there; it has no signature of its own.`,
    buttons: ['Download and replace', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response !== 0) return false;
  try {
    await update({
      file,
      configuration: join(process.resourcesPath, 'app-update.yml'),
      installed: app.getVersion(),
      version,
      onProgress: (fraction) => window.setProgressBar(fraction),
    });
  } finally {
    window.setProgressBar(-1);
  }
  return true;
}
