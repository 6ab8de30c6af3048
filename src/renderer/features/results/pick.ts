/** What a click on a result does, in the list and in the tree. */
import type { MouseEvent } from 'react';
import type { ChunkRow } from './rows.ts';
import { choose, extendTo, toggle, useSelection } from './selection.ts';

/** A click chooses, with Ctrl or ⌘ it adds or takes out, with Shift it takes all up to here. */
export function pick(event: MouseEvent, { key }: ChunkRow): void {
  if (event.type === 'contextmenu') {
    if (!useSelection.getState().picked.has(key)) choose(key);
  } else if (event.shiftKey) extendTo(key);
  else if (event.ctrlKey || event.metaKey) toggle(key);
  else choose(key);
}
