/**
 * What a person says of a result. The one enumeration of it: `app.db`, requests, the feedback of a search, exported
 * lists and the window have these words.
 */
import type { ChunkAddress } from './address.ts';
import type { HashedChunk } from './chunk.ts';

/** To be edited; worth reading for the fix, but stays as it is; not what the issue is about. */
export const MARKS = ['edit', 'read', 'irrelevant'] as const;
export type Mark = (typeof MARKS)[number];

export const MARK_TITLES: Readonly<Record<Mark, string>> = {
  edit: 'Edit here',
  read: 'Read for it',
  irrelevant: 'Not relevant',
};

export function byMark<Value>(value: (mark: Mark) => Value): Record<Mark, Value> {
  return Object.fromEntries(MARKS.map((mark) => [mark, value(mark)])) as Record<Mark, Value>;
}

export interface MarkedChunk {
  /** Where the chunk was when it was marked. */
  address: ChunkAddress;
  mark: Mark | null;
  note: string;
  updatedAt: string;
  /** Where it is now: `same`, `changed` in place, `moved`, …; see `AnchorState` in the engine's exchange folder. */
  state: 'same' | 'moved' | 'changed' | 'moved and changed' | 'gone';
  now: HashedChunk | null;
}

export interface MarksSet {
  /** Chunks that this version of the repository lacks and that had no mark before; the others are stored. */
  missing: ChunkAddress[];
  /** Whose marks they are: another id than was given where the issue was saved as another version of an earlier one. */
  issue: string;
}
