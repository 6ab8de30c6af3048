import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type HTMLAttributes,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { useApp } from '../../platform/state.ts';
import { getRemInPixels } from '../../ui/theme.ts';
import { NOTE_EDITOR_HEIGHT, NoteEditor } from './NoteEditor.tsx';
import { useNotes } from './notes.ts';
import styles from './results.module.css';
import { useListScroll, useRowMotion } from './row-motion.ts';

type Scroller = RefObject<HTMLDivElement | null>;

/**
 * Chooses the rows of the list or the tree to render.
 * @param getHeight returns the height of a row in rem, without its note's editor
 * @param arrangement rows are measured again when it changes
 */
export function useDrawnRows<Row extends { key: string }>(
  scroller: Scroller,
  rows: readonly Row[],
  getHeight: (row: Row) => number,
  arrangement?: unknown,
) {
  const editing = useNotes((state) => state.editing);
  const zoom = useApp((state) => state.settings?.zoom);
  const written = editing ? rows.findIndex(({ key }) => key === editing) : -1;
  const rem = getRemInPixels();
  const virtual = useVirtualizer({
    count: rows.length,
    rangeExtractor: (range) => extendRange(range, written),
    getScrollElement: () => scroller.current,
    estimateSize: (at) => {
      const row = rows[at];
      return row ? rem * (getHeight(row) + (at === written ? NOTE_EDITOR_HEIGHT : 0)) : 0;
    },
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights depend on these
  useLayoutEffect(() => virtual.measure(), [virtual, rows, zoom, written, arrangement]);
  useEffect(() => {
    if (written >= 0) virtual.scrollToIndex(written);
  }, [written, virtual]);
  useRowMotion(scroller, virtual.getVirtualItems());
  return { virtual, written };
}

/** Returns the rows in view, and the row whose note is being edited even if it is out of view. */
function extendRange(range: Range, written: number): number[] {
  const inView = defaultRangeExtractor(range);
  return written < 0 || inView.includes(written)
    ? inView
    : [...inView, written].sort((a, b) => a - b);
}

/**
 * Keeps the active row in view when the list changes its size or its rows their height: the evidence opens below it, the window
 * is zoomed or its panes are rearranged, which also resets the scroll position.
 */
function useKeepInView(scroller: Scroller, virtual: Virtual, index: number): void {
  const zoom = useApp((state) => state.settings?.zoom);
  const active = useRef(index);
  const wasInView = useRef(false);
  const keep = useRef(() => {});
  useEffect(() => {
    const { current: list } = scroller;
    if (!list) return;
    const note = () => {
      const { scrollTop, clientHeight } = list;
      const row = virtual.measurementsCache[active.current];
      // A hidden list tells nothing.
      if (!row || clientHeight === 0) return;
      wasInView.current = row.start < scrollTop + clientHeight && row.end > scrollTop;
    };
    keep.current = () => {
      if (wasInView.current && list.clientHeight > 0) virtual.scrollToIndex(active.current);
    };
    const observer = new ResizeObserver(() => keep.current());
    observer.observe(list);
    list.addEventListener('scroll', note);
    note();
    return () => {
      observer.disconnect();
      list.removeEventListener('scroll', note);
    };
  }, [scroller, virtual]);
  useEffect(() => {
    // The list and the tree scroll to a row when it becomes active.
    if (active.current !== index) wasInView.current = true;
    active.current = index;
  }, [index]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the zoom changes the height of rows
  useEffect(() => keep.current(), [zoom]);
}

type Virtual = ReturnType<typeof useDrawnRows>['virtual'];

interface RowsPaneProps extends HTMLAttributes<HTMLDivElement> {
  scroller: Scroller;
  drawn: ReturnType<typeof useDrawnRows>;
  /** Index of the active row, whose element is `result-<index>`; -1 for none. */
  index: number;
  role: 'listbox' | 'tree';
  children: ReactNode;
}

/** Scroll container of the list and the tree, which has the focus on behalf of its rows. */
export function RowsPane({ scroller, drawn, index, role, className, ...rest }: RowsPaneProps) {
  const { virtual, written } = drawn;
  useListScroll(scroller);
  useKeepInView(scroller, virtual, index);
  const editing = useNotes((state) => state.editing);
  const items = virtual.getVirtualItems();
  const isDrawn = items.some(({ index: at }) => at === index);
  const note = items.find(({ index: at }) => at === written);
  const height = NOTE_EDITOR_HEIGHT * getRemInPixels();
  return (
    <div ref={scroller} className={styles.scroller}>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: listboxes and trees may have an active descendant */}
      <div
        role={role}
        className={`${styles.rows} ${className}`}
        aria-multiselectable="true"
        aria-activedescendant={isDrawn ? `result-${index}` : undefined}
        tabIndex={0}
        data-pane-focus
        style={{ height: virtual.getTotalSize() }}
        {...rest}
      />
      {note && editing && (
        <NoteEditor key={editing} address={editing} top={note.end - height} height={height} />
      )}
    </div>
  );
}
