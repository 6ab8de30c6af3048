import { Damage } from '../../base/damage.ts';
import type { EdgeKind } from '../../shared/call-graph.ts';
import type { ResolvedEdge } from '../graph/types.ts';
import { addChecksums } from './checksum.ts';
import type { Database } from './database.ts';
import { getTuples, getValue, iterate, run } from './statements.ts';
import { computeEdgeSum } from './sums.ts';

/** Maximum distance of neighboring ids in a run of callers whose edges are read with one query. */
const MAX_GAP = 8;

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
    const stored = this.#readCallers(snapshotId, callers);
    const remove = 'DELETE FROM edges WHERE snapshot_id = ? AND caller = ?';
    const insert = `INSERT OR REPLACE INTO edges (snapshot_id, caller, position, callee, kind, guess, sites, sum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
    return callers.filter((caller) => {
      const rows = (byCaller.get(caller) ?? []).map(encodeEdge);
      const before = stored.get(caller) ?? [];
      if (areSame(before, rows)) return false;
      if (before.length > 0) run(database, remove, [snapshotId, caller]);
      for (const row of rows)
        run(database, insert, [snapshotId, caller, ...row, computeEdgeSum(caller, ...row)]);
      return true;
    });
  }

  /** Copies the edges of another snapshot, except those of the chunks of `omitted` file versions. Call inside a transaction. */
  copy(snapshotId: number, from: number, omitted: readonly number[]): void {
    run(
      this.#database,
      `INSERT INTO edges (snapshot_id, caller, callee, kind, guess, sites, position, sum)
       SELECT @snapshotId, caller, callee, kind, guess, sites, position, sum FROM edges
       WHERE snapshot_id = @from AND caller NOT IN (
         SELECT id FROM chunks WHERE version_id IN (SELECT value FROM json_each(@omitted)))`,
      { snapshotId, from, omitted: JSON.stringify(omitted) },
    );
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
    return (this.#readCallers(snapshotId, [caller]).get(caller) ?? []).map(decodeEdge);
  }

  /** Reads the edges of these callers, with one query for each run of close ids, such as the chunks of a file. */
  #readCallers(snapshotId: number, callers: readonly number[]): Map<number, StoredEdge[]> {
    const rows = findRuns(callers).flatMap(({ first, last }) =>
      getTuples<StoredEdge>(this.#database, SELECT_EDGES, [snapshotId, first, last]),
    );
    return Map.groupBy(checkRows(rows), ([caller]) => caller);
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
      checkRow(row);
      total = addChecksums(total, row[6]);
      yield decodeEdge(row);
    }
    const sum = 'SELECT edges_sum FROM snapshots WHERE id = ?';
    // A snapshot that another process has removed has neither edges nor a sum.
    if (total !== (getValue<number>(this.#database, sum, [snapshotId]) ?? 0))
      throw new Damage('call edges are missing');
  }
}

/** Splits ids into runs without large gaps. */
function findRuns(ids: readonly number[]): { first: number; last: number }[] {
  const runs: { first: number; last: number }[] = [];
  for (const id of ids.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && id - run.last <= MAX_GAP) run.last = id;
    else runs.push({ first: id, last: id });
  }
  return runs;
}

function checkRows(rows: StoredEdge[]): StoredEdge[] {
  for (const row of rows) checkRow(row);
  return rows;
}

function checkRow(row: StoredEdge): void {
  const [caller, position, callee, kind, guess, sites, sum] = row;
  if (computeEdgeSum(caller, position, callee, kind, guess, sites) !== sum)
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
