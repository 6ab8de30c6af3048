import type { Reason } from '../../../shared/evidence.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import { lightUp } from '../search/index.ts';
import styles from './results.module.css';
import type { Listed } from './rows.ts';

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
        <span
          key={reason.signal}
          className={styles.reason}
          onPointerEnter={() => lightUp({ chunk, reason })}
          onPointerLeave={() => lightUp(null)}
        >
          {at > 0 && <span className={styles.dot}> · </span>}
          <Sentence text={reason.sentence} />
        </span>
      ))}
    </span>
  );
}
