/** Bits of a node's flags. */
export const NAMED = 1;
export const MISSING = 2;
export const HAS_ERROR = 4;

/**
 * Visible nodes of a syntax tree in columns of numbers, in the order of the text, outer before inner. The children of node i are
 * i + 1, then the `nexts` of each child, up to `nexts[i]`. The arrays may be longer than the tree.
 */
export class TreeColumns {
  count = 0;
  /** Type of each node, as an index in the grammar's types. */
  kinds = new Uint16Array(INITIAL_LENGTH);
  flags = new Uint8Array(INITIAL_LENGTH);
  /** Field of each node in its parent; 0 if it has none. */
  fields = new Uint16Array(INITIAL_LENGTH);
  /** Number of each node's list of supertypes in `GrammarTables.supertypeLists`. */
  supertypes = new Uint16Array(INITIAL_LENGTH);
  /** Offsets in the text. */
  starts = new Int32Array(INITIAL_LENGTH);
  ends = new Int32Array(INITIAL_LENGTH);
  /** Number of the first node after each node and its descendants. */
  nexts = new Int32Array(INITIAL_LENGTH);
  /** Number of each node's parent; -1 for the root. */
  parents = new Int32Array(INITIAL_LENGTH);

  /** Makes room for one more node. */
  reserve(): void {
    const length = 2 * this.kinds.length;
    if (this.count < this.kinds.length) return;
    this.kinds = growArray(this.kinds, length);
    this.flags = growArray(this.flags, length);
    this.fields = growArray(this.fields, length);
    this.supertypes = growArray(this.supertypes, length);
    this.starts = growArray(this.starts, length);
    this.ends = growArray(this.ends, length);
    this.nexts = growArray(this.nexts, length);
    this.parents = growArray(this.parents, length);
  }
}

const INITIAL_LENGTH = 4096;

/** Returns a longer copy of an array. */
export function growArray<A extends Uint8Array | Uint16Array | Int32Array>(
  array: A,
  length: number,
): A {
  const copy = new (array.constructor as new (length: number) => A)(length);
  copy.set(array);
  return copy;
}
