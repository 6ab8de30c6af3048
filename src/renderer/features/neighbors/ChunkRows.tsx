import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { focusPane } from '../../platform/panes.ts';
import { getAdjacent, resolveStep } from '../../ui/steps.ts';
import { useSelected } from '../search/index.ts';
import { ChunkLocation, ChunkName, RankBadge } from './ChunkName.tsx';
import type { RankByAddress } from './graph.ts';
import styles from './neighbors.module.css';
import { centerOn, selectNeighbor } from './neighbors.ts';

interface ChunkRowsProps<Chunk> {
  center: ChunkSummary;
  chunks: readonly Chunk[];
  label: string;
  rankOf: RankByAddress;
  before: (chunk: Chunk) => ReactNode;
  after?: (chunk: Chunk) => ReactNode;
}

/**
 * List of chunks that is a single stop of the Tab key. The arrow keys, Home and End move through it, a click or Space
 * selects a chunk, and Enter or a double click centers it.
 */
export function ChunkRows<Chunk extends ChunkSummary>({
  center,
  chunks,
  label,
  rankOf,
  before,
  after,
}: ChunkRowsProps<Chunk>) {
  const selected = useSelected();
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const focus = (row: number) => {
    setActive(row);
    list.current?.querySelectorAll('button')[row]?.focus();
  };
  // The new list takes the focus if it was opened by keyboard, or if the focused row was removed with the old list.
  const wasCenteredByKey = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the center changes
  useEffect(() => {
    if (wasCenteredByKey.current || document.activeElement === document.body) focus(0);
    else setActive(0);
    wasCenteredByKey.current = false;
  }, [center.address]);
  const onKeyDown = (event: KeyboardEvent) => {
    const chunk = chunks[active];
    const row = resolveStep(event.key, getAdjacent(active), chunks.length);
    if (event.key === 'Enter' && chunk) {
      wasCenteredByKey.current = true;
      centerOn(chunk.address);
    } else if (event.key === 'Escape') focusPane('results');
    else if (row !== null) focus(row);
    else return;
    event.preventDefault();
  };
  return (
    <ul ref={list} className={styles.rows} aria-label={label} onKeyDown={onKeyDown}>
      {chunks.map((chunk, i) => (
        <li key={chunk.address}>
          <button
            type="button"
            className={`row-button ring-inside ${styles.chunkRow}`}
            aria-pressed={chunk.address === selected}
            tabIndex={i === active ? 0 : -1}
            data-pane-focus={i === active || undefined}
            onFocus={() => setActive(i)}
            onClick={() => selectNeighbor(chunk.address)}
            onDoubleClick={() => centerOn(chunk.address)}
          >
            {before(chunk)}
            <ChunkName chunk={chunk} />
            <RankBadge rank={rankOf.get(chunk.address)} />
            {after?.(chunk)}
            <ChunkLocation chunk={chunk} />
          </button>
        </li>
      ))}
    </ul>
  );
}
