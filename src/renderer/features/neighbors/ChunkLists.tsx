import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { describeEnd, type ReachingTest } from '../../../shared/call-graph.ts';
import { visible } from '../../../shared/quoted.ts';
import { Empty, Failed, Source, Spinner } from '../../ui/controls.tsx';
import { counted } from '../../ui/counts.ts';
import rowStyles from '../../ui/rows.module.css';
import { ChunkName } from './ChunkName.tsx';
import { ChunkRows } from './ChunkRows.tsx';
import type { Ranks } from './graph.ts';
import styles from './neighbors.module.css';
import { type Found, useReachingTests, useSimilar } from './neighbors.ts';

/** More like this: the functions most like the one in the middle, by their embeddings. */
export function SimilarList({ rankOf }: { rankOf: Ranks }) {
  return (
    <Answer found={useSimilar()} waiting="Comparing">
      {({ center, chunks, compared, pending }) => (
        <div className="full-column">
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
            before={({ similarity }) => (
              <span className={styles.faint} title="Similarity in meaning">
                {Math.round(100 * similarity)}%
              </span>
            )}
          />
        </div>
      )}
    </Answer>
  );
}

/** The tests that reach the function in the middle, the nearest first. */
export function TestList({ rankOf }: { rankOf: Ranks }) {
  return (
    <Answer found={useReachingTests()} waiting="Following the calls">
      {({ of, tests, hidden, ended }) =>
        tests.length === 0 ? (
          <Empty icon={<FlaskConical size={28} />} title={`No test reaches ${visible(of.name)}`}>
            <p>
              No function of a test file calls it, directly or through others. Calls that only
              happen at run time, as by reflection or a fixture, are not in the call graph.
            </p>
            {ended && <p>{describeEnd(ended)}</p>}
          </Empty>
        ) : (
          <div className="full-column">
            <p className={styles.rowsTitle}>
              {counted(tests.length + hidden, 'test reaches', 'tests reach')}{' '}
              <ChunkName chunk={of} />
              {hidden > 0 && `· the nearest ${tests.length} are shown`}
            </p>
            <ChunkRows
              center={of}
              chunks={tests}
              label={`Tests that reach ${of.qualifiedName}`}
              rankOf={rankOf}
              before={({ distance }) => (
                <span className={styles.distance} title="Steps from the test to the function">
                  {distance === 1 ? 'direct' : counted(distance, 'step')}
                </span>
              )}
              after={(test) => <Path test={test} />}
            />
            {ended && <p className={styles.rowsNote}>{describeEnd(ended)}</p>}
          </div>
        )
      }
    </Answer>
  );
}

/** The first step of a path that has several, and whether the path has a guess. */
function Path({ test: { distance, next, guess } }: { test: ReachingTest }) {
  return (
    <>
      {distance > 1 && (
        <span className="ellipsis muted">
          through <Source text={next.qualifiedName} />
        </span>
      )}
      {guess && <span className={rowStyles.guessTag}>guess</span>}
    </>
  );
}

interface AnswerProps<Of> {
  found: Found<Of>;
  /** Title until the answer is there. */
  waiting: string;
  children: (answer: Of) => ReactNode;
}

function Answer<Of>({ found, waiting, children }: AnswerProps<Of>) {
  if (found.state === 'failed') return <Failed failure={found.failure} />;
  if (found.state === 'loading') {
    return (
      <Empty title={waiting}>
        <Spinner />
      </Empty>
    );
  }
  return (
    <div className={styles.view} aria-busy={found.stale}>
      {children(found.of)}
    </div>
  );
}
