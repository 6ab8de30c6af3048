import type { z } from 'zod';
import { parseJsonOrNull } from '../base/http.ts';
import { type Settings, settings as schema } from '../shared/settings.ts';
import type { AppDatabase } from './app-database.ts';

/**
 * Stores settings in the app's database. A value from another version that this one does not understand counts as not set.
 * It stays stored until the setting is changed.
 */
export class SettingsStore {
  readonly #database: AppDatabase;

  constructor(database: AppDatabase) {
    this.#database = database;
  }

  get(): Settings {
    const valid: Record<string, unknown> = {};
    for (const { key, parsed } of this.#read()) if (parsed?.success) valid[key] = parsed.data;
    return schema.parse(valid);
  }

  /** Returns the settings whose stored value this version does not understand. */
  listInvalid(): string[] {
    return this.#read()
      .filter(({ key, parsed }) => key in schema.shape && !parsed?.success)
      .map(({ key }) => key);
  }

  #read() {
    const rows = this.#database.prepare('SELECT key, value FROM settings').all() as Row[];
    return rows.map(({ key, value }) => {
      const field = (schema.shape as Record<string, z.ZodType>)[key];
      return { key, parsed: field?.safeParse(parseJsonOrNull(value)) };
    });
  }

  set(change: Partial<Settings>): Settings {
    const put = this.#database.prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    );
    this.#database.transaction(() => {
      for (const [key, value] of Object.entries(change)) {
        if (value !== undefined) put.run(key, JSON.stringify(value));
      }
    })();
    return this.get();
  }
}

interface Row {
  key: string;
  value: string;
}
