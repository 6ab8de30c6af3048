import { existsSync } from 'node:fs';
import type { RecentRepository } from '../../shared/rpc-protocol.ts';
import type { RepositoryStatus } from '../../shared/types.ts';
import type { AppDatabase } from './app-database.ts';

const SHOWN = 30;

/** The repositories that were opened, the latest first. */
export class RecentRepositories {
  readonly #database: AppDatabase;

  constructor(database: AppDatabase) {
    this.#database = database;
  }

  list(): RecentRepository[] {
    const rows = this.#database
      .prepare<[number], Omit<RecentRepository, 'exists'>>(
        `SELECT root, name, opened_at AS openedAt, chunks, state FROM repositories
         ORDER BY opened_at DESC LIMIT ?`,
      )
      .all(SHOWN);
    return rows.map((row) => ({ ...row, exists: existsSync(row.root) }));
  }

  /** All that are known, not only those shown. */
  roots(): string[] {
    return this.#database.prepare<[], string>('SELECT root FROM repositories').pluck().all();
  }

  /** Its index was removed. */
  cleared(root: string): void {
    this.#database
      .prepare("UPDATE repositories SET chunks = 0, state = 'empty' WHERE root = ?")
      .run(root);
  }

  opened(root: string, name: string): void {
    this.#database
      .prepare(
        `INSERT INTO repositories (root, name, opened_at) VALUES (?, ?, ?)
         ON CONFLICT (root) DO UPDATE SET opened_at = excluded.opened_at`,
      )
      .run(root, name, new Date().toISOString());
  }

  indexed({ root, chunks, state }: RepositoryStatus): void {
    this.#database
      .prepare('UPDATE repositories SET chunks = ?, state = ? WHERE root = ?')
      .run(chunks, state, root);
  }

  /** Takes it off the list; its index, issues and marks stay. */
  forget(root: string): void {
    this.#database.prepare('DELETE FROM repositories WHERE root = ?').run(root);
  }
}
