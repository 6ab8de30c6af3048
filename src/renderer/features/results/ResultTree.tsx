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
import { formatCell } from '../../../shared/format-cell.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import { MARK_TITLES } from '../../../shared/marks.ts';
import { focusPane } from '../../platform/panes.ts';
import { SourceText } from '../../ui/controls.tsx';
import { KIND_ICONS, MARK_ICONS } from '../../ui/kinds.ts';
import { splitName } from '../../ui/names.ts';
import rowStyles from '../../ui/rows.module.css';
import { getAdjacent, resolveStep } from '../../ui/steps.ts';
import { useSearch, useSelected } from '../search/index.ts';
import {
  buildTreeRows,
  createIsOpen,
  expandAncestors,
  type TreeRow as GenericTreeRow,
  setExpanded,
  useFolds,
} from './folders.ts';
import { useNotes } from './notes.ts';
import { RowsPane, useDrawnRows } from './RowsPane.tsx';
import styles from './resultTree.module.css';
import type { ResultChunkRow } from './rows.ts';
import {
  chooseResult,
  clearSelection,
  extendTo,
  handleRowClick,
  toggleSelected,
  useSelection,
} from './selection.ts';

type TreeRow = GenericTreeRow<ResultChunkRow>;

/** Height of a row in rem. */
const HEIGHT = 2;
const PAGE = 10;

/** The results as a tree of folders and files, each with its best rank and number of results. Only visible rows are rendered. */
export function ResultTree({ chunks }: { chunks: readonly ResultChunkRow[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const selected = useSelected();
  const picked = useSelection((state) => state.picked);
  const rows = useOpenRows(chunks);
  const [active, setActive] = useState<string | null>(selected);
  const drawn = useDrawnRows(scroller, rows, () => HEIGHT);
  const { virtual } = drawn;
  useOnAddressChange(selected, chunks, ({ key, chunk }) => {
    if (useSearch.getState().selection?.isChosen) expandAncestors(chunk.path);
    setActive(key);
  });
  // A note is edited below its row, so its folder must be open.
  const editing = useNotes((state) => state.editing);
  useOnAddressChange(editing, chunks, ({ chunk }) => expandAncestors(chunk.path));
  const index = rows.findIndex(({ key }) => key === active);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls only if the user moved
  useEffect(() => {
    if (index >= 0) virtual.scrollToIndex(index);
  }, [active, virtual]);

  const go = (row: TreeRow | undefined, extend = false) => {
    if (!row) return;
    setActive(row.key);
    if (row.chunk) (extend ? extendTo : chooseResult)(row.key);
  };
  return (
    <RowsPane
      scroller={scroller}
      drawn={drawn}
      index={index}
      className={styles.tree}
      role="tree"
      aria-label="Ranked results by folder"
      onKeyDown={(event) => {
        if (handleKey(event, rows, Math.max(0, index), go)) event.preventDefault();
      }}
    >
      {virtual.getVirtualItems().map(({ index: at, key, start }) => {
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
            style={{ height: `${HEIGHT}rem`, translate: `0 ${start}px`, '--level': row.level - 1 }}
            onClick={(event) => {
              setActive(row.key);
              if (chunk) handleRowClick(event, chunk);
              else if (event.type === 'click') setExpanded(row.key, !row.open);
            }}
          />
        );
      })}
    </RowsPane>
  );
}

function useOpenRows(chunks: readonly ResultChunkRow[]): TreeRow[] {
  const folds = useFolds((state) => state.folds);
  const first = chunks[0]?.chunk.path;
  return useMemo(() => buildTreeRows(chunks, createIsOpen(folds, first)), [chunks, folds, first]);
}

/** Calls `show` with the row of a chunk whenever the address changes. */
function useOnAddressChange(
  address: string | null,
  chunks: readonly ResultChunkRow[],
  show: (row: ResultChunkRow) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed rank must not call it again
  useLayoutEffect(() => {
    const row = chunks.find(({ key }) => key === address);
    if (row) show(row);
  }, [address]);
}

/** Handles the keys that WAI-ARIA defines for a tree, and those of the list. Returns true if the key was handled. */
function handleKey(
  { key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent,
  rows: readonly TreeRow[],
  at: number,
  go: (row: TreeRow | undefined, extend?: boolean) => void,
): boolean {
  const row = rows[at];
  if (altKey || !row) return false;
  const move = resolveStep(key, getAdjacent(at), rows.length, PAGE);
  const mod = ctrlKey || metaKey;
  if (move !== null) go(rows[move], shiftKey);
  else if (key === ' ' && mod && row.chunk) toggleSelected(row.key);
  else if ((key === 'Enter' || (key === ' ' && !mod)) && row.open !== null)
    setExpanded(row.key, !row.open);
  else if (key === 'Enter') focusPane('side');
  else if (key === 'Escape' && useSelection.getState().picked.size > 0) clearSelection();
  else if (key === 'ArrowRight' && row.open === false) setExpanded(row.key, true);
  else if (key === 'ArrowRight' && row.open) go(rows[at + 1]);
  else if (key === 'ArrowLeft' && row.open) setExpanded(row.key, false);
  else if (key === 'ArrowLeft') go(rows.find((other) => other.key === row.parent));
  else return key === 'ArrowRight';
  return true;
}

interface ItemProps {
  id: string;
  row: TreeRow;
  active: boolean;
  /** Null for folders and files, which cannot be selected. */
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
        <span className="visually-hidden">{chunk ? 'Rank ' : 'Best rank '}</span>
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
      <Icon className={rowStyles.kind} size={15} aria-hidden="true" />
      <SourceText className={styles.container} text={isFolder ? name.slice(0, -1) : name} />
      <span className="visually-hidden">{isFolder ? ' folder' : ' file'}</span>
      <span className={rowStyles.smallNumber} title={formatCounted(count, 'result')}>
        {count}
        <span className="visually-hidden">{count === 1 ? ' result' : ' results'}</span>
      </span>
    </>
  );
}

function Result({ row: { chunk, marked } }: { row: ResultChunkRow }) {
  const Icon = KIND_ICONS[chunk.kind];
  const [owner, name] = splitName(chunk);
  const Mark = marked?.mark && MARK_ICONS[marked.mark];
  return (
    <>
      <Icon className={rowStyles.kind} size={15} aria-label={chunk.kind} />
      <span className={styles.name}>
        {owner && <SourceText className={rowStyles.owner} text={owner} />}
        <SourceText className={rowStyles.simple} text={name} />
      </span>
      {Mark && marked?.mark && (
        <Mark
          className={rowStyles.kind}
          size={14}
          aria-label={`Marked: ${MARK_TITLES[marked.mark]}`}
        />
      )}
      {marked?.note && (
        <StickyNote className={rowStyles.kind} size={14} aria-label={`Note: ${marked.note}`}>
          <title>{marked.note}</title>
        </StickyNote>
      )}
      <span className={rowStyles.smallNumber}>
        {chunk.kind === 'module' ? '' : `${chunk.startLine}–${chunk.endLine}${formatCell(chunk)}`}
      </span>
    </>
  );
}
