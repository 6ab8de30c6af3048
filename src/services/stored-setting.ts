import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openReadOnly } from '../base/sqlite.ts';
import { type Settings, settings } from '../shared/settings.ts';
import { getDataDirectory } from './locations.ts';

/** Reads a setting from the data directory without writing to it; null if it was never set. */
export function readStoredSetting<Name extends keyof Settings>(
  name: Name,
  dataDir?: string,
): Settings[Name] | null {
  const path = join(getDataDirectory(dataDir), 'app.db');
  if (!existsSync(path)) return null;
  try {
    const database = openReadOnly(path);
    try {
      const value = database.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(name);
      if (value === undefined) return null;
      // Other settings may be invalid: only this one matters here.
      return settings.parse({ [name]: JSON.parse(String(value)) })[name];
    } finally {
      database.close();
    }
  } catch {
    // The database is damaged or of another version. The next process that writes to it reports that.
    return null;
  }
}
