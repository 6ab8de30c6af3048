/**
 * Marks, a person's verdicts on results. `app.db`, requests, the feedback of a search, exported lists and the window all use
 * this enumeration.
 */
import type { ChunkAddress } from './address.ts';
import type { HashedChunk } from './chunk.ts';

/** `edit`: the fix edits it. `read`: worth reading for the fix, but not edited. `irrelevant`: unrelated to the issue. */
export const MARKS = ['edit', 'read', 'irrelevant'] as const;
export type Mark = (typeof MARKS)[number];

export const MARK_TITLES: Readonly<Record<Mark, string>> = {
  edit: 'Edit here',
  read: 'Worth reading',
  irrelevant: 'Not relevant',
};

export function mapMarks<Value>(value: (mark: Mark) => Value): Record<Mark, Value> {
  return Object.fromEntries(MARKS.map((mark) => [mark, value(mark)])) as Record<Mark, Value>;
}

export interface MarkedChunk {
  /** Address when it was marked. */
  address: ChunkAddress;
  mark: Mark | null;
  note: string;
  updatedAt: string;
  /** Change since it was marked; `changed` means at the same address. See `AnchorState` in `services/exchange`. */
  state: 'same' | 'moved' | 'changed' | 'moved and changed' | 'gone';
  now: HashedChunk | null;
}

export interface MarksResult {
  /** Chunks that were not stored, because this version of the repository lacks them and they had no mark before. */
  missing: ChunkAddress[];
  /** Id of the issue with these marks. Differs from the given id if the issue was saved as a version of an earlier one. */
  issue: string;
}
