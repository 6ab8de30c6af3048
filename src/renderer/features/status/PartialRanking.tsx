import { number } from '../../ui/counts.ts';
import { useSearch } from '../search/index.ts';
import { StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

/** Why the list is not yet the final one. */
export function PartialRanking() {
  const partial = useSearch((state) => state.response?.partial);
  if (!partial) return null;
  const { embedded, chunks, reason, files } = partial;
  const how = files
    ? `${number(files.read)} of ${number(files.of)} files read`
    : `${number(embedded)} of ${number(chunks)} embedded`;
  return (
    <StatusPopover
      label="Partial ranking"
      className={styles.partial}
      trigger={`Partial ranking: ${how}`}
    >
      <h3>Partial ranking</h3>
      <p>The list may still change: {reason}.</p>
      {files && <p>What is in the other files cannot be found yet.</p>}
      <p>
        Names, paths, words and calls count already. Similarity in meaning joins with each
        embedding; the list follows by itself and your selection stays.
      </p>
    </StatusPopover>
  );
}
