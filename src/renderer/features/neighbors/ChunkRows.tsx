import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { focusPane } from '../../platform/panes.ts';
import { adjacentTo, stepTo } from '../../ui/steps.ts';
import { useSelected } from '../search/index.ts';
import { ChunkName, ChunkPlace, Rank } from './ChunkName.tsx';
import type { Ranks } from './graph.ts';
import styles from './neighbors.module.css';
import { centerOn, selectNeighbor } from './neighbors.ts';

interface ChunkRowsProps<Chunk> {
  center: ChunkSummary;
  chunks: readonly Chunk[];
  label: string;
  rankOf: Ranks;
  before: (chunk: Chunk) => ReactNode;
  after?: (chunk: Chunk) => ReactNode;
}

/**
 * Rows that are one stop of the Tab key. The arrows, Home and End walk them, a click or the space bar selects, and Enter
 * or a double click puts one in the middle.
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
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const focus = (row: number) => {
    setAt(row);
    list.current?.querySelectorAll('button')[row]?.focus();
  };
  // Whoever went on to another function by the keyboard is in its list, as is whose row went with the list before.
  const followed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another center has another list
  useEffect(() => {
    if (followed.current || document.activeElement === document.body) focus(0);
    else setAt(0);
    followed.current = false;
  }, [center.address]);
  const onKeyDown = (event: KeyboardEvent) => {
    const chunk = chunks[at];
    const row = stepTo(event.key, adjacentTo(at), chunks.length);
    if (event.key === 'Enter' && chunk) {
      followed.current = true;
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
            tabIndex={i === at ? 0 : -1}
            data-pane-focus={i === at || undefined}
            onFocus={() => setAt(i)}
            onClick={() => selectNeighbor(chunk.address)}
            onDoubleClick={() => centerOn(chunk.address)}
          >
            {before(chunk)}
            <ChunkName chunk={chunk} />
            <Rank rank={rankOf.get(chunk.address)} />
            {after?.(chunk)}
            <ChunkPlace chunk={chunk} />
          </button>
        </li>
      ))}
    </ul>
  );
}
