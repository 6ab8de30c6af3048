/**
 * What a person says of a result. The one enumeration of it: `app.db`, requests, the feedback of a search, exported
 * lists and the window have these words.
 */

/** To be edited; worth reading for the fix, but stays as it is; not what the issue is about. */
export const MARKS = ['edit', 'read', 'irrelevant'] as const;
export type Mark = (typeof MARKS)[number];

export const MARK_TITLES: Readonly<Record<Mark, string>> = {
  edit: 'Edit here',
  read: 'Read for it',
  irrelevant: 'Not relevant',
};

/** A record with a value for each mark. */
export function byMark<Value>(value: (mark: Mark) => Value): Record<Mark, Value> {
  return Object.fromEntries(MARKS.map((mark) => [mark, value(mark)])) as Record<Mark, Value>;
}
