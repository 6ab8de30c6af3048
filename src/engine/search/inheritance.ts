import { membersOf } from '../snapshot/members.ts';
import type { Neighbor, SearchIndex } from '../snapshot/types.ts';
import type { ResolvedIssue } from './issue.ts';

/** A method that a class named in the issue inherits. */
export interface InheritedMember {
  /** 1 / (distance to the class that defines it × root of the number of definitions that share the subclass's name). */
  value: number;
  /** Slot of the class that is named. */
  subclass: number;
}

/** Names that many classes have say nothing of their bases. */
const MAX_SUBCLASSES = 30;
const MAX_DISTANCE = 4;

/**
 * The methods that classes named in the issue inherit and do not override, by slot. Bases are visited level by level,
 * which is the order of method resolution but for diamonds.
 */
export function inheritedMethods(
  { names }: ResolvedIssue,
  index: SearchIndex,
): Map<number, InheritedMember> {
  const inherited = new Map<number, InheritedMember>();
  for (const { slots, definitions } of names) {
    if (definitions > MAX_SUBCLASSES) continue;
    for (const subclass of slots) {
      if (index.chunk(subclass).kind !== 'class') continue;
      for (const { slot, distance } of methodsOfBases(subclass, index)) {
        const value = 1 / (distance * Math.sqrt(definitions));
        if (value > (inherited.get(slot)?.value ?? 0)) inherited.set(slot, { value, subclass });
      }
    }
  }
  return inherited;
}

function methodsOfBases(
  subclass: number,
  index: SearchIndex,
): { slot: number; distance: number }[] {
  const methods: { slot: number; distance: number }[] = [];
  const names = new Set(membersOf(subclass, index).map((slot) => index.chunk(slot).name));
  const visited = new Set([subclass]);
  let level = [subclass];
  for (let distance = 1; distance <= MAX_DISTANCE && level.length > 0; distance++) {
    level = level.flatMap((class_) => basesOf(class_, index)).filter((base) => !visited.has(base));
    for (const base of level) {
      visited.add(base);
      for (const slot of membersOf(base, index)) {
        const { name } = index.chunk(slot);
        if (names.has(name)) continue;
        names.add(name);
        methods.push({ slot, distance });
      }
    }
  }
  return methods;
}

/** The classes that a class names as its bases, as far as they are in the repository. */
export function basesOf(class_: number, index: SearchIndex): number[] {
  return certainly(index.callees(class_));
}

/** The classes that name this one as a base. */
export function subclassesOf(class_: number, index: SearchIndex): number[] {
  return certainly(index.callers(class_));
}

function certainly(neighbors: readonly Neighbor[]): number[] {
  return neighbors
    .filter(({ kind, guess }) => kind === 'inherit' && !guess)
    .map(({ slot }) => slot);
}
