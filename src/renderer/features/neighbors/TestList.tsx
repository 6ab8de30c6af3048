import { FlaskConical } from 'lucide-react';
import type { ChunkAddress } from '../../../shared/address.ts';
import { describeEnd, type ReachingTest } from '../../../shared/call-graph.ts';
import { visible } from '../../../shared/quoted.ts';
import { Empty, Failed, Source, Spinner } from '../../ui/controls.tsx';
import { counted } from '../../ui/counts.ts';
import { ChunkName } from './ChunkName.tsx';
import { ChunkRows } from './ChunkRows.tsx';
import styles from './neighbors.module.css';
import { useReachingTests } from './neighbors.ts';

/** The tests that reach the function in the middle, the nearest first. */
export function TestList({ rankOf }: { rankOf: ReadonlyMap<ChunkAddress, number> }) {
  const found = useReachingTests();
  if (found.state === 'failed') {
    return <Failed failure={found.failure} />;
  }
  if (found.state === 'loading') {
    return (
      <Empty title="Following the calls">
        <Spinner />
      </Empty>
    );
  }
  const { of, tests, hidden, ended } = found.of;
  if (tests.length === 0) {
    return (
      <Empty icon={<FlaskConical size={28} />} title={`No test reaches ${visible(of.name)}`}>
        <p>
          No function of a test file calls it, directly or through others. Calls that only happen at
          run time, as by reflection or a fixture, are not in the call graph.
        </p>
        {ended && <p>{describeEnd(ended)}</p>}
      </Empty>
    );
  }
  return (
    <div className={styles.view} aria-busy={found.stale}>
      <div className={styles.list}>
        <p className={styles.rowsTitle}>
          {counted(tests.length + hidden, 'test reaches', 'tests reach')} <ChunkName chunk={of} />
          {hidden > 0 && `· the nearest ${tests.length} are shown`}
        </p>
        <ChunkRows
          center={of}
          chunks={tests}
          label={`Tests that reach ${of.qualifiedName}`}
          rankOf={rankOf}
          before={(test) => <Distance test={test} />}
          after={(test) => <Way test={test} />}
        />
        {ended && <p className={styles.rowsNote}>{describeEnd(ended)}</p>}
      </div>
    </div>
  );
}

function Distance({ test: { distance } }: { test: ReachingTest }) {
  return (
    <span className={styles.distance} title="Steps from the test to the function">
      {distance === 1 ? 'direct' : counted(distance, 'step')}
    </span>
  );
}

/** The first step of a path that has several, and whether the path has a guess. */
function Way({ test: { distance, next, guess } }: { test: ReachingTest }) {
  return (
    <>
      {distance > 1 && (
        <span className={styles.way}>
          through <Source text={next.qualifiedName} />
        </span>
      )}
      {guess && <span className={`${styles.tag} ${styles.guessTag}`}>guess</span>}
    </>
  );
}
