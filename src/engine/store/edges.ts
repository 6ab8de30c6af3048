import type { CallSite, EdgeKind } from '../../shared/types.ts';
import type { ResolvedEdge } from '../graph/types.ts';
import type { Database } from './database.ts';

/** The call graph of each snapshot. */
export class Edges {
  readonly #database: Database;
  readonly #remove;
  readonly #insert;
  readonly #from;

  constructor(database: Database) {
    this.#database = database;
    this.#remove = database.prepare<[number, number]>(
      'DELETE FROM edges WHERE snapshot_id = ? AND caller = ?',
    );
    this.#insert = database.prepare<[number, number, number, string, number, string]>(
      'INSERT OR REPLACE INTO edges (snapshot_id, caller, callee, kind, guess, sites) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#from = database.prepare<[number, number], EdgeRow>(
      'SELECT callee, kind, guess, sites FROM edges WHERE snapshot_id = ? AND caller = ?',
    );
  }

  /** Replaces all edges of these callers; call inside a transaction. */
  replace(snapshotId: number, callers: Iterable<number>, edges: Iterable<ResolvedEdge>): void {
    for (const caller of callers) this.#remove.run(snapshotId, caller);
    for (const edge of edges) {
      const sites = JSON.stringify(edge.sites.map((site) => [site.line, site.column]));
      this.#insert.run(snapshotId, edge.caller, edge.callee, edge.kind, edge.guess ? 1 : 0, sites);
    }
  }

  /** The edges that leave one chunk. */
  from(snapshotId: number, caller: number): ResolvedEdge[] {
    return this.#from
      .all(snapshotId, caller)
      .map((row) => ({ ...row, caller, guess: row.guess === 1, sites: sitesOf(row.sites) }));
  }

  *ofSnapshot(snapshotId: number): IterableIterator<ResolvedEdge> {
    const rows = this.#database
      .prepare<[number]>(
        'SELECT caller, callee, kind, guess, sites FROM edges WHERE snapshot_id = ?',
      )
      .raw()
      .iterate(snapshotId) as IterableIterator<[number, number, EdgeKind, number, string]>;
    for (const [caller, callee, kind, guess, sites] of rows) {
      yield { caller, callee, kind, guess: guess === 1, sites: sitesOf(sites) };
    }
  }
}

interface EdgeRow {
  callee: number;
  kind: EdgeKind;
  guess: number;
  sites: string;
}

function sitesOf(json: string): CallSite[] {
  return (JSON.parse(json) as [number, number][]).map(([line, column]) => ({ line, column }));
}
