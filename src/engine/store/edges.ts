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
    this.#insert = database.prepare<[EdgeRow & { snapshotId: number; caller: number }]>(
      `INSERT OR REPLACE INTO edges (snapshot_id, caller, position, callee, kind, guess, sites)
       VALUES (@snapshotId, @caller, @position, @callee, @kind, @guess, @sites)`,
    );
    this.#from = database.prepare<[number, number], EdgeRow>(
      `SELECT position, callee, kind, guess, sites FROM edges
       WHERE snapshot_id = ? AND caller = ? ORDER BY position`,
    );
  }

  /**
   * Makes these, in this order, all edges of these callers; call inside a transaction. Only what is different
   * from what is stored is written; returns the callers of which that is so.
   */
  replace(snapshotId: number, callers: Iterable<number>, edges: Iterable<ResolvedEdge>): number[] {
    const byCaller = Map.groupBy(edges, (edge) => edge.caller);
    const different: number[] = [];
    for (const caller of callers) {
      const rows = (byCaller.get(caller) ?? []).map(rowOf);
      if (sameRows(this.#from.all(snapshotId, caller), rows)) continue;
      this.#remove.run(snapshotId, caller);
      for (const row of rows) this.#insert.run({ snapshotId, caller, ...row });
      different.push(caller);
    }
    return different;
  }

  /** Removes edges whose caller is no chunk of the snapshot; call inside a transaction. */
  removeStrays(snapshotId: number): void {
    this.#database
      .prepare(
        `DELETE FROM edges WHERE snapshot_id = @snapshotId AND caller NOT IN (
           SELECT c.id FROM snapshot_files s JOIN chunks c ON c.version_id = s.version_id
           WHERE s.snapshot_id = @snapshotId)`,
      )
      .run({ snapshotId });
  }

  /** The edges that leave one chunk, in the order in which they were given. */
  from(snapshotId: number, caller: number): ResolvedEdge[] {
    return this.#from
      .all(snapshotId, caller)
      .map(({ callee, kind, guess, sites }) => edgeOf(caller, callee, kind, guess, sites));
  }

  /** All edges, those of a caller together and in the order in which they were given. */
  *ofSnapshot(snapshotId: number): IterableIterator<ResolvedEdge> {
    const rows = this.#database
      .prepare<[number]>(
        `SELECT caller, callee, kind, guess, sites FROM edges
         WHERE snapshot_id = ? ORDER BY caller, position`,
      )
      .raw()
      .iterate(snapshotId) as IterableIterator<[number, number, EdgeKind, number, string]>;
    for (const row of rows) yield edgeOf(...row);
  }
}

/** The columns that make an edge, but for its caller. */
interface EdgeRow {
  position: number;
  callee: number;
  kind: EdgeKind;
  guess: number;
  sites: string;
}

function rowOf({ callee, kind, guess, sites }: ResolvedEdge, position: number): EdgeRow {
  const packed = JSON.stringify(sites.map((site) => [site.line, site.column]));
  return { position, callee, kind, guess: guess ? 1 : 0, sites: packed };
}

function sameRows(a: readonly EdgeRow[], b: readonly EdgeRow[]): boolean {
  return (
    a.length === b.length &&
    a.every(
      ({ position, callee, kind, guess, sites }, i) =>
        position === b[i].position &&
        callee === b[i].callee &&
        kind === b[i].kind &&
        guess === b[i].guess &&
        sites === b[i].sites,
    )
  );
}

function edgeOf(
  caller: number,
  callee: number,
  kind: EdgeKind,
  guess: number,
  sites: string,
): ResolvedEdge {
  return { caller, callee, kind, guess: guess === 1, sites: sitesOf(sites) };
}

function sitesOf(json: string): CallSite[] {
  return (JSON.parse(json) as [number, number][]).map(([line, column]) => ({ line, column }));
}
