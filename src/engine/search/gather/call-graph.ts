/** Finds chunks that an issue leads to through calls and inheritance. */
import { getMembers, isConstructor } from '../../snapshot/members.ts';
import type { Neighbor, SearchIndex } from '../../snapshot/types.ts';
import { isCertainCall, listCallersByLocation } from './chunks.ts';
import type { ResolvedIssue } from './issue.ts';
import type { ApiUse } from './script.ts';

/** Factor for each call: callees get this share of their caller's value. */
const STEP = 0.5;
/** Maximum number of calls to follow. */
const MAX_DEPTH = 2;

/** Returns by slot: 1 / √n for the n definitions that a use may mean. A use of a class also counts for its constructor. */
export function scoreUses(uses: readonly ApiUse[], index: SearchIndex): Map<number, number> {
  const values = new Map<number, number>();
  for (const { slots } of uses) {
    const value = 1 / Math.sqrt(slots.length);
    for (const slot of slots) {
      raise(values, slot, value);
      for (const method of findConstructors(slot, index)) raise(values, method, value);
    }
  }
  return values;
}

/**
 * Computes the values of direct and indirect callees, by slot: half of the caller's value, divided by √n for its n
 * callees. Guessed calls do not count.
 */
export function computeReach(
  from: ReadonlyMap<number, number>,
  index: SearchIndex,
): Map<number, number> {
  const reached = new Map<number, number>();
  let frontier = from;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next = new Map<number, number>();
    for (const [slot, value] of frontier) {
      const callees = index.getCallees(slot).filter(isCertainCall);
      for (const callee of callees) {
        if (from.has(callee.slot)) continue;
        const share = (value * STEP) / Math.sqrt(callees.length);
        raise(next, callee.slot, share);
        for (const method of findConstructors(callee.slot, index)) raise(next, method, share);
      }
    }
    for (const [slot, value] of next) raise(reached, slot, value);
    frontier = next;
  }
  return reached;
}

function findConstructors(slot: number, index: SearchIndex): number[] {
  if (index.getChunk(slot).kind !== 'class') return [];
  return getMembers(slot, index).filter((member) => isConstructor(index.getChunk(member)));
}

function raise(values: Map<number, number>, slot: number, value: number): void {
  values.set(slot, Math.max(value, values.get(slot) ?? 0));
}

export interface InheritedMember {
  /** 1 / (distance to the class that defines it × √n), for the n definitions that share the subclass's name. */
  value: number;
  /** Slot of the class that the issue mentions. */
  subclass: number;
}

/** Maximum number of definitions of a name. A more common name tells nothing about base classes. */
const MAX_SUBCLASSES = 30;
const MAX_DISTANCE = 4;

/**
 * Finds the methods that classes mentioned in the issue inherit and do not override, by slot. Base classes are visited
 * level by level, which is the method resolution order except for diamonds.
 */
export function findInheritedMethods(
  { names }: ResolvedIssue,
  index: SearchIndex,
): Map<number, InheritedMember> {
  const inherited = new Map<number, InheritedMember>();
  for (const { slots, definitions } of names) {
    if (definitions > MAX_SUBCLASSES) continue;
    for (const subclass of slots) {
      if (index.getChunk(subclass).kind !== 'class') continue;
      for (const { slot, distance } of findMethodsOfBases(subclass, index)) {
        const value = 1 / (distance * Math.sqrt(definitions));
        if (value > (inherited.get(slot)?.value ?? 0)) inherited.set(slot, { value, subclass });
      }
    }
  }
  return inherited;
}

function findMethodsOfBases(subclass: number, index: SearchIndex) {
  const methods: { slot: number; distance: number }[] = [];
  const names = new Set(getMembers(subclass, index).map((slot) => index.getChunk(slot).name));
  const visited = new Set([subclass]);
  let level = [subclass];
  for (let distance = 1; distance <= MAX_DISTANCE && level.length > 0; distance++) {
    level = level
      .flatMap((class_) => findBases(class_, index))
      .filter((base) => !visited.has(base));
    for (const base of level) {
      visited.add(base);
      for (const slot of getMembers(base, index)) {
        const { name } = index.getChunk(slot);
        if (names.has(name)) continue;
        names.add(name);
        methods.push({ slot, distance });
      }
    }
  }
  return methods;
}

export function findBases(class_: number, index: SearchIndex): number[] {
  return selectInheritance(index.getCallees(class_));
}

export function findSubclasses(class_: number, index: SearchIndex): number[] {
  return selectInheritance(listCallersByLocation(class_, index));
}

function selectInheritance(neighbors: readonly Neighbor[]): number[] {
  return neighbors
    .filter(({ kind, guess }) => kind === 'inherit' && !guess)
    .map(({ slot }) => slot);
}
