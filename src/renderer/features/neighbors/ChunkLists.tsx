import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { describeEnd, type ReachingTest } from '../../../shared/call-graph.ts';
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import { escapeHidden } from '../../../shared/quote.ts';
import { getShownName } from '../../../shared/shown-name.ts';
import { Empty, Failed, SourceText, Spinner } from '../../ui/controls.tsx';
import rowStyles from '../../ui/rows.module.css';
import { ChunkName } from './ChunkName.tsx';
import { ChunkRows } from './ChunkRows.tsx';
import type { RankByAddress } from './graph.ts';
import styles from './neighbors.module.css';
import { type CenterAnswer, useReachingTests, useSimilar } from './neighbors.ts';

/** Lists the functions that are most similar to the center, by their embeddings. */
export function SimilarList({ rankOf }: { rankOf: RankByAddress }) {
  return (
    <Loaded found={useSimilar()} loadingTitle="Comparing functions…">
      {({ center, chunks, compared, pending }) => (
        <div className="full-column">
          <p className={styles.rowsTitle}>
            Similar to <ChunkName chunk={center} />
            {`· ${formatCounted(compared, 'function')} compared`}
            {pending > 0 && ` · ${formatCount(pending)} not embedded yet`}
          </p>
          <ChunkRows
            center={center}
            chunks={chunks}
            label={`Functions similar to ${getShownName(center)}`}
            rankOf={rankOf}
            before={({ similarity }) => (
              <span className={styles.faint} title="Similarity of the embeddings">
                {Math.round(100 * similarity)}%
              </span>
            )}
          />
        </div>
      )}
    </Loaded>
  );
}

/** Lists the tests that reach the center through calls, the nearest first. */
export function TestList({ rankOf }: { rankOf: RankByAddress }) {
  return (
    <Loaded found={useReachingTests()} loadingTitle="Following calls…">
      {({ of, tests, hidden, ended }) =>
        tests.length === 0 ? (
          <Empty
            icon={<FlaskConical size={28} />}
            title={`No test reaches ${escapeHidden(of.name)}`}
          >
            <p>
              No test calls it, directly or through other functions. The call graph doesn’t include
              calls that exist only at run time, such as those by reflection or fixtures.
            </p>
            {ended && <p>{describeEnd(ended)}</p>}
          </Empty>
        ) : (
          <div className="full-column">
            <p className={styles.rowsTitle}>
              {formatCounted(tests.length + hidden, 'test reaches', 'tests reach')}{' '}
              <ChunkName chunk={of} />
              {hidden > 0 && `· nearest ${tests.length} shown`}
            </p>
            <ChunkRows
              center={of}
              chunks={tests}
              label={`Tests that reach ${getShownName(of)}`}
              rankOf={rankOf}
              before={({ distance }) => (
                <span className={styles.distance} title="Calls between the test and the function">
                  {distance === 1 ? 'direct' : formatCounted(distance, 'call')}
                </span>
              )}
              after={(test) => <CallPath test={test} />}
            />
            {ended && <p className={styles.rowsNote}>{describeEnd(ended)}</p>}
          </div>
        )
      }
    </Loaded>
  );
}

/** Shows the first call of an indirect path, and if any of its edges is guessed. */
function CallPath({ test: { distance, next, guess } }: { test: ReachingTest }) {
  return (
    <>
      {distance > 1 && (
        <span className="ellipsis muted">
          via <SourceText text={getShownName(next)} />
        </span>
      )}
      {guess && <span className={rowStyles.guessTag}>guessed</span>}
    </>
  );
}

interface LoadedProps<Answer> {
  found: CenterAnswer<Answer>;
  loadingTitle: string;
  children: (answer: Answer) => ReactNode;
}

/** Renders an answer of the engine, or that it is loading or has failed. */
function Loaded<Answer>({ found, loadingTitle, children }: LoadedProps<Answer>) {
  if (found.state === 'failed') return <Failed failure={found.failure} />;
  if (found.state === 'loading') {
    return (
      <Empty title={loadingTitle}>
        <Spinner />
      </Empty>
    );
  }
  return (
    <div className={styles.view} aria-busy={found.stale}>
      {children(found.answer)}
    </div>
  );
}
