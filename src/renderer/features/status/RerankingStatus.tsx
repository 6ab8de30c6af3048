import type { Reranking } from '../../../shared/search.ts';
import { Spinner } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/counts.ts';
import { getResponse, useSearch } from '../search/index.ts';
import { StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

/** Shows if the list is reranked. Shows nothing if reranking is off or unavailable. */
export function RerankingStatus() {
  const refined = useSearch(
    (state) =>
      (state.search.phase === 'ready' ? state.search.reranked : getResponse(state))?.reranking,
  );
  if (!refined) return null;
  if (refined.state === 'reranking') {
    return (
      <span className={styles.item}>
        <Spinner />
        Reranking…
      </span>
    );
  }
  if (refined.state === 'reranked') return <Reranked {...refined} />;
  return refined.note && <NotReranked note={refined.note} />;
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
