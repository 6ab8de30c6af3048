/** Remembers in the data directory that a user wants no Electron. */
import type { Environment } from '../../src/base/environment.ts';
import { getDataDirectory, prepareDataDirectory } from '../../src/services/locations.ts';
import { readStoredSetting } from '../../src/services/stored-setting.ts';

/** Returns false if the user refused Electron before. */
export const readOffer = (env: Environment): boolean =>
  readStoredSetting('offerElectron', getDataDirectory(undefined, env)) ?? true;

/**
 * Stores whether Electron may be offered, unless that is what is stored.
 * @throws LocusError `bad-store` if the data directory is not writable
 */
export async function storeOffer(env: Environment, offerElectron: boolean): Promise<void> {
  if (readOffer(env) === offerElectron) return;
  const [{ openAppDatabase }, { SettingsStore }] = await Promise.all([
    import('../../src/backend/app-database.ts'),
    import('../../src/backend/settings.ts'),
  ]);
  const folder = prepareDataDirectory(getDataDirectory(undefined, env));
  using database = openAppDatabase(folder);
  new SettingsStore(database).set({ offerElectron });
}
