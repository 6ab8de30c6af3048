/** The same method in other classes of a hierarchy. */
import { membersOf } from '../../snapshot/members.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { basesOf, subclassesOf } from '../inheritance.ts';

/** Slots of methods of one name, the nearest class first. */
export interface Overrides {
  /** That this one overrides. */
  above: number[];
  /** That override this one. */
  below: number[];
  /** Of classes that share a base with this one's. */
  beside: number[];
}

/** Classes that are looked at in each direction. */
const MOST_CLASSES = 60;

export function overridesOf(slot: number, index: SearchIndex): Overrides {
  const { kind, parent, name } = index.chunk(slot);
  if (kind !== 'method' || parent < 0) return { above: [], below: [], beside: [] };
  const named = (classes: readonly number[]) =>
    classes.flatMap((class_) =>
      membersOf(class_, index).filter((member) => index.chunk(member).name === name),
    );
  const above = reachedFrom(parent, (class_) => basesOf(class_, index));
  const below = reachedFrom(parent, (class_) => subclassesOf(class_, index));
  const related = new Set([parent, ...above, ...below]);
  const beside = new Set(
    basesOf(parent, index)
      .flatMap((base) => subclassesOf(base, index))
      .filter((class_) => !related.has(class_)),
  );
  return {
    above: named(above),
    below: named(below),
    beside: named([...beside].slice(0, MOST_CLASSES)),
  };
}

/** What a class leads to, level by level, without itself. */
function reachedFrom(class_: number, next: (class_: number) => readonly number[]): number[] {
  const found = new Set([class_]);
  for (const one of found) {
    for (const other of next(one)) if (found.size <= MOST_CLASSES) found.add(other);
  }
  found.delete(class_);
  return [...found];
}
