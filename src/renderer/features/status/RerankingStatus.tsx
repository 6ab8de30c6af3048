import { formatCount } from '../../../shared/format-count.ts';
import type { Reranking } from '../../../shared/search.ts';
import { Spinner } from '../../ui/controls.tsx';
import { getResponse, useSearch } from '../search/index.ts';
import { StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

/** Shows if the list is reranked. Shows nothing if reranking is off or unavailable. */
export function RerankingStatus() {
  const reranking = useSearch(
    (state) => (state.search.phase === 'ready' ? state.search.next : getResponse(state))?.reranking,
  );
  const reranked = useSearch((state) => state.reranked);
  if (!reranking) return null;
  if (reranking.state === 'reranking') {
    return (
      <span className={styles.item}>
        <Spinner />
        Reranking {formatCount(reranked)} of {formatCount(reranking.of)}
      </span>
    );
  }
  if (reranking.state === 'reranked') return <Reranked {...reranking} />;
  return reranking.note && <NotReranked note={reranking.note} />;
}

function Reranked({ count, models, milliseconds }: Reranking) {
  return (
    <StatusPopover label="Reranked list" trigger={`${count} reranked`}>
      <h3>Reranked list</h3>
      <p>
        {models.join(', ')} reranked the first {count} results in{' '}
        {formatCount(Math.round(milliseconds))} ms. The others keep their rank from the initial
        ranking.
      </p>
    </StatusPopover>
  );
}

function NotReranked({ note }: { note: string }) {
  return (
    <StatusPopover label="Initial ranking" trigger="Initial ranking">
      <h3>Initial ranking</h3>
      <p>Not reranked: {note.replace(/\.$/, '')}.</p>
    </StatusPopover>
  );
}
