import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight, FileCode2, Folder, FolderOpen, StickyNote } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { MARK_TITLES } from '../../../shared/marks.ts';
import { focusPane } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { Source } from '../../ui/controls.tsx';
import { counted } from '../../ui/counts.ts';
import { KIND_ICONS } from '../../ui/kinds.ts';
import { useSearch, useSelected } from '../search/index.ts';
import {
  fold,
  isOpenIn,
  openAround,
  type TreeRow as RowOf,
  treeRows,
  useFolds,
} from './folders.ts';
import { MARK_ICONS } from './marks-look.ts';
import { NOTE_EDITOR_HEIGHT } from './NoteEditor.tsx';
import { splitName } from './names.ts';
import { useNotes } from './notes.ts';
import { drawnRows, RowsPane } from './RowsPane.tsx';
import styles from './resultTree.module.css';
import { useRowMotion } from './row-motion.ts';
import type { ChunkRow } from './rows.ts';
import { choose, clearSelection, extendTo, pick, toggle, useSelection } from './selection.ts';

type TreeRow = RowOf<ChunkRow>;

/** Of a row, in rem. */
const HEIGHT = 2;
const PAGE = 10;

/** The results by folder and file, with the best rank and the number of results of each; any number of them. */
export function ResultTree({ chunks }: { chunks: readonly ChunkRow[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const selected = useSelected();
  const picked = useSelection((state) => state.picked);
  const zoom = useApp((state) => state.settings?.zoom);
  const rows = useOpenRows(chunks);
  const [active, setActive] = useState<string | null>(selected);
  const editing = useNotes((state) => state.editing);
  const written = editing ? rows.findIndex(({ key }) => key === editing) : -1;
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => rem * (HEIGHT + (at === written ? NOTE_EDITOR_HEIGHT : 0)),
    rangeExtractor: (range) => drawnRows(range, written),
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what heights are made of
  useLayoutEffect(() => virtual.measure(), [virtual, rows, zoom, written]);
  useRevealed(selected, chunks, setActive);
  const index = rows.findIndex(({ key }) => key === active);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a move of the user scrolls
  useEffect(() => {
    if (index >= 0) virtual.scrollToIndex(index);
  }, [active, virtual]);
  useNoteInView(editing, chunks);
  useEffect(() => {
    if (written >= 0) virtual.scrollToIndex(written);
  }, [written, virtual]);
  const shown = virtual.getVirtualItems();
  useRowMotion(scroller, shown);

  const go = (row: TreeRow | undefined, extend = false) => {
    if (!row) return;
    setActive(row.key);
    if (row.chunk) (extend ? extendTo : choose)(row.key);
  };
  return (
    <RowsPane
      scroller={scroller}
      virtual={virtual}
      index={index}
      written={written}
      rem={rem}
      className={styles.tree}
      role="tree"
      aria-label="Ranked results by folder"
      aria-multiselectable="true"
      onKeyDown={(event) => {
        if (byKey(event, rows, Math.max(0, index), go)) event.preventDefault();
      }}
    >
      {shown.map(({ index: at, key, start }) => {
        const row = rows[at];
        if (!row) return null;
        const { chunk } = row;
        return (
          <Item
            key={key}
            id={`result-${at}`}
            row={row}
            active={at === index}
            selected={
              chunk ? (picked.size > 0 ? picked.has(key as string) : key === selected) : null
            }
            style={{ height: rem * HEIGHT, translate: `0 ${start}px`, '--level': row.level - 1 }}
            onClick={(event) => {
              setActive(row.key);
              if (chunk) pick(event, chunk);
              else if (event.type === 'click') fold(row.key, !row.open);
            }}
          />
        );
      })}
    </RowsPane>
  );
}

function useOpenRows(chunks: readonly ChunkRow[]): TreeRow[] {
  const folds = useFolds((state) => state.folds);
  const first = chunks[0]?.chunk.path;
  return useMemo(() => treeRows(chunks, isOpenIn(folds, first)), [chunks, folds, first]);
}

/** What comes to be selected, here or elsewhere, is seen, and is the active row. */
function useRevealed(
  selected: string | null,
  chunks: readonly ChunkRow[],
  activate: (key: string) => void,
): void {
  const known = useRef(chunks);
  known.current = chunks;
  useLayoutEffect(() => {
    const row = known.current.find(({ key }) => key === selected);
    if (!row) return;
    if (useSearch.getState().selection?.isChosen) openAround(row.chunk.path);
    activate(row.key);
  }, [selected, activate]);
}

/** A note is written below its row, which may be in a folder that is closed. */
function useNoteInView(editing: string | null, chunks: readonly ChunkRow[]): void {
  const known = useRef(chunks);
  known.current = chunks;
  useLayoutEffect(() => {
    const row = known.current.find(({ key }) => key === editing);
    if (row) openAround(row.chunk.path);
  }, [editing]);
}

/** The keys of a tree, as WAI-ARIA has them, and those of the list. Answers whether it was one. */
function byKey(
  { key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent,
  rows: readonly TreeRow[],
  at: number,
  go: (row: TreeRow | undefined, extend?: boolean) => void,
): boolean {
  const row = rows[at];
  if (altKey || !row) return false;
  const last = rows.length - 1;
  const moves: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE,
    PageUp: at - PAGE,
    Home: 0,
    End: last,
  };
  const move = moves[key];
  const mod = ctrlKey || metaKey;
  if (move !== undefined) go(rows[Math.max(0, Math.min(last, move))], shiftKey);
  else if (key === ' ' && mod && row.chunk) toggle(row.key);
  else if ((key === 'Enter' || (key === ' ' && !mod)) && row.open !== null)
    fold(row.key, !row.open);
  else if (key === 'Enter') focusPane('side');
  else if (key === 'Escape' && useSelection.getState().picked.size > 0) clearSelection();
  else if (key === 'ArrowRight' && row.open === false) fold(row.key, true);
  else if (key === 'ArrowRight' && row.open) go(rows[at + 1]);
  else if (key === 'ArrowLeft' && row.open) fold(row.key, false);
  else if (key === 'ArrowLeft') go(rows.find((other) => other.key === row.parent));
  else return key === 'ArrowRight';
  return true;
}

interface ItemProps {
  id: string;
  row: TreeRow;
  active: boolean;
  /** Null for what cannot be selected: folders and files. */
  selected: boolean | null;
  style: CSSProperties & { '--level': number };
  onClick: (event: MouseEvent) => void;
}

function Item({ id, row, active, selected, style, onClick }: ItemProps) {
  const { chunk, level, at, of, open } = row;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the active row
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={at}
      aria-setsize={of}
      aria-expanded={open ?? undefined}
      aria-selected={selected ?? undefined}
      className={styles.row}
      data-key={row.key}
      data-name={chunk?.chunk.qualifiedName}
      data-path={chunk ? undefined : row.key}
      data-active={active || undefined}
      data-mark={chunk?.marked?.mark ?? undefined}
      style={style}
      onClick={onClick}
      onContextMenu={onClick}
      onDoubleClick={() => chunk && focusPane('side')}
    >
      <span className={styles.rank}>
        <span className="unseen">{chunk ? 'Rank ' : 'Best rank '}</span>
        {row.best ?? '–'}
      </span>
      <span className={styles.twist} data-open={open ?? undefined} aria-hidden="true">
        {open !== null && <ChevronRight size={14} />}
      </span>
      {chunk ? <Result row={chunk} /> : <Container row={row} />}
    </div>
  );
}

function Container({ row: { key, name, count, open } }: { row: TreeRow }) {
  const isFolder = key.endsWith('/');
  const Icon = !isFolder ? FileCode2 : open ? FolderOpen : Folder;
  return (
    <>
      <Icon className={styles.icon} size={15} aria-hidden="true" />
      <Source className={styles.container ?? ''} text={isFolder ? name.slice(0, -1) : name} />
      <span className="unseen">{isFolder ? ' folder' : ' file'}</span>
      <span className={styles.count} title={counted(count, 'result')}>
        {count}
        <span className="unseen">{count === 1 ? ' result' : ' results'}</span>
      </span>
    </>
  );
}

function Result({ row: { chunk, marked } }: { row: ChunkRow }) {
  const Icon = KIND_ICONS[chunk.kind];
  const [owner, name] = splitName(chunk);
  const Mark = marked?.mark && MARK_ICONS[marked.mark];
  return (
    <>
      <Icon className={styles.icon} size={15} aria-label={chunk.kind} />
      <span className={styles.name}>
        {owner && <Source className={styles.owner ?? ''} text={owner} />}
        <Source className={styles.simple ?? ''} text={name} />
      </span>
      {Mark && marked?.mark && (
        <Mark
          className={styles.icon}
          size={14}
          aria-label={`Marked: ${MARK_TITLES[marked.mark]}`}
        />
      )}
      {marked?.note && (
        <StickyNote className={styles.icon} size={14} aria-label={`Note: ${marked.note}`}>
          <title>{marked.note}</title>
        </StickyNote>
      )}
      <span className={styles.count}>
        {chunk.kind === 'module' ? '' : `${chunk.startLine}–${chunk.endLine}`}
      </span>
    </>
  );
}
