import { Damage } from '../../base/damage.ts';
import type { EdgeKind } from '../../shared/call-graph.ts';
import type { RegistrationKind } from '../../shared/registration.ts';
import { packText, unpackText } from '../columns/packed.ts';
import type { ResolvedEdge } from '../graph/types.ts';
import { checkBlock, getBlock, getChunkIds, groupByBlock } from './blocks.ts';
import { addChecksums } from './checksum.ts';
import type { Database } from './database.ts';
import { getTuples, getValue, getValues, iterate, run } from './statements.ts';
import { computeBlockSum } from './sums.ts';

/** Edge as stored. The numbers are the lines and columns of its sites; after them, a registration has a pair for each site. */
type PackedEdge = [callee: number, kind: EdgeKind, guess: 0 | 1, ...sites: (number | PackedKey)[]];

type PackedKey = [kind: RegistrationKind, key: string];

/** Edges of the callers of a block as JSON, by caller. They are parsed only if they are read, not if they are replaced. */
type Block = Map<number, string>;

type BlockRow = [block: number, edges: Buffer, sum: number];

const BLOCK = 'SELECT block, edges, sum FROM edges WHERE snapshot_id = ? AND block = ?';
const BLOCKS = 'SELECT block, edges, sum FROM edges WHERE snapshot_id = ? ORDER BY block';

/** Edges of the call graph, in one row for the callers of a block. */
export class Edges {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Replaces all edges of these callers, in this order. Call inside a transaction. Writes only blocks whose edges differ from
   * those stored, and returns the callers whose edges differ.
   * @throws Damage
   */
  replace(snapshotId: number, callers: readonly number[], edges: Iterable<ResolvedEdge>): number[] {
    const byCaller = Map.groupBy(edges, (edge) => edge.caller);
    const changed = new Set<number>();
    for (const [number, some] of groupByBlock(callers, (caller) => caller)) {
      const block = this.#readBlock(snapshotId, number);
      const different = some.filter((caller) =>
        replaceCaller(block, caller, byCaller.get(caller) ?? []),
      );
      if (different.length > 0) this.#writeBlock(snapshotId, number, block);
      for (const caller of different) changed.add(caller);
    }
    return callers.filter((caller) => changed.has(caller));
  }

  /** Copies the edges of another snapshot, except those of the chunks of `omitted` file versions. Call inside a transaction. */
  copy(snapshotId: number, from: number, omitted: readonly number[]): void {
    run(
      this.#database,
      `INSERT INTO edges (snapshot_id, block, edges, sum)
       SELECT @snapshotId, block, edges, sum FROM edges WHERE snapshot_id = @from`,
      { snapshotId, from },
    );
    this.replace(snapshotId, getChunkIds(this.#database, omitted), []);
  }

  /** Removes edges whose caller is not a chunk of the snapshot. Call inside a transaction. */
  removeStrays(snapshotId: number): void {
    const files = 'SELECT version_id FROM snapshot_files WHERE snapshot_id = ?';
    const versions = getValues<number>(this.#database, files, [snapshotId]);
    const live = groupByBlock(getChunkIds(this.#database, versions), (id) => id);
    for (const [number, edges, sum] of getTuples<BlockRow>(this.#database, BLOCKS, [snapshotId])) {
      const block = unpackBlock(number, edges, sum);
      const here = new Set(live.get(number));
      const strays = block.keys().filter((caller) => !here.has(caller));
      this.replace(snapshotId, [...strays], []);
    }
  }

  /**
   * Returns the edges of one caller, in the order in which they were stored.
   * @throws Damage
   */
  getCallees(snapshotId: number, caller: number): ResolvedEdge[] {
    return decodeEdges(caller, this.#readBlock(snapshotId, getBlock(caller)).get(caller));
  }

  /**
   * Yields all edges of a snapshot, grouped by caller, in the order in which they were stored. Call inside `Store.read`, or
   * while no other process writes.
   * @throws Damage during the iteration or at its end, also if edges are missing.
   */
  *readAll(snapshotId: number): IterableIterator<ResolvedEdge> {
    let total = 0;
    for (const row of iterate<BlockRow>(this.#database, BLOCKS, [snapshotId])) {
      total = addChecksums(total, row[2]);
      for (const [caller, edges] of unpackBlock(...row)) yield* decodeEdges(caller, edges);
    }
    const sum = 'SELECT edges_sum FROM snapshots WHERE id = ?';
    // A snapshot that another process has removed has neither edges nor a sum.
    if (total !== (getValue<number>(this.#database, sum, [snapshotId]) ?? 0))
      throw new Damage('call edges are missing');
  }

  #readBlock(snapshotId: number, block: number): Block {
    const [row] = getTuples<BlockRow>(this.#database, BLOCK, [snapshotId, block]);
    return row ? unpackBlock(...row) : new Map();
  }

  #writeBlock(snapshotId: number, number: number, block: Block): void {
    if (block.size === 0) {
      const remove = 'DELETE FROM edges WHERE snapshot_id = ? AND block = ?';
      run(this.#database, remove, [snapshotId, number]);
      return;
    }
    const packed = packBlock(block);
    run(
      this.#database,
      'INSERT OR REPLACE INTO edges (snapshot_id, block, edges, sum) VALUES (?, ?, ?, ?)',
      [snapshotId, number, packed, computeBlockSum(number, packed)],
    );
  }
}

/** Replaces the edges of a caller. Returns false if they are the same. */
function replaceCaller(block: Block, caller: number, edges: readonly ResolvedEdge[]): boolean {
  const json = edges.length > 0 ? JSON.stringify(edges.map(encodeEdge)) : undefined;
  if (json === block.get(caller)) return false;
  if (json === undefined) block.delete(caller);
  else block.set(caller, json);
  return true;
}

/** Packs a block as a line for each caller: its id and its edges. */
function packBlock(block: Block): Buffer {
  const callers = [...block].sort(([a], [b]) => a - b);
  return packText(callers.map(([caller, json]) => `${caller} ${json}`).join('\n'));
}

function unpackBlock(number: number, packed: Buffer, sum: number): Block {
  checkBlock(number, packed, sum);
  const lines = unpackText(packed).split('\n');
  return new Map(
    lines.map((line) => {
      const space = line.indexOf(' ');
      return [Number(line.slice(0, space)), line.slice(space + 1)];
    }),
  );
}

function encodeEdge({ callee, kind, guess, sites, registered = [] }: ResolvedEdge): PackedEdge {
  const numbers = sites.flatMap(({ line, column }) => [line, column]);
  const keys = registered.map((one): PackedKey => [one.kind, one.key]);
  return [callee, kind, guess ? 1 : 0, ...numbers, ...keys];
}

function decodeEdges(caller: number, json: string | undefined): ResolvedEdge[] {
  if (json === undefined) return [];
  return (JSON.parse(json) as PackedEdge[]).map(([callee, kind, guess, ...rest]) => {
    const numbers = rest.filter((one) => typeof one === 'number');
    const keys = rest.filter((one) => typeof one !== 'number');
    return {
      caller,
      callee,
      kind,
      guess: guess === 1,
      sites: Array.from({ length: numbers.length / 2 }, (_, i) => ({
        line: numbers[2 * i] ?? 0,
        column: numbers[2 * i + 1] ?? 0,
      })),
      ...(keys.length > 0 && { registered: keys.map(([kind, key]) => ({ kind, key })) }),
    };
  });
}
