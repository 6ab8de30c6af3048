import { defaultRangeExtractor, type Range, type Virtualizer } from '@tanstack/react-virtual';
import type { HTMLAttributes, ReactNode, RefObject } from 'react';
import { NOTE_EDITOR_HEIGHT, NoteEditor } from './NoteEditor.tsx';
import { useNotes } from './notes.ts';
import { useListScroll } from './row-motion.ts';
import styles from './rowsPane.module.css';

interface RowsPaneProps extends HTMLAttributes<HTMLDivElement> {
  scroller: RefObject<HTMLDivElement | null>;
  virtual: Virtualizer<HTMLDivElement, Element>;
  /** Place of the active row, whose element is `result-<place>`; -1 for none. */
  index: number;
  role: 'listbox' | 'tree';
  /** The place of the row whose note is being written, -1 for none, and a rem in pixels. */
  written: number;
  rem: number;
  children: ReactNode;
}

/** Those in view; and one whose note is being written, -1 for none, wherever it goes meanwhile. */
export function drawnRows(range: Range, written: number): number[] {
  const inView = defaultRangeExtractor(range);
  return written < 0 || inView.includes(written)
    ? inView
    : [...inView, written].sort((a, b) => a - b);
}

/** What scrolls in the list and in the tree: has the focus for all rows. */
export function RowsPane({
  scroller,
  virtual,
  index,
  written,
  rem,
  children,
  role,
  ...rest
}: RowsPaneProps) {
  useListScroll(scroller);
  const editing = useNotes((state) => state.editing);
  const drawn = virtual.getVirtualItems();
  const isDrawn = drawn.some(({ index: at }) => at === index);
  const note = drawn.find(({ index: at }) => at === written);
  const height = NOTE_EDITOR_HEIGHT * rem;
  return (
    <div ref={scroller} className={styles.scroller}>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: listboxes and trees may have an active descendant */}
      <div
        role={role}
        aria-activedescendant={isDrawn ? `result-${index}` : undefined}
        tabIndex={0}
        data-pane-focus
        style={{ height: virtual.getTotalSize() }}
        {...rest}
      >
        {children}
      </div>
      {note && editing && (
        <NoteEditor key={editing} address={editing} top={note.end - height} height={height} />
      )}
    </div>
  );
}
