import type { Refinement } from '../../../shared/search.ts';
import { Spinner } from '../../ui/controls.tsx';
import { number } from '../../ui/counts.ts';
import { responseOf, useSearch } from '../search/index.ts';
import { StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

/** Shows if the list is reranked. Shows nothing if reranking is off or unavailable. */
export function RefinementState() {
  const refined = useSearch(
    (state) =>
      (state.search.phase === 'ready' ? state.search.reranked : responseOf(state))?.refined,
  );
  if (!refined) return null;
  if (refined.state === 'reading') {
    return (
      <span className={styles.item}>
        <Spinner />
        Reranking…
      </span>
    );
  }
  if (refined.state === 'refined') return <Reranked {...refined} />;
  return refined.note && <NotRefined note={refined.note} />;
}

function Reranked({ read, of, models, milliseconds }: Refinement) {
  return (
    <StatusPopover label="Reranked list" trigger={`${read} of ${of} reranked`}>
      <h3>Reranked list</h3>
      <p>
        {models.join(', ')} reranked the first {read} of {of} results in{' '}
        {number(Math.round(milliseconds))} ms. The others keep their rank from the initial ranking.
      </p>
    </StatusPopover>
  );
}

function NotRefined({ note }: { note: string }) {
  return (
    <StatusPopover label="Initial ranking" trigger="Initial ranking">
      <h3>Initial ranking</h3>
      <p>Not reranked: {note.replace(/\.$/, '')}.</p>
    </StatusPopover>
  );
}
