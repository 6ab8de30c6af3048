import { Damage } from '../../base/damage.ts';
import type { CallSite, EdgeKind } from '../../shared/call-graph.ts';
import type { ResolvedEdge } from '../graph/types.ts';
import { addChecksums } from './checksum.ts';
import type { Database } from './database.ts';
import { edgeSum } from './sums.ts';

/** Callers whose edges are read in one go have ids at most so many times as far apart as they are many. */
const MOST_APART = 2;

/** The call graph of each snapshot. */
export class Edges {
  readonly #database: Database;
  readonly #remove;
  readonly #insert;
  readonly #from;
  readonly #between;

  constructor(database: Database) {
    this.#database = database;
    this.#remove = database.prepare<[number, number]>(
      'DELETE FROM edges WHERE snapshot_id = ? AND caller = ?',
    );
    this.#insert = database.prepare<
      [number, number, number, number, EdgeKind, number, string, number]
    >(
      `INSERT OR REPLACE INTO edges (snapshot_id, caller, position, callee, kind, guess, sites, sum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#between = database.prepare<[number, number, number], StoredEdge & { caller: number }>(
      `SELECT caller, position, callee, kind, guess, sites, sum FROM edges
       WHERE snapshot_id = ? AND caller BETWEEN ? AND ? ORDER BY caller, position`,
    );
    this.#from = database.prepare<[number, number], StoredEdge>(
      `SELECT position, callee, kind, guess, sites, sum FROM edges
       WHERE snapshot_id = ? AND caller = ? ORDER BY position`,
    );
  }

  /**
   * Makes these, in this order, all edges of these callers; call inside a transaction. Only what is different
   * from what is stored is written; returns the callers of which that is so.
   * @throws Damage
   */
  replace(snapshotId: number, callers: readonly number[], edges: Iterable<ResolvedEdge>): number[] {
    const byCaller = Map.groupBy(edges, (edge) => edge.caller);
    const stored = this.#storedOf(snapshotId, callers);
    const different: number[] = [];
    for (const caller of callers) {
      const rows = (byCaller.get(caller) ?? []).map(rowOf);
      const before = stored(caller);
      if (sameRows(before, rows)) continue;
      if (before.length > 0) this.#remove.run(snapshotId, caller);
      for (const row of rows) {
        const { position, callee, kind, guess, sites } = row;
        const sum = sumOf(snapshotId, caller, row);
        this.#insert.run(snapshotId, caller, position, callee, kind, guess, sites, sum);
      }
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

  /**
   * The edges that leave one chunk, in the order in which they were given.
   * @throws Damage
   */
  from(snapshotId: number, caller: number): ResolvedEdge[] {
    return this.#stored(snapshotId, caller).map((row) => edgeOf(caller, row));
  }

  /** Those of many callers at once, where their ids lie close together: those of files that were stored in turn do. */
  #storedOf(snapshotId: number, callers: readonly number[]): (caller: number) => StoredEdge[] {
    const least = callers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const most = callers.reduce((a, b) => Math.max(a, b), 0);
    if (most - least > MOST_APART * callers.length)
      return (caller) => this.#stored(snapshotId, caller);
    const byCaller = Map.groupBy(
      this.#between.all(snapshotId, least, most),
      ({ caller }) => caller,
    );
    return (caller) => checked(snapshotId, caller, byCaller.get(caller) ?? []);
  }

  #stored(snapshotId: number, caller: number): StoredEdge[] {
    return checked(snapshotId, caller, this.#from.all(snapshotId, caller));
  }

  /**
   * All edges, those of a caller together and in the order in which they were given, none missing; call in
   * `Store.read`, or while no other process writes.
   * @throws Damage when the last one was read, or before.
   */
  *ofSnapshot(snapshotId: number): IterableIterator<ResolvedEdge> {
    const rows = this.#database
      .prepare<[number]>(
        `SELECT caller, position, callee, kind, guess, sites, sum FROM edges
         WHERE snapshot_id = ? ORDER BY caller, position`,
      )
      .raw()
      .iterate(snapshotId) as IterableIterator<
      [number, number, number, EdgeKind, number, string, number]
    >;
    let total = 0;
    for (const [caller, position, callee, kind, guess, sites, sum] of rows) {
      const row = { position, callee, kind, guess, sites, sum };
      check(snapshotId, caller, row);
      total = addChecksums(total, sum);
      yield edgeOf(caller, row);
    }
    const known = this.#database
      .prepare('SELECT edges_sum FROM snapshots WHERE id = ?')
      .pluck()
      .get(snapshotId);
    // A snapshot that another process has removed meanwhile has neither.
    if (total !== (known ?? 0)) throw new Damage('call edges are missing');
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

interface StoredEdge extends EdgeRow {
  sum: number;
}

function sumOf(snapshotId: number, caller: number, row: EdgeRow): number {
  const { position, callee, kind, guess, sites } = row;
  return edgeSum(snapshotId, caller, position, callee, kind, guess, sites);
}

function checked(snapshotId: number, caller: number, rows: StoredEdge[]): StoredEdge[] {
  for (const row of rows) check(snapshotId, caller, row);
  return rows;
}

function check(snapshotId: number, caller: number, row: StoredEdge): void {
  if (sumOf(snapshotId, caller, row) !== row.sum)
    throw new Damage(`the call edge ${caller} to ${row.callee}`);
}

function rowOf({ callee, kind, guess, sites }: ResolvedEdge, position: number): EdgeRow {
  const packed = JSON.stringify(sites.map((site) => [site.line, site.column]));
  return { position, callee, kind, guess: guess ? 1 : 0, sites: packed };
}

function sameRows(a: readonly EdgeRow[], b: readonly EdgeRow[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ position, callee, kind, guess, sites }, i) => {
      const other = b[i];
      return (
        position === other?.position &&
        callee === other.callee &&
        kind === other.kind &&
        guess === other.guess &&
        sites === other.sites
      );
    })
  );
}

function edgeOf(caller: number, { callee, kind, guess, sites }: EdgeRow): ResolvedEdge {
  return { caller, callee, kind, guess: guess === 1, sites: sitesOf(sites) };
}

function sitesOf(json: string): CallSite[] {
  return (JSON.parse(json) as [number, number][]).map(([line, column]) => ({ line, column }));
}
