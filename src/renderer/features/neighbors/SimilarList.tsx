import type { ChunkAddress } from '../../../shared/address.ts';
import type { SimilarChunk } from '../../../shared/similar.ts';
import { Empty, Failed, Spinner } from '../../ui/controls.tsx';
import { counted } from '../../ui/counts.ts';
import { ChunkName } from './ChunkName.tsx';
import { ChunkRows } from './ChunkRows.tsx';
import styles from './neighbors.module.css';
import { useSimilar } from './neighbors.ts';

/** More like this: the functions most like the one in the middle, by their embeddings. */
export function SimilarList({ rankOf }: { rankOf: ReadonlyMap<ChunkAddress, number> }) {
  const found = useSimilar();
  if (found.state === 'failed') {
    return <Failed failure={found.failure} />;
  }
  if (found.state === 'loading') {
    return (
      <Empty title="Comparing">
        <Spinner />
      </Empty>
    );
  }
  const { center, chunks, compared, pending } = found.of;
  return (
    <div className={styles.view} aria-busy={found.stale}>
      <div className={styles.list}>
        <p className={styles.rowsTitle}>
          Most like <ChunkName chunk={center} />
          {`among ${counted(compared, 'other')}`}
          {pending > 0 && ` · ${counted(pending, 'function')} not encoded yet`}
        </p>
        <ChunkRows
          center={center}
          chunks={chunks}
          label={`Functions most like ${center.qualifiedName}`}
          rankOf={rankOf}
          before={(chunk) => <Similarity chunk={chunk} />}
        />
      </div>
    </div>
  );
}

function Similarity({ chunk: { similarity } }: { chunk: SimilarChunk }) {
  return (
    <span className={styles.faint} title="Similarity in meaning">
      {Math.round(100 * similarity)}%
    </span>
  );
}
