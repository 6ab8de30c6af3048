import type { Reason } from '../../../shared/evidence.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import styles from './results.module.css';
import type { Listed } from './rows.ts';
import { usePointedAt } from './use-pointed-at.ts';

/** Why a chunk is in the list, on one line; what a reason speaks of lights up under the mouse. */
export function Reasons({
  id,
  chunk,
  reasons,
}: {
  id: string;
  chunk: Listed;
  reasons: readonly Reason[];
}) {
  return (
    // The row's description, not a part of its name.
    <span id={id} className={styles.why} aria-hidden="true">
      {reasons.map((reason, at) => (
        <Said key={reason.signal} chunk={chunk} reason={reason} first={at === 0} />
      ))}
    </span>
  );
}

function Said({ chunk, reason, first }: { chunk: Listed; reason: Reason; first: boolean }) {
  return (
    <span className={styles.reason} {...usePointedAt({ chunk, reason })}>
      {!first && <span className={styles.dot}> · </span>}
      <Sentence text={reason.sentence} />
    </span>
  );
}
