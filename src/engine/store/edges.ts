import { Damage } from '../../base/damage.ts';
import type { EdgeKind } from '../../shared/call-graph.ts';
import type { ResolvedEdge } from '../graph/types.ts';
import { addChecksums } from './checksum.ts';
import type { Database } from './database.ts';
import { getTuples, getValue, iterate, run } from './statements.ts';
import { computeEdgeSum } from './sums.ts';

/** Limit for reading the edges of several callers with one query: the range of their ids, as a multiple of their number. */
const MAX_APART = 2;

type EdgeRow = [position: number, callee: number, kind: EdgeKind, guess: number, sites: string];
type StoredEdge = [caller: number, ...EdgeRow, sum: number];

const SELECT_EDGES = `SELECT caller, position, callee, kind, guess, sites, sum FROM edges
  WHERE snapshot_id = ? AND caller BETWEEN ? AND ? ORDER BY caller, position`;

export class Edges {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Replaces all edges of these callers, in this order. Call inside a transaction. Writes only callers whose edges differ
   * from those stored, and returns these callers.
   * @throws Damage
   */
  replace(snapshotId: number, callers: readonly number[], edges: Iterable<ResolvedEdge>): number[] {
    const database = this.#database;
    const byCaller = Map.groupBy(edges, (edge) => edge.caller);
    const stored = this.#createReader(snapshotId, callers);
    const remove = 'DELETE FROM edges WHERE snapshot_id = ? AND caller = ?';
    const insert = `INSERT OR REPLACE INTO edges (snapshot_id, caller, position, callee, kind, guess, sites, sum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
    return callers.filter((caller) => {
      const rows = (byCaller.get(caller) ?? []).map(encodeEdge);
      const before = stored(caller);
      if (areSame(before, rows)) return false;
      if (before.length > 0) run(database, remove, [snapshotId, caller]);
      for (const row of rows)
        run(database, insert, [
          snapshotId,
          caller,
          ...row,
          computeEdgeSum(snapshotId, caller, ...row),
        ]);
      return true;
    });
  }

  /** Removes edges whose caller is not a chunk of the snapshot. Call inside a transaction. */
  removeStrays(snapshotId: number): void {
    run(
      this.#database,
      `DELETE FROM edges WHERE snapshot_id = @snapshotId AND caller NOT IN (
         SELECT c.id FROM snapshot_files s JOIN chunks c ON c.version_id = s.version_id
         WHERE s.snapshot_id = @snapshotId)`,
      { snapshotId },
    );
  }

  /**
   * Returns the edges of one caller, in the order in which they were stored.
   * @throws Damage
   */
  getCallees(snapshotId: number, caller: number): ResolvedEdge[] {
    return this.#readStored(snapshotId, caller).map(decodeEdge);
  }

  /** Returns a reader of the edges of these callers. Uses one query if their ids are close, as for files stored one after another. */
  #createReader(snapshotId: number, callers: readonly number[]): (caller: number) => StoredEdge[] {
    const minId = callers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const maxId = callers.reduce((a, b) => Math.max(a, b), 0);
    if (maxId - minId > MAX_APART * callers.length)
      return (caller) => this.#readStored(snapshotId, caller);
    const rows = getTuples<StoredEdge>(this.#database, SELECT_EDGES, [snapshotId, minId, maxId]);
    const byCaller = Map.groupBy(rows, ([caller]) => caller);
    return (caller) => checkRows(snapshotId, byCaller.get(caller) ?? []);
  }

  #readStored(snapshotId: number, caller: number): StoredEdge[] {
    const rows = getTuples<StoredEdge>(this.#database, SELECT_EDGES, [snapshotId, caller, caller]);
    return checkRows(snapshotId, rows);
  }

  /**
   * Yields all edges of a snapshot, grouped by caller, in the order in which they were stored. Call inside `Store.read`, or
   * while no other process writes.
   * @throws Damage during the iteration or at its end, also if edges are missing.
   */
  *readAll(snapshotId: number): IterableIterator<ResolvedEdge> {
    const rows = iterate<StoredEdge>(this.#database, SELECT_EDGES, [
      snapshotId,
      0,
      Number.MAX_SAFE_INTEGER,
    ]);
    let total = 0;
    for (const row of rows) {
      checkRow(snapshotId, row);
      total = addChecksums(total, row[6]);
      yield decodeEdge(row);
    }
    const sum = 'SELECT edges_sum FROM snapshots WHERE id = ?';
    // A snapshot that another process has removed has neither edges nor a sum.
    if (total !== (getValue<number>(this.#database, sum, [snapshotId]) ?? 0))
      throw new Damage('call edges are missing');
  }
}

function checkRows(snapshotId: number, rows: StoredEdge[]): StoredEdge[] {
  for (const row of rows) checkRow(snapshotId, row);
  return rows;
}

function checkRow(snapshotId: number, row: StoredEdge): void {
  const [caller, position, callee, kind, guess, sites, sum] = row;
  if (computeEdgeSum(snapshotId, caller, position, callee, kind, guess, sites) !== sum)
    throw new Damage(`the call edge ${caller} to ${callee}`);
}

function encodeEdge({ callee, kind, guess, sites }: ResolvedEdge, position: number): EdgeRow {
  const packed = JSON.stringify(sites.map((site) => [site.line, site.column]));
  return [position, callee, kind, Number(guess), packed];
}

function areSame(stored: readonly StoredEdge[], rows: readonly EdgeRow[]): boolean {
  return (
    stored.length === rows.length &&
    rows.every((row, i) => row.every((value, column) => value === stored[i]?.[column + 1]))
  );
}

function decodeEdge([caller, , callee, kind, guess, sites]: StoredEdge): ResolvedEdge {
  const places = JSON.parse(sites) as [number, number][];
  return {
    caller,
    callee,
    kind,
    guess: guess === 1,
    sites: places.map(([line, column]) => ({ line, column })),
  };
}
