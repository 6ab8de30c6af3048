import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Neighborhood } from '../../../shared/call-graph.ts';
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import { describeKeys } from '../../../shared/registration.ts';
import { focusPane } from '../../platform/panes.ts';
import { EDGE_WORDS } from '../../ui/kinds.ts';
import rowStyles from '../../ui/rows.module.css';
import { select, useSelected } from '../search/index.ts';
import { ChunkLocation, ChunkName, RankBadge } from './ChunkName.tsx';
import type { RankByAddress } from './graph.ts';
import styles from './neighbors.module.css';
import { centerOn, selectNeighbor } from './neighbors.ts';
import { listTreeRows, type NeighborRow } from './tree.ts';

/** Shows the neighbors as a tree: callers and callees, with their own callers or callees below them. */
export function NeighborTree({
  neighborhood,
  rankOf,
}: {
  neighborhood: Neighborhood;
  rankOf: RankByAddress;
}) {
  const selected = useSelected();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [pages, setPages] = useState<Readonly<Record<string, number>>>({});
  const [active, setActive] = useState('callers');
  const rows = useMemo(
    () => listTreeRows(neighborhood, rankOf, toggled, pages),
    [neighborhood, rankOf, toggled, pages],
  );
  const activeIndex = Math.max(
    0,
    rows.findIndex(({ id }) => id === active),
  );
  const center = neighborhood.nodes.find(({ distance }) => distance === 0);
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the active row changes
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const toggle = ({ id }: NeighborRow) => setToggled(toggled.symmetricDifference(new Set([id])));
  const activate = (row: NeighborRow, shouldCenter: boolean) => {
    setActive(row.id);
    const { content } = row;
    if (content.type === 'side') toggle(row);
    else if (content.type === 'more') {
      setPages({ ...pages, [content.parent]: (pages[content.parent] ?? 1) + 1 });
    } else if (shouldCenter) centerOn(content.chunk.address);
    else selectNeighbor(content.chunk.address);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[activeIndex];
    if (!row) return;
    const parent = rows.findLast(({ level }, i) => i < activeIndex && level < row.level);
    const moves: Record<string, NeighborRow | undefined> = {
      ArrowDown: rows[activeIndex + 1],
      ArrowUp: rows[activeIndex - 1],
      Home: rows[0],
      End: rows.at(-1),
      ArrowRight: row.open ? rows[activeIndex + 1] : undefined,
      ArrowLeft: row.open ? undefined : parent,
    };
    if (event.key === 'ArrowRight' && row.open === false) toggle(row);
    else if (event.key === 'ArrowLeft' && row.open) toggle(row);
    else if (event.key === 'Enter' || event.key === ' ') activate(row, event.key === 'Enter');
    else if (event.key === 'Escape') focusPane('results');
    else if (event.key in moves) {
      const next = moves[event.key];
      if (next) setActive(next.id);
    } else return;
    event.preventDefault();
  };

  return (
    <div className="full-column">
      {center && (
        <button
          type="button"
          className={`row-button ring-inside ${styles.treeCenter}`}
          aria-pressed={selected === center.address}
          onClick={() => select(center.address)}
        >
          <ChunkName chunk={center} />
          <RankBadge rank={rankOf.get(center.address)} />
          <ChunkLocation chunk={center} />
        </button>
      )}
      <div
        ref={list}
        className={styles.tree}
        role="tree"
        aria-label="Callers and callees"
        aria-activedescendant={`neighbor-${activeIndex}`}
        tabIndex={0}
        data-pane-focus
        onKeyDown={onKeyDown}
      >
        {rows.map((row, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the active row
          <div
            key={row.id}
            id={`neighbor-${i}`}
            role="treeitem"
            aria-level={row.level}
            aria-posinset={row.position}
            aria-setsize={row.siblings}
            aria-expanded={row.open ?? undefined}
            aria-selected={row.content.type === 'chunk' && row.content.chunk.address === selected}
            data-active={i === activeIndex || undefined}
            className={styles.row}
            style={{ '--level': row.level - 1 } as React.CSSProperties}
            onClick={() => activate(row, false)}
            onDoubleClick={() => row.content.type === 'chunk' && activate(row, true)}
          >
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys */}
            {/* biome-ignore lint/a11y/noStaticElementInteractions: only for the mouse; the arrow keys do the same */}
            <span
              className={styles.toggle}
              data-open={row.open ?? undefined}
              onClick={(event) => {
                if (row.open === null) return;
                event.stopPropagation();
                setActive(row.id);
                toggle(row);
              }}
            >
              {row.open !== null && <ChevronRight size={14} aria-hidden="true" />}
            </span>
            <RowContent row={row} />
          </div>
        ))}
      </div>
    </div>
  );
}

function RowContent({ row: { content } }: { row: NeighborRow }) {
  if (content.type === 'side') {
    const title = content.side === 'callers' ? 'Callers' : 'Callees';
    return (
      <span className={rowStyles.simple}>
        {title} <span className={styles.faint}>{formatCount(content.count)}</span>
      </span>
    );
  }
  if (content.type === 'more') {
    return <span className={styles.moreRow}>{formatCounted(content.count, 'more', 'more')}</span>;
  }
  const { chunk, rank, edges } = content;
  const kinds = [...new Set(edges.map(({ kind }) => kind))].filter((kind) => kind !== 'call');
  const sites = edges.flatMap((edge) => edge.sites);
  const keys = edges.flatMap((edge) => edge.registered ?? []);
  return (
    <>
      <ChunkName chunk={chunk} />
      <RankBadge rank={rank} />
      {kinds.map((kind) => (
        <span key={kind} className={`${styles.tag} ${styles[kind]}`}>
          {kind === 'register' ? describeKeys(keys) : EDGE_WORDS[kind]}
        </span>
      ))}
      {sites.length > 1 && <span className={styles.faint}>{sites.length}×</span>}
      {edges.every(({ guess }) => guess) && <span className={rowStyles.guessTag}>guessed</span>}
      <ChunkLocation chunk={chunk} />
    </>
  );
}
