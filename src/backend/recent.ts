import { opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FolderState, RecentRepository } from '../shared/folders.ts';
import type { RepositoryStatus } from '../shared/indexing.ts';
import { decodeWorkspace } from '../shared/workspace.ts';
import type { AppDatabase } from './app-database.ts';
import { checkAllowed, exists } from './folders.ts';

const MAX_SHOWN = 30;

/** Returns the best state among the folders of a workspace. One folder is enough to open it, which then reports missing ones. */
async function workspaceState(
  roots: readonly string[],
  allowedRoot: string | null,
): Promise<FolderState> {
  const states = await Promise.all(roots.map((root) => folderState(root, false, allowedRoot)));
  return states.includes('there') ? 'there' : (states[0] ?? 'missing');
}

export class RecentRepositories {
  readonly #database: AppDatabase;

  constructor(database: AppDatabase) {
    this.#database = database;
  }

  /** Lists the recent repositories with the state of their folders. @param allowedRoot folder that contains all allowed ones */
  list(allowedRoot: string | null): Promise<RecentRepository[]> {
    const rows = this.#database
      .prepare<[number], Omit<RecentRepository, 'folder'> & { git: 0 | 1 }>(
        `SELECT root, name, chunks, state, git FROM repositories
         ORDER BY opened_at DESC LIMIT ?`,
      )
      .all(MAX_SHOWN);
    return Promise.all(
      rows.map(async ({ git, ...row }) => {
        const roots = decodeWorkspace(row.root);
        if (roots) return { ...row, folder: await workspaceState(roots, allowedRoot) };
        return { ...row, folder: await folderState(row.root, git === 1, allowedRoot) };
      }),
    );
  }

  /** Returns the repository or workspace that was opened last, or null. */
  getLast(): string | null {
    const select = 'SELECT root FROM repositories ORDER BY opened_at DESC LIMIT 1';
    return this.#database.prepare<[], string>(select).pluck().get() ?? null;
  }

  /** Returns the folders of all recent repositories, not only of those shown. */
  listRoots(): string[] {
    const stored = this.#database
      .prepare<[], string>('SELECT root FROM repositories')
      .pluck()
      .all();
    return [...new Set(stored.flatMap((root) => decodeWorkspace(root) ?? root))];
  }

  /** Records that the index was removed. */
  recordCleared(root: string): void {
    this.#database
      .prepare("UPDATE repositories SET chunks = 0, state = 'empty' WHERE root = ?")
      .run(root);
  }

  async recordOpened(root: string, name: string): Promise<void> {
    const git = decodeWorkspace(root) === null && (await isInRepository(root)) ? 1 : 0;
    this.#database
      .prepare(
        `INSERT INTO repositories (root, name, opened_at, git) VALUES (?, ?, ?, ?)
         ON CONFLICT (root) DO UPDATE SET opened_at = excluded.opened_at, git = excluded.git`,
      )
      .run(root, name, new Date().toISOString(), git);
  }

  /** Records that a repository moved, and transfers its position in the list, its issues and their marks. */
  recordMoved(from: string, to: string, name: string): void {
    this.#database.transaction(() => {
      this.#database.prepare('UPDATE issues SET root = ? WHERE root = ?').run(to, from);
      this.#database
        .prepare('UPDATE OR IGNORE repositories SET root = ?, name = ? WHERE root = ?')
        .run(to, name, from);
      this.forget(from);
    })();
  }

  recordIndexed({ root, chunks, state }: RepositoryStatus): void {
    this.#database
      .prepare('UPDATE repositories SET chunks = ?, state = ? WHERE root = ?')
      .run(chunks, state, root);
  }

  /** Removes it from the list, but keeps its index, issues and marks. */
  forget(root: string): void {
    this.#database.prepare('DELETE FROM repositories WHERE root = ?').run(root);
  }
}

/** Returns the state of a folder that was opened before. `wasRepository` is true if it was in a git repository then. */
async function folderState(
  root: string,
  wasRepository: boolean,
  allowedRoot: string | null,
): Promise<FolderState> {
  try {
    const found = await stat(root);
    if (!found.isDirectory()) return 'not-a-folder';
    await (await opendir(root)).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
  }
  try {
    await checkAllowed(root, allowedRoot);
  } catch {
    // Reported by the state.
    return 'not-allowed';
  }
  return wasRepository && !(await isInRepository(root)) ? 'no-repository' : 'there';
}

async function isInRepository(folder: string): Promise<boolean> {
  if ((await exists(join(folder, 'HEAD'))) && (await exists(join(folder, 'objects')))) return true;
  for (let above = folder; ; above = dirname(above)) {
    if (await exists(join(above, '.git'))) return true;
    if (dirname(above) === above) return false;
  }
}
