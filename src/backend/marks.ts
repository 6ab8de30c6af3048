import { findChunks, toAnchor } from '../services/exchange/find-chunks.ts';
import { type Anchorable, anchorEntries } from '../services/exchange/import.ts';
import { type ChunkAddress, formatAddress } from '../shared/address.ts';
import { LocusError } from '../shared/errors.ts';
import type { Mark, MarkedChunk } from '../shared/marks.ts';
import type { QueryTarget } from '../shared/repository.ts';
import type { AppDatabase } from './app-database.ts';

interface StoredMark extends Anchorable {
  mark: Mark | null;
  note: string;
  updatedAt: string;
}

interface NewMark {
  chunk: ChunkAddress;
  mark: Mark | null;
  note: string;
}

/** Stores a person's verdicts and notes on chunks, for each issue. A mark follows its chunk when the code moves or changes. */
export class MarkStore {
  readonly #database: AppDatabase;
  readonly #deleteMark;
  readonly #insertMark;

  constructor(database: AppDatabase) {
    this.#database = database;
    this.#deleteMark = database.prepare(
      'DELETE FROM marks WHERE issue_id = ? AND path = ? AND qualified_name = ? AND ordinal = ?',
    );
    this.#insertMark = database.prepare(
      'INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
  }

  async list(issue: string, repository: QueryTarget): Promise<MarkedChunk[]> {
    return (await this.#anchor(issue, repository)).map(({ entry, state, now }) => ({
      address: formatAddress(entry),
      mark: entry.mark,
      note: entry.note,
      updatedAt: entry.updatedAt,
      state,
      now,
    }));
  }

  /**
   * Stores all marks or, on an error, none. `mark: null` with an empty note removes a mark. A mark of a chunk that no longer
   * exists keeps its stored location.
   * @param marks new marks, by address of the chunk
   * @throws LocusError `not-found` if the issue does not exist
   * @returns addresses without a chunk and without an earlier mark. Nothing is stored for them
   */
  async set(
    issue: string,
    repository: QueryTarget,
    marks: readonly NewMark[],
  ): Promise<ChunkAddress[]> {
    // A chunk may have been marked under another address, before it moved.
    const before = Map.groupBy(
      (await this.#anchor(issue, repository)).flatMap(({ entry, now }) =>
        [...new Set([formatAddress(entry), now?.address])].map((address) => ({ address, entry })),
      ),
      ({ address }) => address,
    );
    const current = await findChunks(
      marks.map(({ chunk }) => chunk),
      repository,
    );
    const missing: ChunkAddress[] = [];
    const updatedAt = new Date().toISOString();
    this.#database.transaction(() => {
      this.#checkIssue(issue);
      for (const { chunk, mark, note } of marks) {
        const earlier = before.get(chunk)?.map(({ entry }) => entry) ?? [];
        const target = current.get(chunk) ?? earlier[0];
        for (const entry of earlier) this.#remove(issue, entry);
        if (mark === null && note === '') continue;
        if (target) this.#insert(issue, { ...target, mark, note, updatedAt });
        else missing.push(chunk);
      }
    })();
    return missing;
  }

  async #anchor(issue: string, repository: QueryTarget) {
    const stored = this.#database
      .prepare<[string], StoredMark>(
        `SELECT path, qualified_name AS qualifiedName, ordinal, kind, content_hash AS contentHash, mark, note,
           updated_at AS updatedAt
         FROM marks WHERE issue_id = ? ORDER BY updated_at`,
      )
      .all(issue);
    return anchorEntries(
      stored,
      await repository.resolveAnchors({ anchors: stored.map(toAnchor) }),
    );
  }

  #checkIssue(id: string): void {
    if (this.#database.prepare('SELECT 1 FROM issues WHERE id = ?').get(id)) return;
    throw new LocusError(
      'not-found',
      'The issue of these marks is not in the history.',
      'Save the issue, then mark again.',
    );
  }

  #remove(issue: string, { path, qualifiedName, ordinal }: StoredMark): void {
    this.#deleteMark.run(issue, path, qualifiedName, ordinal);
  }

  #insert(issue: string, marked: StoredMark): void {
    const { path, qualifiedName, ordinal, kind, contentHash, mark, note, updatedAt } = marked;
    this.#insertMark.run(
      ...[issue, path, qualifiedName, ordinal, kind, contentHash, mark, note, updatedAt],
    );
  }
}
