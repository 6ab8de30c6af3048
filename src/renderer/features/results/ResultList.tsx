import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { focusPane } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { Source } from '../../ui/controls.tsx';
import { pointAtList, toggleCollapsed, useFilters, useSearch } from '../search/index.ts';
import { sharesOf, totalOf } from './evidence.ts';
import { NoteEditor } from './NoteEditor.tsx';
import { splitPath } from './names.ts';
import { useNotes } from './notes.ts';
import { ResultRow } from './ResultRow.tsx';
import styles from './results.module.css';
import { useRowMotion } from './row-motion.ts';
import type { ChunkRow, HeaderRow, Row, Rows } from './rows.ts';
import { choose, clearSelection, extendTo, toggle, useSelection } from './selection.ts';

/** Heights in rem; at 100 %, a rem is 13 pixels. */
const HEIGHTS = {
  chunk: 46 / 13,
  header: 30 / 13,
  verdict: 20 / 13,
  note: 19 / 13,
  noteEditor: 92 / 13,
};

/** The rows that are on the screen, of any number. One of them is active, any may be selected. */
export function ResultList({ rows, chunks }: Rows) {
  const scroller = useRef<HTMLDivElement>(null);
  const active = useSearch((state) => state.selected);
  const results = useSearch((state) => state.response?.results);
  const picked = useSelection((state) => state.picked);
  const editing = useNotes((state) => state.editing);
  const zoom = useApp((state) => state.settings?.zoom);
  const most = useMemo(
    () => Math.max(...(results ?? []).map(({ evidence }) => totalOf(sharesOf(evidence))), 1e-9),
    [results],
  );
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => rem * heightOf(rows[at], editing),
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what heights are made of
  useLayoutEffect(() => virtual.measure(), [virtual, rows, editing, zoom]);
  const index = rows.findIndex(({ key }) => key === active);
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  // Only a move of the user scrolls: a chunk that is ranked anew does not take the list along.
  useEffect(() => {
    const at = rowsNow.current.findIndex(({ key }) => key === active);
    // The file's name comes into view with its first chunk.
    if (rowsNow.current[at - 1]?.type === 'header') virtual.scrollToIndex(at - 1);
    if (at >= 0) virtual.scrollToIndex(at);
  }, [active, virtual]);
  const shown = virtual.getVirtualItems();
  useRowMotion(scroller, shown);
  // A list that goes leaves no pointer on it.
  useEffect(() => () => pointAtList(false), []);
  const note = editing ? shown.find(({ key }) => key === editing) : undefined;
  return (
    <div ref={scroller} className={styles.scroller}>
      <div
        className={styles.list}
        role="listbox"
        aria-label="Ranked results"
        aria-multiselectable="true"
        aria-activedescendant={
          shown.some(({ index: at }) => at === index) ? `result-${index}` : undefined
        }
        tabIndex={0}
        data-pane-focus
        onPointerEnter={() => pointAtList(true)}
        onPointerLeave={() => pointAtList(false)}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={(event) => byKey(event, chunks)}
      >
        {shown.map(({ index: at, key, start, size }) => {
          const row = rows[at];
          if (!row) return null;
          const style = { height: size, translate: `0 ${start}px` };
          return row.type === 'header' ? (
            <Header key={key} row={row} style={style} />
          ) : (
            <ResultRow
              key={key}
              id={`result-${at}`}
              row={row}
              count={chunks.length}
              most={most}
              grouped={isBelowFile(rows, at)}
              active={at === index}
              selected={picked.size > 0 ? picked.has(row.key) : at === index}
              editing={row.key === editing}
              style={style}
              onPick={pick}
            />
          );
        })}
      </div>
      {note && editing && (
        <NoteEditor
          key={editing}
          address={editing}
          top={note.end - HEIGHTS.noteEditor * rem}
          height={HEIGHTS.noteEditor * rem}
        />
      )}
    </div>
  );
}

function heightOf(row: Row | undefined, editing: string | null): number {
  if (!row) return 0;
  if (row.type === 'header') return HEIGHTS.header;
  const below = row.key === editing ? HEIGHTS.noteEditor : row.marked?.note ? HEIGHTS.note : 0;
  return HEIGHTS.chunk + (row.verified?.verdict ? HEIGHTS.verdict : 0) + below;
}

function isBelowFile(rows: readonly Row[], at: number): boolean {
  for (let above = at - 1; above >= 0; above -= 1) {
    const row = rows[above];
    if (row?.type === 'header') return row.path !== null;
  }
  return false;
}

/** The name of a file, which a click or the arrow keys fold, or of a kind of marks. */
function Header({ row, style }: { row: HeaderRow; style: CSSProperties }) {
  const { path, title, count, hidden } = row;
  const Chevron = hidden > 0 ? ChevronRight : ChevronDown;
  const [folder, file] = splitPath(title);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: left and right in the list do the same
    <div
      role="presentation"
      className={styles.header}
      data-path={path ?? undefined}
      style={style}
      onClick={() => path !== null && count > 1 && toggleCollapsed(path)}
    >
      {path === null ? (
        <span className={styles.section}>{title}</span>
      ) : (
        <>
          <Chevron size={14} aria-hidden="true" data-single={count === 1 || undefined} />
          <Source className={styles.folder} text={folder} />
          <Source className={styles.file} text={file} />
        </>
      )}
      <span className={styles.headerCount}>{hidden > 0 ? `1 of ${count}` : count}</span>
    </div>
  );
}

/** A click chooses, with Ctrl or ⌘ it adds or takes out, with Shift it takes all up to here. */
function pick(event: MouseEvent, { key }: ChunkRow): void {
  if (event.type === 'contextmenu') {
    if (!useSelection.getState().picked.has(key)) choose(key);
  } else if (event.shiftKey) extendTo(key);
  else if (event.ctrlKey || event.metaKey) toggle(key);
  else choose(key);
}

const PAGE = 10;

function byKey(event: KeyboardEvent, chunks: readonly ChunkRow[]): void {
  const { selected } = useSearch.getState();
  const index = chunks.findIndex(({ key }) => key === selected);
  const last = chunks.length - 1;
  const moves: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + PAGE,
    PageUp: index - PAGE,
    Home: 0,
    End: last,
  };
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
  if (altKey) return;
  const move = moves[key];
  if (move !== undefined) {
    const to = chunks[Math.max(0, Math.min(last, move))];
    if (!to) return;
    if (shiftKey) extendTo(to.key);
    else choose(to.key);
  } else if (key === ' ' && (ctrlKey || metaKey) && selected) toggle(selected);
  else if (key === 'Enter') focusPane('side');
  else if (key === 'Escape' && useSelection.getState().picked.size > 0) clearSelection();
  else if (key === 'ArrowLeft' || key === 'ArrowRight') fold(chunks[index], key === 'ArrowLeft');
  else return;
  event.preventDefault();
}

/** Folds the active chunk's file to its best chunk, which is then the active one; or unfolds it. */
function fold(row: ChunkRow | undefined, folded: boolean): void {
  if (!row || !useApp.getState().settings?.groupByFile) return;
  const { path } = row.chunk;
  const { view, collapsed } = useFilters.getState();
  if (view !== 'ranked' || collapsed.has(path) === folded) return;
  const best = useSearch.getState().response?.results.find((result) => result.path === path);
  toggleCollapsed(path);
  if (folded && best) choose(best.address);
}
