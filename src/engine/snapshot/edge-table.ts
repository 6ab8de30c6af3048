import { EDGE_KINDS } from '../../shared/call-graph.ts';
import { Chains } from '../columns/chains.ts';
import { enlarge } from '../columns/enlarge.ts';
import type { Neighbor } from './types.ts';

/** Edges of a call graph in the form that is written to a file, by the slots of caller and callee. */
export interface EdgeColumns {
  callers: Uint32Array;
  /** Callee, kind and guess; see `packNeighbor`. */
  callees: Uint32Array;
}

/**
 * Call graph of a snapshot in memory, as columns. Each edge is in two chains, one for its caller and one for its callee, in the
 * order in which edges were added.
 */
export class EdgeTable {
  readonly #out: Chains;
  readonly #in: Chains;
  #callers: Uint32Array;
  #callees: Uint32Array;
  #end: number;
  readonly #free: number[] = [];
  #guessed = 0;

  /** @param columns initial edges, which are not copied. */
  constructor({ callers, callees }: EdgeColumns = createColumns(), slots = 0) {
    this.#callers = callers;
    this.#callees = callees;
    this.#end = callers.length;
    this.#out = new Chains(slots, callers.length);
    this.#in = new Chains(slots, callers.length);
    for (let edge = 0; edge < callers.length; edge++) this.#chain(edge);
  }

  get size(): number {
    return this.#end - this.#free.length;
  }

  get guessed(): number {
    return this.#guessed;
  }

  getCallees(slot: number): Neighbor[] {
    const neighbors: Neighbor[] = [];
    for (let edge = this.#out.first(slot); edge >= 0; edge = this.#out.next(edge))
      neighbors.push(unpackNeighbor(this.#callees[edge]!));
    return neighbors;
  }

  getCallers(slot: number): Neighbor[] {
    const neighbors: Neighbor[] = [];
    for (let edge = this.#in.first(slot); edge >= 0; edge = this.#in.next(edge))
      neighbors.push({ ...unpackNeighbor(this.#callees[edge]!), slot: this.#callers[edge]! });
    return neighbors;
  }

  /** Replaces the edges of a caller. If nothing changes, the order of its edges in the chains of callees stays. */
  replace(caller: number, callees: readonly Neighbor[]): void {
    if (this.#hasExactly(caller, callees)) return;
    this.#removeChain(this.#out, caller);
    for (const callee of callees) this.#add(caller, packNeighbor(callee));
  }

  removeAll(slot: number): void {
    this.#removeChain(this.#out, slot);
    this.#removeChain(this.#in, slot);
  }

  /** Returns all edges as columns, in this order of callers. `renumbered` maps old slots to new ones. */
  toColumns(callers: Iterable<number>, renumbered: Uint32Array): EdgeColumns {
    const columns = { callers: new Uint32Array(this.size), callees: new Uint32Array(this.size) };
    let count = 0;
    for (const caller of callers) {
      for (let edge = this.#out.first(caller); edge >= 0; edge = this.#out.next(edge)) {
        const callee = this.#callees[edge]!;
        columns.callers[count] = renumbered[caller]!;
        columns.callees[count++] = (renumbered[callee >>> TRAITS]! << TRAITS) | (callee & MASK);
      }
    }
    return columns;
  }

  #hasExactly(caller: number, callees: readonly Neighbor[]): boolean {
    let edge = this.#out.first(caller);
    for (const callee of callees) {
      if (edge < 0 || this.#callees[edge] !== packNeighbor(callee)) return false;
      edge = this.#out.next(edge);
    }
    return edge < 0;
  }

  #add(caller: number, callee: number): void {
    const edge = this.#free.pop() ?? this.#end++;
    if (edge >= this.#callers.length) {
      const room = Math.max(1024, edge + 1);
      this.#callers = enlarge(this.#callers, room);
      this.#callees = enlarge(this.#callees, room);
    }
    this.#callers[edge] = caller;
    this.#callees[edge] = callee;
    this.#chain(edge);
  }

  /** Appends an edge to the chains of its caller and callee. */
  #chain(edge: number): void {
    const callee = this.#callees[edge]!;
    this.#out.append(this.#callers[edge]!, edge);
    this.#in.append(callee >>> TRAITS, edge);
    this.#guessed += callee & GUESS;
  }

  #removeChain(chains: Chains, slot: number): void {
    for (let edge = chains.first(slot); edge >= 0; edge = chains.first(slot)) {
      const callee = this.#callees[edge]!;
      this.#out.remove(this.#callers[edge]!, edge);
      this.#in.remove(callee >>> TRAITS, edge);
      this.#guessed -= callee & GUESS;
      this.#free.push(edge);
    }
  }
}

/** An edge's callee is packed as `slot << 4 | kind << 1 | guess`. */
const TRAITS = 4;
const MASK = 15;
const GUESS = 1;

function packNeighbor({ slot, kind, guess }: Neighbor): number {
  return (slot << TRAITS) | (EDGE_KINDS.indexOf(kind) << 1) | Number(guess);
}

function unpackNeighbor(callee: number): Neighbor {
  const kind = EDGE_KINDS[(callee & MASK) >>> 1]!;
  return { slot: callee >>> TRAITS, kind, guess: (callee & GUESS) === 1 };
}

const createColumns = (): EdgeColumns => ({
  callers: new Uint32Array(0),
  callees: new Uint32Array(0),
});
