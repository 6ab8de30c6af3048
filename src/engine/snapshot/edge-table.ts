import { EDGE_KINDS, type EdgeKind } from '../../shared/call-graph.ts';
import { enlarged } from '../columns/growing.ts';
import type { Neighbor } from './types.ts';

/** Edges of a call graph as they are written to a file, by the slots of their ends. */
export interface EdgeColumns {
  callers: Uint32Array;
  /** Callee, kind and guess, see `packed`. */
  callees: Uint32Array;
}

/**
 * The call graph of a snapshot in memory, as columns: each edge is in two chains, that of its caller and that of its callee, in
 * the order in which they were put there.
 */
export class EdgeTable {
  /** By slot: 1 + the first and the last edge of its chains, or 0. */
  #firstOut = new Uint32Array(1024);
  #lastOut = new Uint32Array(1024);
  #firstIn = new Uint32Array(1024);
  #lastIn = new Uint32Array(1024);
  /** By edge: its ends, and 1 + the next one of each chain. */
  #callers: Uint32Array;
  #callees: Uint32Array;
  #nextOut: Uint32Array;
  #nextIn: Uint32Array;
  #end = 0;
  /** 1 + the first of those that were removed; they are chained by `nextOut`. */
  #free = 0;
  #size = 0;
  #guessed = 0;

  /** @param columns edges it has from the beginning; they are not copied. */
  constructor({ callers, callees }: EdgeColumns = empty(), slots = 0) {
    this.#reserve(slots);
    this.#callers = callers;
    this.#callees = callees;
    this.#nextOut = new Uint32Array(callers.length);
    this.#nextIn = new Uint32Array(callers.length);
    this.#end = this.#size = callers.length;
    chainAll(this.#firstOut, this.#lastOut, this.#nextOut, callers, 0);
    chainAll(this.#firstIn, this.#lastIn, this.#nextIn, callees, TRAITS);
    for (let edge = 0; edge < callees.length; edge++) this.#guessed += callees[edge]! & GUESS;
  }

  get size(): number {
    return this.#size;
  }

  /** How many edges are guesses. */
  get guessed(): number {
    return this.#guessed;
  }

  callees(slot: number): Neighbor[] {
    const neighbors: Neighbor[] = [];
    for (let at = this.#firstOut[slot] ?? 0; at !== 0; at = this.#nextOut[at - 1]!)
      neighbors.push(neighborOf(this.#callees[at - 1]!));
    return neighbors;
  }

  callers(slot: number): Neighbor[] {
    const neighbors: Neighbor[] = [];
    for (let at = this.#firstIn[slot] ?? 0; at !== 0; at = this.#nextIn[at - 1]!)
      neighbors.push({ ...neighborOf(this.#callees[at - 1]!), slot: this.#callers[at - 1]! });
    return neighbors;
  }

  /** Makes these all edges that leave a chunk. Those that were there already keep their place only if all do. */
  replace(caller: number, callees: readonly Neighbor[]): void {
    if (this.#has(caller, callees)) return;
    this.#removeOut(caller);
    for (const callee of callees) this.#add(caller, packed(callee.slot, callee));
  }

  /** Removes all edges of a chunk. */
  removeAll(slot: number): void {
    this.#removeOut(slot);
    for (let at = this.#firstIn[slot] ?? 0; at !== 0; ) {
      const edge = at - 1;
      at = this.#nextIn[edge]!;
      unchain(this.#firstOut, this.#lastOut, this.#nextOut, this.#callers[edge]!, edge);
      this.#release(edge);
    }
    if (slot < this.#firstIn.length) this.#firstIn[slot] = this.#lastIn[slot] = 0;
  }

  /** All edges, those of the callers in this order, with the slots of both ends numbered anew. */
  columns(callers: Iterable<number>, renumbered: Uint32Array): EdgeColumns {
    const columns = { callers: new Uint32Array(this.#size), callees: new Uint32Array(this.#size) };
    let count = 0;
    for (const caller of callers) {
      for (let at = this.#firstOut[caller] ?? 0; at !== 0; at = this.#nextOut[at - 1]!) {
        const callee = this.#callees[at - 1]!;
        columns.callers[count] = renumbered[caller]!;
        columns.callees[count++] = (renumbered[callee >>> TRAITS]! << TRAITS) | (callee & MASK);
      }
    }
    return columns;
  }

  #has(caller: number, callees: readonly Neighbor[]): boolean {
    let at = this.#firstOut[caller] ?? 0;
    for (const callee of callees) {
      if (at === 0 || this.#callees[at - 1] !== packed(callee.slot, callee)) return false;
      at = this.#nextOut[at - 1]!;
    }
    return at === 0;
  }

  #add(caller: number, callee: number): void {
    this.#reserve(Math.max(caller, callee >>> TRAITS) + 1);
    const edge = this.#take();
    this.#callers[edge] = caller;
    this.#callees[edge] = callee;
    this.#chain(edge);
  }

  /** The number of a new edge. */
  #take(): number {
    if (this.#free !== 0) {
      const edge = this.#free - 1;
      this.#free = this.#nextOut[edge]!;
      return edge;
    }
    if (this.#end === this.#callers.length) {
      const room = Math.max(1024, this.#end + 1);
      this.#callers = enlarged(this.#callers, room);
      this.#callees = enlarged(this.#callees, room);
      this.#nextOut = enlarged(this.#nextOut, room);
      this.#nextIn = enlarged(this.#nextIn, room);
    }
    return this.#end++;
  }

  /** Puts an edge, whose ends are known, at the ends of its chains. */
  #chain(edge: number): void {
    const [caller, callee] = [this.#callers[edge]!, this.#callees[edge]!];
    append(this.#firstOut, this.#lastOut, this.#nextOut, caller, edge);
    append(this.#firstIn, this.#lastIn, this.#nextIn, callee >>> TRAITS, edge);
    this.#size++;
    this.#guessed += callee & GUESS;
  }

  #removeOut(caller: number): void {
    for (let at = this.#firstOut[caller] ?? 0; at !== 0; ) {
      const edge = at - 1;
      at = this.#nextOut[edge]!;
      unchain(this.#firstIn, this.#lastIn, this.#nextIn, this.#callees[edge]! >>> TRAITS, edge);
      this.#release(edge);
    }
    if (caller < this.#firstOut.length) this.#firstOut[caller] = this.#lastOut[caller] = 0;
  }

  #release(edge: number): void {
    this.#size--;
    this.#guessed -= this.#callees[edge]! & GUESS;
    this.#nextOut[edge] = this.#free;
    this.#free = edge + 1;
  }

  #reserve(slots: number): void {
    if (slots <= this.#firstOut.length) return;
    this.#firstOut = enlarged(this.#firstOut, slots);
    this.#lastOut = enlarged(this.#lastOut, slots);
    this.#firstIn = enlarged(this.#firstIn, slots);
    this.#lastIn = enlarged(this.#lastIn, slots);
  }
}

/** An edge's callee is packed as `slot << 3 | kind << 1 | guess`. */
const TRAITS = 3;
const MASK = 7;
const GUESS = 1;

function packed(slot: number, { kind, guess }: { kind: EdgeKind; guess: boolean }): number {
  return (slot << TRAITS) | (EDGE_KINDS.indexOf(kind) << 1) | Number(guess);
}

function neighborOf(callee: number): Neighbor {
  const kind = EDGE_KINDS[(callee & MASK) >>> 1]!;
  return { slot: callee >>> TRAITS, kind, guess: (callee & GUESS) === 1 };
}

function append(
  first: Uint32Array,
  last: Uint32Array,
  next: Uint32Array,
  slot: number,
  edge: number,
): void {
  next[edge] = 0;
  const before = last[slot]!;
  if (before === 0) first[slot] = edge + 1;
  else next[before - 1] = edge + 1;
  last[slot] = edge + 1;
}

/**
 * Puts all edges, none of which is in a chain yet, at the ends of theirs. A function of its own, since it sees every edge: V8
 * makes it quick after a few.
 * @param slots of the edges, shifted to the left by so many bits
 */
function chainAll(
  first: Uint32Array,
  last: Uint32Array,
  next: Uint32Array,
  slots: Uint32Array,
  shift: number,
): void {
  for (let edge = 0; edge < slots.length; edge++)
    append(first, last, next, slots[edge]! >>> shift, edge);
}

/** Takes an edge out of a slot's chain. */
function unchain(
  first: Uint32Array,
  last: Uint32Array,
  next: Uint32Array,
  slot: number,
  edge: number,
): void {
  let before = 0;
  for (let at = first[slot]!; at !== edge + 1; at = next[at - 1]!) before = at;
  if (before === 0) first[slot] = next[edge]!;
  else next[before - 1] = next[edge]!;
  if (last[slot] === edge + 1) last[slot] = before;
}

const empty = (): EdgeColumns => ({ callers: new Uint32Array(0), callees: new Uint32Array(0) });
