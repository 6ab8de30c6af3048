import type { Repository } from '../../shared/protocol.ts';
import type { Mark, MarkedChunk } from '../../shared/rpc-protocol.ts';
import type { ChunkAddress } from '../../shared/types.ts';
import { type Anchorable, anchorEntries } from '../exchange/import.ts';
import { addressOf } from '../inspect/address.ts';
import type { AppDatabase } from './app-database.ts';

interface StoredMark extends Anchorable {
  mark: Mark | null;
  note: string;
  updatedAt: string;
}

/** What a person said of chunks, for one issue each. A mark stays with its code when that moves or changes. */
export class Marks {
  readonly #database: AppDatabase;

  constructor(database: AppDatabase) {
    this.#database = database;
  }

  /** All marks of an issue, and where their chunks are now. */
  async list(issue: string, repository: Repository): Promise<MarkedChunk[]> {
    return (await this.#anchored(issue, repository)).map(({ entry, state, now }) => ({
      address: addressOf(entry),
      mark: entry.mark,
      note: entry.note,
      updatedAt: entry.updatedAt,
      state,
      now,
    }));
  }

  /** `mark: null` with an empty note takes the mark away. `chunk` as `Repository.show` takes it, or an address that is gone. */
  async set(
    issue: string,
    repository: Repository,
    { chunk, mark, note }: { chunk: ChunkAddress; mark: Mark | null; note: string },
  ): Promise<void> {
    // The chunk may have been marked under another address, before it moved.
    const before = (await this.#anchored(issue, repository)).filter(
      ({ entry, now }) => now?.address === chunk || addressOf(entry) === chunk,
    );
    const target = mark === null && note === '' ? null : await repository.show(chunk);
    this.#database.transaction(() => {
      for (const { entry } of before) this.#remove(issue, entry);
      if (target)
        this.#insert(issue, { ...target, mark, note, updatedAt: new Date().toISOString() });
    })();
  }

  async #anchored(issue: string, repository: Repository) {
    const stored = this.#database
      .prepare<[string], StoredMark>(
        `SELECT path, qualified_name AS qualifiedName, ordinal, kind, content_hash AS contentHash, mark, note,
           updated_at AS updatedAt
         FROM marks WHERE issue_id = ? ORDER BY updated_at`,
      )
      .all(issue);
    return anchorEntries(stored, await repository.resolveAnchors(stored.map(anchorOf)));
  }

  #remove(issue: string, { path, qualifiedName, ordinal }: StoredMark): void {
    this.#database
      .prepare(
        'DELETE FROM marks WHERE issue_id = ? AND path = ? AND qualified_name = ? AND ordinal = ?',
      )
      .run(issue, path, qualifiedName, ordinal);
  }

  #insert(issue: string, marked: StoredMark): void {
    const { path, qualifiedName, ordinal, kind, contentHash, mark, note, updatedAt } = marked;
    this.#database
      .prepare('INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(issue, path, qualifiedName, ordinal, kind, contentHash, mark, note, updatedAt);
  }
}

const anchorOf = ({ path, qualifiedName, ordinal, contentHash }: Anchorable) => ({
  path,
  qualifiedName,
  ordinal,
  contentHash,
});
