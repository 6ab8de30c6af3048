import type { CallSite, EdgeKind } from '../../shared/types.ts';
import type { ResolvedEdge } from '../graph/types.ts';
import { addChecksums } from './checksum.ts';
import { Damage } from './damage.ts';
import type { Database } from './database.ts';
import { edgeSum } from './sums.ts';

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
    this.#insert = database.prepare<[number, number, number, string, number, string, number]>(
      'INSERT OR REPLACE INTO edges (snapshot_id, caller, callee, kind, guess, sites, sum) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#from = database.prepare<[number, number], EdgeRow>(
      'SELECT callee, kind, guess, sites, sum FROM edges WHERE snapshot_id = ? AND caller = ?',
    );
  }

  /** Replaces all edges of these callers; call inside a transaction. */
  replace(snapshotId: number, callers: Iterable<number>, edges: Iterable<ResolvedEdge>): void {
    for (const caller of callers) this.#remove.run(snapshotId, caller);
    for (const edge of edges) {
      const sites = JSON.stringify(edge.sites.map((site) => [site.line, site.column]));
      const { caller, callee, kind } = edge;
      const guess = edge.guess ? 1 : 0;
      const sum = edgeSum(snapshotId, caller, callee, kind, guess, sites);
      this.#insert.run(snapshotId, caller, callee, kind, guess, sites, sum);
    }
  }

  /**
   * The edges that leave one chunk.
   * @throws Damage
   */
  from(snapshotId: number, caller: number): ResolvedEdge[] {
    return this.#from.all(snapshotId, caller).map(({ callee, kind, guess, sites, sum }) => {
      checkEdge(sum, snapshotId, caller, callee, kind, guess, sites);
      return { caller, callee, kind, guess: guess === 1, sites: sitesOf(sites) };
    });
  }

  /**
   * All of them, none missing; call in `Store.read`, or while no other process writes.
   * @throws Damage when the last one was read, or before.
   */
  *ofSnapshot(snapshotId: number): IterableIterator<ResolvedEdge> {
    const rows = this.#database
      .prepare<[number]>(
        'SELECT caller, callee, kind, guess, sites, sum FROM edges WHERE snapshot_id = ?',
      )
      .raw()
      .iterate(snapshotId) as IterableIterator<[number, number, EdgeKind, number, string, number]>;
    let total = 0;
    for (const [caller, callee, kind, guess, sites, sum] of rows) {
      checkEdge(sum, snapshotId, caller, callee, kind, guess, sites);
      total = addChecksums(total, sum);
      yield { caller, callee, kind, guess: guess === 1, sites: sitesOf(sites) };
    }
    const known = this.#database
      .prepare('SELECT edges_sum FROM snapshots WHERE id = ?')
      .pluck()
      .get(snapshotId);
    if (total !== known) throw new Damage('call edges are missing');
  }
}

interface EdgeRow {
  callee: number;
  kind: EdgeKind;
  guess: number;
  sites: string;
  sum: number;
}

function checkEdge(sum: number, ...edge: Parameters<typeof edgeSum>): void {
  if (edgeSum(...edge) !== sum) throw new Damage(`the call edge ${edge[1]} to ${edge[2]}`);
}

function sitesOf(json: string): CallSite[] {
  return (JSON.parse(json) as [number, number][]).map(([line, column]) => ({ line, column }));
}
