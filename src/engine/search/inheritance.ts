import type { Issue } from './issue.ts';
import { membersOf } from './members.ts';
import type { SearchIndex } from './types.ts';

/** How a method comes to a class that the issue names. */
export interface Legacy {
  /** 1 / (distance to the class that defines it × root of the number of definitions that share the heir's name). */
  value: number;
  /** Slot of the class that is named. */
  heir: number;
}

/** Names that many classes have say nothing of their bases. */
const MAX_HEIRS = 30;
const MAX_DISTANCE = 4;

/**
 * The methods that classes named in the issue inherit and do not override, by slot. Bases are visited level by level,
 * which is the order of method resolution but for diamonds.
 */
export function inheritedMethods({ names }: Issue, index: SearchIndex): Map<number, Legacy> {
  const legacies = new Map<number, Legacy>();
  for (const { slots, definitions } of names) {
    if (definitions > MAX_HEIRS) continue;
    for (const heir of slots) {
      if (index.chunks[heir]!.kind !== 'class') continue;
      for (const { slot, distance } of methodsOfBases(heir, index)) {
        const value = 1 / (distance * Math.sqrt(definitions));
        if (value > (legacies.get(slot)?.value ?? 0)) legacies.set(slot, { value, heir });
      }
    }
  }
  return legacies;
}

function methodsOfBases(heir: number, index: SearchIndex): { slot: number; distance: number }[] {
  const methods: { slot: number; distance: number }[] = [];
  const names = new Set(membersOf(heir, index).map((slot) => index.chunks[slot]!.name));
  const visited = new Set([heir]);
  let level = [heir];
  for (let distance = 1; distance <= MAX_DISTANCE && level.length > 0; distance++) {
    level = level.flatMap((class_) => basesOf(class_, index)).filter((base) => !visited.has(base));
    for (const base of level) {
      visited.add(base);
      for (const slot of membersOf(base, index)) {
        const { name } = index.chunks[slot]!;
        if (names.has(name)) continue;
        names.add(name);
        methods.push({ slot, distance });
      }
    }
  }
  return methods;
}

function basesOf(class_: number, index: SearchIndex): number[] {
  return index
    .callees(class_)
    .filter(({ kind, guess }) => kind === 'inherit' && !guess)
    .map(({ slot }) => slot);
}
