import { type Anchorable, anchorEntries } from '../services/exchange/import.ts';
import { addressOf, type ChunkAddress, readingsOf } from '../shared/address.ts';
import type { HashedChunk } from '../shared/chunk.ts';
import { LocusError } from '../shared/errors.ts';
import type { Mark, MarkedChunk } from '../shared/marks.ts';
import type { Answering } from '../shared/repository.ts';
import type { AppDatabase } from './app-database.ts';

interface StoredMark extends Anchorable {
  mark: Mark | null;
  note: string;
  updatedAt: string;
}

interface WantedMark {
  chunk: ChunkAddress;
  mark: Mark | null;
  note: string;
}

/** What a person said of chunks, for one issue each. A mark stays with its code when that moves or changes. */
export class Marks {
  readonly #database: AppDatabase;
  readonly #removal;
  readonly #insertion;

  constructor(database: AppDatabase) {
    this.#database = database;
    this.#removal = database.prepare(
      'DELETE FROM marks WHERE issue_id = ? AND path = ? AND qualified_name = ? AND ordinal = ?',
    );
    this.#insertion = database.prepare(
      'INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
  }

  async list(issue: string, repository: Answering): Promise<MarkedChunk[]> {
    return (await this.#anchored(issue, repository)).map(({ entry, state, now }) => ({
      address: addressOf(entry),
      mark: entry.mark,
      note: entry.note,
      updatedAt: entry.updatedAt,
      state,
      now,
    }));
  }

  /**
   * Stores all of them, or none; `mark: null` with an empty note takes a mark away. A chunk that is gone keeps what is
   * known of it.
   * @param wanted chunks by address.
   * @throws LocusError `not-found` when there is no such issue.
   * @returns the addresses at which nothing is nor was marked before, for which nothing is stored.
   */
  async set(
    issue: string,
    repository: Answering,
    wanted: readonly WantedMark[],
  ): Promise<ChunkAddress[]> {
    // A chunk may have been marked under another address, before it moved.
    const before = Map.groupBy(
      (await this.#anchored(issue, repository)).flatMap(({ entry, now }) =>
        [...new Set([addressOf(entry), now?.address])].map((address) => ({ address, entry })),
      ),
      ({ address }) => address,
    );
    const here = await chunksAt(
      wanted.map(({ chunk }) => chunk),
      repository,
    );
    const missing: ChunkAddress[] = [];
    const updatedAt = new Date().toISOString();
    this.#database.transaction(() => {
      this.#checkIssue(issue);
      for (const { chunk, mark, note } of wanted) {
        const earlier = before.get(chunk)?.map(({ entry }) => entry) ?? [];
        const target = here.get(chunk) ?? earlier[0];
        for (const entry of earlier) this.#remove(issue, entry);
        if (mark === null && note === '') continue;
        if (target) this.#insert(issue, { ...target, mark, note, updatedAt });
        else missing.push(chunk);
      }
    })();
    return missing;
  }

  async #anchored(issue: string, repository: Answering) {
    const stored = this.#database
      .prepare<[string], StoredMark>(
        `SELECT path, qualified_name AS qualifiedName, ordinal, kind, content_hash AS contentHash, mark, note,
           updated_at AS updatedAt
         FROM marks WHERE issue_id = ? ORDER BY updated_at`,
      )
      .all(issue);
    return anchorEntries(
      stored,
      await repository.resolveAnchors({ anchors: stored.map(anchorOf) }),
    );
  }

  #checkIssue(id: string): void {
    if (this.#database.prepare('SELECT 1 FROM issues WHERE id = ?').get(id)) return;
    throw new LocusError(
      'not-found',
      'the issue of these marks is not in the history',
      'save the issue, then mark again',
    );
  }

  #remove(issue: string, { path, qualifiedName, ordinal }: StoredMark): void {
    this.#removal.run(issue, path, qualifiedName, ordinal);
  }

  #insert(issue: string, marked: StoredMark): void {
    const { path, qualifiedName, ordinal, kind, contentHash, mark, note, updatedAt } = marked;
    this.#insertion.run(
      ...[issue, path, qualifiedName, ordinal, kind, contentHash, mark, note, updatedAt],
    );
  }
}

async function chunksAt(
  addresses: readonly ChunkAddress[],
  repository: Answering,
): Promise<Map<ChunkAddress, HashedChunk>> {
  const anchors = addresses.flatMap(readingsOf);
  const matches = await repository.resolveAnchors({
    anchors: anchors.map((anchor) => ({ ...anchor, contentHash: null })),
  });
  return new Map(
    matches.flatMap(({ inPlace }) => (inPlace ? [[inPlace.address, inPlace] as const] : [])),
  );
}

const anchorOf = ({ path, qualifiedName, ordinal, contentHash }: Anchorable) => ({
  path,
  qualifiedName,
  ordinal,
  contentHash,
});
