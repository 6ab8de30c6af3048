import type { z } from 'zod';
import { type Settings, settings as schema } from '../../shared/rpc-protocol.ts';
import type { AppDatabase } from './app-database.ts';

/** Settings in the app's database. What another version wrote and this one does not understand counts as not set. */
export class SettingsStore {
  readonly #database: AppDatabase;

  constructor(database: AppDatabase) {
    this.#database = database;
  }

  get(): Settings {
    const rows = this.#database.prepare('SELECT key, value FROM settings').all() as Row[];
    const known: Record<string, unknown> = {};
    for (const { key, value } of rows) {
      const field = (schema.shape as Record<string, z.ZodType>)[key];
      const parsed = field?.safeParse(JSON.parse(value));
      if (parsed?.success) known[key] = parsed.data;
    }
    return schema.parse(known);
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
