/**
 * Index of the rows that a vector engine found, in several repositories, so that Locus can compute its own signals. It lacks all
 * other chunks, so signals that read them are incomplete (docs/reference/fleet.md).
 */

import { formatAddress } from '../../shared/address.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { EDGE_KINDS } from '../../shared/call-graph.ts';
import type { FleetRow } from '../../shared/fleet-row.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { appendTo } from '../../shared/lists-by-key.ts';
import { joinMember } from '../../shared/workspace.ts';
import { type LexicalCollection, LexicalIndex } from '../lexical/lexical-index.ts';
import { Packages } from '../packages/packages.ts';
import type { IndexedChunk, Neighbor, SearchIndex } from '../snapshot/types.ts';
import { VectorTable } from '../vectors/vector-table.ts';

/** Maximum count of a term in a field, for BM25F. */
const MAX_COUNTED = 255;

export class FleetRowIndex implements SearchIndex {
  readonly packages = new Packages([], []);
  readonly history = null;
  readonly edits = 0;
  readonly chunks: IndexedChunk[] = [];
  readonly vectors: VectorTable;
  readonly lexical: LexicalIndex;
  readonly sections: LexicalIndex;
  readonly sectionCount = 0;
  readonly rows: readonly FleetRow[];
  readonly #terms = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #byName = new Map<string, number[]>();
  readonly #byPath = new Map<string, number[]>();
  readonly #callees: Neighbor[][];
  readonly #callers: Neighbor[][];

  /**
   * @param nameOf returns the name of a repository by its key. The name is the first segment of its chunks' paths in this index.
   * @param collection statistics of all rows that may be searched.
   */
  constructor(
    rows: readonly FleetRow[],
    dimensions: number,
    nameOf: (repository: string) => string,
    collection: LexicalCollection,
  ) {
    this.rows = rows;
    this.vectors = new VectorTable(dimensions);
    this.lexical = new LexicalIndex(
      { idOf: (term) => this.#terms.get(term), termOf: (id) => this.#words[id] },
      { collection },
    );
    this.sections = new LexicalIndex({ idOf: () => undefined, termOf: () => undefined });
    const slots = new Map<string, number>();
    const placeOf = ({ repository }: FleetRow, address: string) => `${repository} ${address}`;
    for (const [slot, row] of rows.entries())
      slots.set(placeOf(row, formatAddress(row.traits)), slot);
    for (const [slot, row] of rows.entries()) {
      const { parent, calls: _, package: __, ...traits } = row.traits;
      const path = joinMember(nameOf(row.repository), traits.path);
      const above = parent === null ? undefined : slots.get(placeOf(row, parent));
      this.chunks.push({ ...traits, path, id: slot, parent: above ?? -1 });
      this.vectors.set(slot, row.vector);
      this.lexical.add(slot, this.#toEntries(row.terms));
      if (traits.kind !== 'module') appendTo(this.#byName, traits.name, slot);
      appendTo(this.#byPath, path, slot);
    }
    for (const slots of this.#byPath.values())
      slots.sort((a, b) => this.getChunk(a).startLine - this.getChunk(b).startLine);
    this.#callees = rows.map((row) =>
      row.traits.calls.flatMap(([address, called, guess]): Neighbor[] => {
        const slot = slots.get(placeOf(row, address));
        const kind = EDGE_KINDS.find((known) => known === called);
        return slot === undefined || !kind ? [] : [{ slot, kind, guess: guess === 1 }];
      }),
    );
    this.#callers = rows.map(() => []);
    for (const [slot, callees] of this.#callees.entries())
      for (const to of callees) this.#callers[to.slot]?.push({ ...to, slot });
  }

  get liveCount(): number {
    return this.chunks.length;
  }

  getChunkOrNull(slot: number): IndexedChunk | null {
    return this.chunks[slot] ?? null;
  }

  getChunk(slot: number): IndexedChunk {
    return assertPresent(this.chunks[slot], 'a chunk that was found');
  }

  getSlotsByName(name: string): readonly number[] {
    return this.#byName.get(name) ?? [];
  }

  getSlotsByAlias(): readonly number[] {
    return [];
  }

  getSlotsByPath(path: string): readonly number[] {
    return this.#byPath.get(path) ?? [];
  }

  getPaths(): Iterable<string> {
    return this.#byPath.keys();
  }

  getSectionPaths(): Iterable<string> {
    return [];
  }

  getLanguages(): ReadonlySet<string> {
    return new Set(this.chunks.map(({ language }) => language));
  }

  getCallers(slot: number): readonly Neighbor[] {
    return this.#callers[slot] ?? [];
  }

  getCallees(slot: number): readonly Neighbor[] {
    return this.#callees[slot] ?? [];
  }

  getRegistered(): [] {
    return [];
  }

  #toEntries(terms: string): Uint32Array {
    const entries: number[] = [];
    for (const [field, line] of terms.split('\n').entries()) {
      for (const [term, { length }] of Map.groupBy(line.split(' ').filter(Boolean), String))
        entries.push(
          (getOrAdd(this.#terms, term, () => this.#words.push(term) - 1) << 11) |
            (field << 8) |
            Math.min(length, MAX_COUNTED),
        );
    }
    return Uint32Array.from(entries);
  }
}
