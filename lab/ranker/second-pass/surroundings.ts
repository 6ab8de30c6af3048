import type { SearchIndex } from '../../../src/engine/snapshot/types.ts';

/**
 * How the candidates of a search lie to one another. By candidate: numbers that are equal where the file, the folder,
 * the outermost definition or the simple name is, the place of the enclosing class among the candidates, and who
 * calls whom.
 */
export interface Surroundings {
  file: Int32Array;
  folder: Int32Array;
  /** The class, for itself and what is in it; elsewhere the chunk alone. */
  class: Int32Array;
  name: Int32Array;
  /** Candidate that is the enclosing class, or -1. */
  parent: Int32Array;
  /** Pairs caller, callee of candidates; without guesses and calls to itself. */
  calls: Int32Array;
}

/** @param slots the candidates. */
export function surroundingsOf(slots: readonly number[], index: SearchIndex): Surroundings {
  const at = new Map(slots.map((slot, i) => [slot, i]));
  const chunks = slots.map((slot) => index.chunk(slot));
  const calls: number[] = [];
  for (const [i, slot] of slots.entries()) {
    const callees = new Set<number>();
    for (const callee of index.callees(slot)) {
      const j = callee.guess ? undefined : at.get(callee.slot);
      if (j !== undefined && j !== i) callees.add(j);
    }
    for (const j of callees) calls.push(i, j);
  }
  return {
    file: numbered(chunks.map(({ path }) => path)),
    folder: numbered(chunks.map(({ path }) => path.slice(0, path.lastIndexOf('/') + 1))),
    class: numbered(
      slots.map((slot) => {
        const { kind, parent } = index.chunk(slot);
        return kind === 'class' || parent < 0 ? slot : parent;
      }),
    ),
    name: numbered(chunks.map(({ qualifiedName }) => simpleName(qualifiedName))),
    parent: Int32Array.from(chunks, ({ parent }) => at.get(parent) ?? -1),
    calls: Int32Array.from(calls),
  };
}

function simpleName(qualifiedName: string): string {
  return qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
}

/** Equal keys get equal numbers, from 0. */
function numbered(keys: readonly (string | number)[]): Int32Array {
  const numbers = new Map<string | number, number>();
  return Int32Array.from(keys, (key) => {
    let number = numbers.get(key);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(key, number);
    }
    return number;
  });
}
