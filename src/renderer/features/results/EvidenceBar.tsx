import { type Evidence, FAMILY_TITLES } from '../../../shared/evidence.ts';
import { sharesOf, totalOf } from './evidence.ts';
import styles from './results.module.css';

/** The evidence for a chunk as a stacked bar; `most` is the length of a full one. */
export function EvidenceBar({ evidence, most }: { evidence: Evidence; most: number }) {
  const shares = sharesOf(evidence);
  const label = shares
    .map(({ family, contribution }) => `${FAMILY_TITLES[family]} ${contribution.toFixed(1)}`)
    .join(', ');
  return (
    <span className={styles.bar} role="img" aria-label={label || 'No evidence'}>
      <span className={styles.filled} style={{ width: `${(100 * totalOf(shares)) / most}%` }}>
        {shares.map(({ family, contribution }) => (
          <span
            key={family}
            style={{ flexGrow: contribution, background: `var(--evidence-${family})` }}
          />
        ))}
      </span>
    </span>
  );
}
