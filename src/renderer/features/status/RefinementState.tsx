import type { Refinement } from '../../../shared/search.ts';
import { Spinner } from '../../ui/controls.tsx';
import { number } from '../../ui/counts.ts';
import { responseOf, useSearch } from '../search/index.ts';
import { StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

/** Shows whether the list is reranked; nothing if nobody expects it. */
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
        Refining …
      </span>
    );
  }
  if (refined.state === 'refined') return <Read {...refined} />;
  return refined.note && <NotRefined note={refined.note} />;
}

function Read({ read, of, models, milliseconds }: Refinement) {
  return (
    <StatusPopover label="What was read" trigger={`${read} of ${of} read`}>
      <h3>Refined list</h3>
      <p>
        {models.join(', ')} read the first {read} of {of} results in{' '}
        {number(Math.round(milliseconds))} ms. They were ranked again in the places that they hold;
        all others stand where the first list had them.
      </p>
    </StatusPopover>
  );
}

function NotRefined({ note }: { note: string }) {
  return (
    <StatusPopover label="Why the list is not refined" trigger="First list">
      <h3>First list</h3>
      <p>The list was not refined: {note}.</p>
    </StatusPopover>
  );
}
