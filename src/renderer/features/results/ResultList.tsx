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
import { SourceText } from '../../ui/controls.tsx';
import { splitPath } from '../../ui/names.ts';
import { resolveStep } from '../../ui/steps.ts';
import { getRemInPixels } from '../../ui/theme.ts';
import {
  getCurrentResponse,
  getCurrentSelected,
  getResponse,
  toggleCollapsed,
  useFilters,
  useSearch,
  useSelected,
} from '../search/index.ts';
import { sumByFamily, sumShares } from './evidence.ts';
import { useNotes } from './notes.ts';
import { ResultRow } from './ResultRow.tsx';
import { RowsPane, useDrawnRows } from './RowsPane.tsx';
import styles from './results.module.css';
import type { ResultChunkRow, ResultHeaderRow, ResultListRow, ResultRows } from './rows.ts';
import {
  adjacentToActive,
  chooseResult,
  clearSelection,
  extendTo,
  handleRowClick,
  toggleSelected,
  useSelection,
} from './selection.ts';
import { listSnippetWords, useSnippets } from './snippets.ts';

/** Heights in rem; at 100 %, a rem is 13 pixels. */
const HEIGHTS = {
  chunk: 46 / 13,
  reasons: 20 / 13,
  snippet: 20 / 13,
  header: 30 / 13,
  checked: 20 / 13,
  note: 19 / 13,
};

/** Width in rem from which a row shows its snippet on the right instead of below. */
const WIDE = 46;

/** The ranked list, of which only visible rows are rendered. One row is active, several can be selected. */
export function ResultList({ rows, chunks }: ResultRows) {
  const scroller = useRef<HTMLDivElement>(null);
  const active = useSelected();
  const results = useSearch((state) => getResponse(state)?.results);
  const picked = useSelection((state) => state.picked);
  const editing = useNotes((state) => state.editing);
  const maxTotal = useMemo(
    () =>
      Math.max(...(results ?? []).map(({ evidence }) => sumShares(sumByFamily(evidence))), 1e-9),
    [results],
  );
  const wide = useWidth(scroller) >= WIDE * getRemInPixels();
  const drawn = useDrawnRows(scroller, rows, (row) => getHeight(row, editing, wide), wide);
  const { virtual } = drawn;
  const index = rows.findIndex(({ key }) => key === active);
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  const byFile = rows[0]?.type === 'header';
  // Scrolls only if the user moved or the grouping changed, not if the rank of the active chunk changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: grouping by file moves all rows
  useEffect(() => {
    const at = rowsNow.current.findIndex(({ key }) => key === active);
    // Shows the file's header together with its first chunk.
    if (rowsNow.current[at - 1]?.type === 'header') virtual.scrollToIndex(at - 1);
    if (at >= 0) virtual.scrollToIndex(at);
  }, [active, byFile, virtual]);
  const shown = virtual.getVirtualItems();
  const snippets = useSnippets(shown.map(({ index: at }) => rows[at]));
  return (
    <RowsPane
      scroller={scroller}
      drawn={drawn}
      index={index}
      className={styles.list}
      role="listbox"
      aria-label="Ranked results"
      data-wide={wide || undefined}
      onKeyDown={(event) => handleKey(event, chunks)}
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
            maxTotal={maxTotal}
            grouped={isBelowFile(rows, at)}
            active={at === index}
            selected={picked.size > 0 ? picked.has(row.key) : at === index}
            editing={row.key === editing}
            snippet={hasSnippet(row) ? (snippets.get(row.key) ?? null) : undefined}
            wide={wide}
            style={style}
            onPick={handleRowClick}
          />
        );
      })}
    </RowsPane>
  );
}

function getHeight(row: ResultListRow, editing: string | null, wide: boolean): number {
  if (row.type === 'header') return HEIGHTS.header;
  return (
    HEIGHTS.chunk +
    (row.chunk.evidence ? HEIGHTS.reasons : 0) +
    (hasSnippet(row) && !wide ? HEIGHTS.snippet : 0) +
    (row.checked?.isEdit ? HEIGHTS.checked : 0) +
    (row.marked?.note && row.key !== editing ? HEIGHTS.note : 0)
  );
}

/** Returns true if the row will have a snippet. Space is reserved before it is loaded, so that rows do not grow. */
const hasSnippet = ({ chunk }: ResultChunkRow): boolean =>
  listSnippetWords(chunk.evidence).length > 0;

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

function isBelowFile(rows: readonly ResultListRow[], at: number): boolean {
  const header = rows.findLast((row, above) => above < at && row.type === 'header');
  return header?.type === 'header' && header.path !== null;
}

/** Header of a file, which a click or the arrow keys collapse, or of a section of marked results. */
function Header({ row, style }: { row: ResultHeaderRow; style: CSSProperties }) {
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
          <SourceText className={styles.folder} text={folder} />
          <SourceText className="ellipsis" text={file} />
        </>
      )}
      <span className={styles.headerCount}>{hidden > 0 ? `1 of ${count}` : count}</span>
    </div>
  );
}

const PAGE = 10;

function handleKey(event: KeyboardEvent, chunks: readonly ResultChunkRow[]): void {
  const selected = getCurrentSelected();
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
  if (altKey) return;
  const move = resolveStep(key, adjacentToActive(), chunks.length, PAGE);
  if (move !== null) {
    const to = chunks[move];
    if (!to) return;
    if (shiftKey) extendTo(to.key);
    else chooseResult(to.key);
  } else if (key === ' ' && (ctrlKey || metaKey) && selected) toggleSelected(selected);
  else if (key === 'Enter') focusPane('side');
  else if (key === 'Escape' && useSelection.getState().picked.size > 0) clearSelection();
  else if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const row = chunks.find((chunk) => chunk.key === selected);
    if (row) fold(row, key === 'ArrowLeft');
  } else return;
  event.preventDefault();
}

/** Collapses the active chunk's file to its best chunk, which becomes active, or expands it. */
function fold({ chunk: { path } }: ResultChunkRow, isCollapsed: boolean): void {
  if (!useApp.getState().settings?.groupByFile) return;
  const { view, collapsed } = useFilters.getState();
  if (view !== 'ranked' || collapsed.has(path) === isCollapsed) return;
  const best = getCurrentResponse()?.results.find((result) => result.path === path);
  toggleCollapsed(path);
  if (isCollapsed && best) chooseResult(best.address);
}
