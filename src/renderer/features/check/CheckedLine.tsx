import type { CheckedChunk } from '../../../shared/check.ts';
import { MARK_TITLES } from '../../../shared/marks.ts';
import { SourceText } from '../../ui/controls.tsx';
import styles from './check.module.css';
import { useCheck } from './check.ts';

/** Shows that the fix edits a chunk according to the model, the reason as plain text, and how far the check moved the chunk. */
export function CheckedLine({
  checked: { reason, from, to, isChanged },
}: {
  checked: CheckedChunk;
}) {
  const applied = useCheck((state) => state.applied);
  return (
    <span className={styles.checked}>
      <span className={styles.title}>{MARK_TITLES.edit}</span>
      {applied && from !== null && from !== to && (
        <span className={styles.moved}>
          <span className="visually-hidden">{from > to ? 'moved up by' : 'moved down by'} </span>
          <span aria-hidden="true">{from > to ? '↑' : '↓'}</span>
          {Math.abs(from - to)}
        </span>
      )}
      {isChanged && <span className={styles.moved}>changed since</span>}
      <SourceText className={styles.reason} text={reason} />
    </span>
  );
}
