import type { Reranking } from '../../../shared/search.ts';
import { Spinner } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/counts.ts';
import { getResponse, useSearch } from '../search/index.ts';
import { StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

/** Shows if the list is reranked. Shows nothing if reranking is off or unavailable. */
export function RerankingStatus() {
  const reranking = useSearch(
    (state) =>
      (state.search.phase === 'ready' ? state.search.reranked : getResponse(state))?.reranking,
  );
  if (!reranking) return null;
  if (reranking.state === 'reranking') {
    return (
      <span className={styles.item}>
        <Spinner />
        Reranking…
      </span>
    );
  }
  if (reranking.state === 'reranked') return <Reranked {...reranking} />;
  return reranking.note && <NotReranked note={reranking.note} />;
}

function Reranked({ count, of, models, milliseconds }: Reranking) {
  return (
    <StatusPopover label="Reranked list" trigger={`${count} of ${of} reranked`}>
      <h3>Reranked list</h3>
      <p>
        {models.join(', ')} reranked the first {count} of {of} results in{' '}
        {formatNumber(Math.round(milliseconds))} ms. The others keep their rank from the initial
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
