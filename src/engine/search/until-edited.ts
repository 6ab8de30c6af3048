import type { SearchIndex } from '../snapshot/types.ts';

/** What is the same for every issue is worked out once, and again after an edit of the index. */
export function untilEdited<Made>(
  make: (index: SearchIndex) => Made,
): (index: SearchIndex) => Made {
  const known = new WeakMap<SearchIndex, { edits: number; length: number; made: Made }>();
  return (index) => {
    const { edits, chunks } = index;
    const before = known.get(index);
    if (before?.edits === edits && before.length === chunks.length) return before.made;
    const made = make(index);
    known.set(index, { edits, length: chunks.length, made });
    return made;
  };
}
