import type { Evidence } from '../../../shared/evidence.ts';
import { Tooltip } from '../../ui/controls.tsx';
import { inWords, sharesOf, totalOf } from './evidence.ts';
import styles from './results.module.css';

/** The evidence for a chunk as a stacked bar, which says what it shows; `most` is the length of a full one. */
export function EvidenceBar({ evidence, most }: { evidence: Evidence; most: number }) {
  const shares = sharesOf(evidence);
  const label = inWords(shares);
  return (
    <Tooltip text={label}>
      <span className={styles.bar} role="img" aria-label={label}>
        <span className={styles.track}>
          <span className={styles.filled} style={{ width: `${(100 * totalOf(shares)) / most}%` }}>
            {shares.map(({ family, contribution }) => (
              <span
                key={family}
                style={{ flexGrow: contribution, background: `var(--evidence-${family})` }}
              />
            ))}
          </span>
        </span>
      </span>
    </Tooltip>
  );
}
