import { REGISTRATION_KINDS } from '../../shared/registration.ts';
import type { ResolvedEdge } from '../graph/types.ts';
import type { RegisteredChunk } from './types.ts';

/** Row as written to a file: the slot of the registered chunk, the number of the kind, and the key. */
type PackedRow = [caller: number, slot: number, kind: number, key: string];

/** Registered chunks of a snapshot, by the chunk that registers them. */
export class RegistrationTable implements Iterable<RegisteredChunk> {
  readonly #byCaller = new Map<number, RegisteredChunk[]>();

  static fromColumns(packed: Uint8Array): RegistrationTable {
    const table = new RegistrationTable();
    const rows: PackedRow[] = JSON.parse(Buffer.from(packed).toString());
    const chunks = rows.map(([caller, slot, kind, key]): RegisteredChunk => {
      return { caller, slot, kind: REGISTRATION_KINDS[kind] ?? 'name', key };
    });
    for (const [caller, own] of Map.groupBy(chunks, (one) => one.caller))
      table.#byCaller.set(caller, own);
    return table;
  }

  /** Returns the rows as JSON. `renumbered` maps old slots to new ones. */
  toColumns(isLive: (slot: number) => boolean, renumbered: Uint32Array): Uint8Array {
    const live = Array.from(this).filter(({ slot }) => isLive(slot));
    const rows = live.map(({ caller, slot, kind, key }): PackedRow => {
      const to = (old: number) => renumbered[old] ?? 0;
      return [to(caller), to(slot), REGISTRATION_KINDS.indexOf(kind), key];
    });
    return Buffer.from(JSON.stringify(rows.sort((a, b) => a[0] - b[0])));
  }

  /** Replaces what a chunk registers by its edges of the kind `register`. */
  replace(
    caller: number,
    edges: readonly ResolvedEdge[],
    slotOf: (id: number) => number | undefined,
  ): void {
    const own = edges.flatMap(({ callee, registered = [] }) => {
      const slot = registered.length > 0 ? slotOf(callee) : undefined;
      return slot === undefined ? [] : registered.map((one) => ({ caller, slot, ...one }));
    });
    if (own.length > 0) this.#byCaller.set(caller, own);
    else this.#byCaller.delete(caller);
  }

  remove(caller: number): void {
    this.#byCaller.delete(caller);
  }

  *[Symbol.iterator](): Iterator<RegisteredChunk> {
    for (const own of this.#byCaller.values()) yield* own;
  }
}
