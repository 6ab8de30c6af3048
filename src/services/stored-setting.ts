import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openReadOnly } from '../base/sqlite.ts';
import { type Settings, settings } from '../shared/settings.ts';
import { dataDirectory } from './locations.ts';

/** A setting as it stands in the data directory, for who does not write there; null where it was never set. */
export function storedSetting<Name extends keyof Settings>(
  name: Name,
  dataDir?: string,
): Settings[Name] | null {
  const path = join(dataDirectory(dataDir), 'app.db');
  if (!existsSync(path)) return null;
  try {
    const database = openReadOnly(path);
    try {
      const value = database.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(name);
      if (value === undefined) return null;
      // One of the others being wrong is of no matter here.
      return settings.parse({ [name]: JSON.parse(String(value)) })[name];
    } finally {
      database.close();
    }
  } catch {
    // A database that is damaged, or of another version: whoever writes to it says so.
    return null;
  }
}
