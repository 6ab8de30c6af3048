import { getVerdictTitle, type VerifiedChunk } from '../../../shared/verifier.ts';
import { SourceText } from '../../ui/controls.tsx';
import styles from './verify.module.css';
import { useVerify } from './verify.ts';

/** Shows the verifier's verdict on a chunk, how far the verdict moved the chunk, and the reason as plain text. */
export function VerdictLine({
  verified: { verdict, reason, from, to },
}: {
  verified: VerifiedChunk;
}) {
  const applied = useVerify((state) => state.applied);
  if (!verdict) return null;
  return (
    <span className={styles.verdict} data-verdict={verdict}>
      <span className={styles.title}>{getVerdictTitle(verdict)}</span>
      {applied && from !== to && (
        <span className={styles.moved}>
          <span className="visually-hidden">{from > to ? 'moved up by' : 'moved down by'} </span>
          <span aria-hidden="true">{from > to ? '↑' : '↓'}</span>
          {Math.abs(from - to)}
        </span>
      )}
      <SourceText className={styles.reason} text={reason} />
    </span>
  );
}
