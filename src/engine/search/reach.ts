/** How far the definitions that an issue points at reach along calls. */
import { isConstructor, membersOf } from '../snapshot/members.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import type { ApiUse } from './mentions/script.ts';

/** What a call from a chunk adds to the value of the called one. */
const STEP = 0.5;
const DEPTH = 2;

/** By slot: 1 / root of the number of definitions that a use may mean; a class stands for its constructor too. */
export function valuesOfUses(uses: readonly ApiUse[], index: SearchIndex): Map<number, number> {
  const values = new Map<number, number>();
  for (const { slots } of uses) {
    const value = 1 / Math.sqrt(slots.length);
    for (const slot of slots) {
      raise(values, slot, value);
      for (const method of constructorsOf(slot, index)) raise(values, method, value);
    }
  }
  return values;
}

/**
 * By slot, for what these chunks call, and what that calls: half the caller's value, shared by the root of how many it
 * calls. Guessed calls do not count.
 */
export function reachOf(
  from: ReadonlyMap<number, number>,
  index: SearchIndex,
): Map<number, number> {
  const reached = new Map<number, number>();
  let frontier = from;
  for (let depth = 0; depth < DEPTH; depth++) {
    const next = new Map<number, number>();
    for (const [slot, value] of frontier) {
      const callees = index.callees(slot).filter((callee) => !callee.guess);
      for (const callee of callees) {
        if (from.has(callee.slot)) continue;
        const share = (value * STEP) / Math.sqrt(callees.length);
        raise(next, callee.slot, share);
        for (const method of constructorsOf(callee.slot, index)) raise(next, method, share);
      }
    }
    for (const [slot, value] of next) raise(reached, slot, value);
    frontier = next;
  }
  return reached;
}

function constructorsOf(slot: number, index: SearchIndex): number[] {
  if (index.chunk(slot).kind !== 'class') return [];
  return membersOf(slot, index).filter((member) => isConstructor(index.chunk(member)));
}

function raise(values: Map<number, number>, slot: number, value: number): void {
  values.set(slot, Math.max(value, values.get(slot) ?? 0));
}
