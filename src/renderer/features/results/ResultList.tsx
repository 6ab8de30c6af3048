import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { focusPane } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { Source } from '../../ui/controls.tsx';
import {
  responseNow,
  responseOf,
  selectedNow,
  toggleCollapsed,
  useFilters,
  useSearch,
  useSelected,
} from '../search/index.ts';
import { sharesOf, totalOf } from './evidence.ts';
import { NOTE_EDITOR_HEIGHT } from './NoteEditor.tsx';
import { splitPath } from './names.ts';
import { useNotes } from './notes.ts';
import { ResultRow } from './ResultRow.tsx';
import { drawnRows, RowsPane } from './RowsPane.tsx';
import styles from './results.module.css';
import { useRowMotion } from './row-motion.ts';
import type { ChunkRow, HeaderRow, Row, Rows } from './rows.ts';
import {
  besideActive,
  choose,
  clearSelection,
  extendTo,
  pick,
  toggle,
  useSelection,
} from './selection.ts';
import { snippetWords, useSnippets } from './snippets.ts';

/** Heights in rem; at 100 %, a rem is 13 pixels. */
const HEIGHTS = {
  chunk: 46 / 13,
  reasons: 20 / 13,
  snippet: 20 / 13,
  header: 30 / 13,
  verdict: 20 / 13,
  note: 19 / 13,
  noteEditor: NOTE_EDITOR_HEIGHT,
};

/** A row of at least so many rem has its snippet beside all else. */
const WIDE = 46;

/** The rows that are on the screen, of any number. One of them is active, any may be selected. */
export function ResultList({ rows, chunks }: Rows) {
  const scroller = useRef<HTMLDivElement>(null);
  const active = useSelected();
  const results = useSearch((state) => responseOf(state)?.results);
  const picked = useSelection((state) => state.picked);
  const editing = useNotes((state) => state.editing);
  const zoom = useApp((state) => state.settings?.zoom);
  const most = useMemo(
    () => Math.max(...(results ?? []).map(({ evidence }) => totalOf(sharesOf(evidence))), 1e-9),
    [results],
  );
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const wide = useWidth(scroller) >= WIDE * rem;
  const written = editing ? rows.findIndex(({ key }) => key === editing) : -1;
  const virtual = useVirtualizer({
    count: rows.length,
    rangeExtractor: (range) => drawnRows(range, written),
    getScrollElement: () => scroller.current,
    estimateSize: (at) => rem * heightOf(rows[at], editing, wide),
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what heights are made of
  useLayoutEffect(() => virtual.measure(), [virtual, rows, editing, zoom, wide]);
  const index = rows.findIndex(({ key }) => key === active);
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  const byFile = rows[0]?.type === 'header';
  // Only a move of the user scrolls, or another arrangement: a chunk that is ranked anew does not take the list along.
  // biome-ignore lint/correctness/useExhaustiveDependencies: by file, all rows are elsewhere
  useEffect(() => {
    const at = rowsNow.current.findIndex(({ key }) => key === active);
    // The file's name comes into view with its first chunk.
    if (rowsNow.current[at - 1]?.type === 'header') virtual.scrollToIndex(at - 1);
    if (at >= 0) virtual.scrollToIndex(at);
  }, [active, byFile, virtual]);
  // But a row whose note is being written does.
  useEffect(() => {
    if (written >= 0) virtual.scrollToIndex(written);
  }, [written, virtual]);
  const shown = virtual.getVirtualItems();
  useRowMotion(scroller, shown);
  const snippets = useSnippets(shown.map(({ index: at }) => rows[at]));
  return (
    <RowsPane
      scroller={scroller}
      virtual={virtual}
      index={index}
      written={written}
      rem={rem}
      className={styles.list}
      role="listbox"
      aria-label="Ranked results"
      aria-multiselectable="true"
      data-wide={wide || undefined}
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
            snippet={hasSnippet(row) ? (snippets.get(row.key) ?? null) : undefined}
            wide={wide}
            style={style}
            onPick={pick}
          />
        );
      })}
    </RowsPane>
  );
}

function heightOf(row: Row | undefined, editing: string | null, wide: boolean): number {
  if (!row) return 0;
  if (row.type === 'header') return HEIGHTS.header;
  const below = row.key === editing ? HEIGHTS.noteEditor : row.marked?.note ? HEIGHTS.note : 0;
  return (
    HEIGHTS.chunk +
    (row.chunk.evidence ? HEIGHTS.reasons : 0) +
    (hasSnippet(row) && !wide ? HEIGHTS.snippet : 0) +
    (row.verified?.verdict ? HEIGHTS.verdict : 0) +
    below
  );
}

/** Known before the snippet is there: a row that gets it does not grow. */
const hasSnippet = ({ chunk }: ChunkRow): boolean => snippetWords(chunk.evidence).length > 0;

/** In pixels. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    setWidth(current.clientWidth);
    return () => observer.disconnect();
  }, [element]);
  return width;
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
      data-key={row.key}
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

const PAGE = 10;

function byKey(event: KeyboardEvent, chunks: readonly ChunkRow[]): void {
  const selected = selectedNow();
  const index = chunks.findIndex(({ key }) => key === selected);
  const last = chunks.length - 1;
  const { before, after } = besideActive();
  const moves: Record<string, number> = {
    ArrowDown: after,
    ArrowUp: before,
    PageDown: after + PAGE - 1,
    PageUp: before - PAGE + 1,
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
  const best = responseNow()?.results.find((result) => result.path === path);
  toggleCollapsed(path);
  if (folded && best) choose(best.address);
}
