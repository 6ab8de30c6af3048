import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { SimilarChunk, SimilarChunks } from '../../../shared/similar.ts';
import { focusPane } from '../../platform/panes.ts';
import { Empty, Failed, Spinner } from '../../ui/controls.tsx';
import { counted } from '../../ui/counts.ts';
import { useSearch } from '../search/index.ts';
import { ChunkName, ChunkPlace } from './ChunkName.tsx';
import styles from './neighbors.module.css';
import { centerOn, selectNeighbor, useSimilar } from './neighbors.ts';

/** More like this: the functions most like the one in the middle, by their embeddings. */
export function SimilarList({ rankOf }: { rankOf: ReadonlyMap<ChunkAddress, number> }) {
  const found = useSimilar();
  if (found.state === 'failed') {
    return <Failed failure={found.failure} />;
  }
  if (found.state === 'loading') {
    return (
      <Empty title="Comparing">
        <Spinner />
      </Empty>
    );
  }
  const { center, compared, pending } = found.of;
  return (
    <div className={styles.view} aria-busy={found.stale}>
      <div className={styles.list}>
        <p className={styles.similarTo}>
          Most like <ChunkName chunk={center} />
          {`among ${counted(compared, 'other')}`}
          {pending > 0 && ` · ${counted(pending, 'function')} not encoded yet`}
        </p>
        <Rows similar={found.of} rankOf={rankOf} />
      </div>
    </div>
  );
}

/**
 * Rows that are one stop of the Tab key. The arrows, Home and End walk them, a click or the space bar selects, and Enter
 * or a double click puts one in the middle.
 */
function Rows({
  similar: { center, chunks },
  rankOf,
}: {
  similar: SimilarChunks;
  rankOf: ReadonlyMap<ChunkAddress, number>;
}) {
  const selected = useSearch((state) => state.selected);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const focus = (row: number) => {
    setAt(row);
    list.current?.querySelectorAll('button')[row]?.focus();
  };
  // Whoever went on to another function by the keyboard is in its list, as is whose row went with the list before.
  const followed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another centre has another list
  useEffect(() => {
    if (followed.current || document.activeElement === document.body) focus(0);
    else setAt(0);
    followed.current = false;
  }, [center.address]);
  const onKeyDown = (event: KeyboardEvent) => {
    const chunk = chunks[at];
    const row = rowAfter(event.key, at, chunks.length);
    if (event.key === 'Enter' && chunk) {
      followed.current = true;
      centerOn(chunk.address);
    } else if (event.key === 'Escape') focusPane('results');
    else if (row !== null) focus(row);
    else return;
    event.preventDefault();
  };
  return (
    <ul
      ref={list}
      className={styles.similar}
      aria-label={`Functions most like ${center.qualifiedName}`}
      onKeyDown={onKeyDown}
    >
      {chunks.map((chunk, i) => (
        <li key={chunk.address}>
          <button
            type="button"
            className={styles.similarRow}
            aria-pressed={chunk.address === selected}
            tabIndex={i === at ? 0 : -1}
            data-pane-focus={i === at || undefined}
            onFocus={() => setAt(i)}
            onClick={() => selectNeighbor(chunk.address)}
            onDoubleClick={() => centerOn(chunk.address)}
          >
            <Similarity chunk={chunk} />
            <ChunkName chunk={chunk} />
            <Rank rank={rankOf.get(chunk.address)} />
            <ChunkPlace chunk={chunk} />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The row that a key leads to from another; null for a key that leads nowhere. */
function rowAfter(key: string, at: number, rows: number): number | null {
  const last = rows - 1;
  if (key === 'ArrowDown') return Math.min(last, at + 1);
  if (key === 'ArrowUp') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}

function Similarity({ chunk: { similarity } }: { chunk: SimilarChunk }) {
  return (
    <span className={styles.faint} title="Similarity in meaning">
      {Math.round(100 * similarity)}%
    </span>
  );
}

function Rank({ rank }: { rank: number | undefined }) {
  if (rank === undefined) return null;
  return (
    <span className={styles.badge} title="Rank in the list">
      {rank}
    </span>
  );
}
