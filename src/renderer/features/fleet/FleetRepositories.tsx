import { CircleAlert, CircleCheck, CircleDashed, ListRestart } from 'lucide-react';
import type { FleetRepository, FleetStatus } from '../../../shared/fleet.ts';
import { Button, Failed, Source, Spinner } from '../../ui/controls.tsx';
import { ago, counted, number } from '../../ui/counts.ts';
import styles from './fleet.module.css';
import { readStatus, useFleet } from './fleet.ts';

/** Lists the state of each repository, on request: the list may be in a bucket. */
export function FleetRepositories({ objects }: { objects: string }) {
  const { status, reading, statusFailure } = useFleet();
  return (
    <>
      <div className={styles.ask}>
        <p role="status" className="grow muted">
          {reading ? (
            'Reading the list …'
          ) : status ? (
            <Sum status={status} />
          ) : (
            <>
              Which repositories there are, and what became of them, is read from{' '}
              <Source text={objects} className={styles.place} />.
            </>
          )}
        </p>
        <Button onClick={readStatus} disabled={reading}>
          {reading ? <Spinner /> : <ListRestart size={14} />}
          {status ? 'Read the list again' : 'Read the list'}
        </Button>
      </div>
      {statusFailure && <Failed failure={statusFailure} />}
      {status && !statusFailure && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={styles.repositories} aria-label="Repositories" tabIndex={0}>
          <ul>
            {failedFirst(status.repositories).map((one) => (
              <Repository key={`${one.name} ${one.ref}`} repository={one} />
            ))}
          </ul>
          {status.more > 0 && (
            <p>… and {number(status.more)} more, which locus fleet status lists.</p>
          )}
        </section>
      )}
    </>
  );
}

function Sum({ status: { repositories, more } }: { status: FleetStatus }) {
  const indexed = repositories.filter((one) => one.indexed !== null).length;
  const failed = repositories.filter((one) => one.failure !== null).length;
  return (
    <>
      {counted(repositories.length + more, 'repository', 'repositories')}; {number(indexed)} indexed
      {failed > 0 && `, ${number(failed)} that failed`}.
    </>
  );
}

const failedFirst = (all: readonly FleetRepository[]): FleetRepository[] =>
  all.toSorted((a, b) => Number(b.failure !== null) - Number(a.failure !== null));

/** By the code of a failure; messages of hosts and servers are not stored. */
const WHY: Readonly<Record<string, string>> = {
  'bad-repository': 'it cannot be fetched: its address, the network, or what the worker may read',
  'bad-objects': 'the object storage failed',
  'bad-model': 'the worker has no model that it could use',
  'bad-store': 'the worker’s disk is full or damaged',
  'not-fetched': 'the engine did not answer',
  device: 'the worker’s device cannot be used',
};

function Repository({
  repository: { name, ref, indexed, working, failure, removing },
}: {
  repository: FleetRepository;
}) {
  return (
    <li>
      {failure ? (
        <CircleAlert size={15} className="bad" aria-label="failed" />
      ) : indexed ? (
        <CircleCheck size={15} className="good" aria-label="indexed" />
      ) : (
        <CircleDashed size={15} aria-label="not indexed yet" />
      )}
      <div>
        <span className={styles.name}>
          <Source text={name} />
          {ref !== null && (
            <span className={styles.tag}>
              <Source text={ref} />
            </span>
          )}
        </span>
        <p className="hint">
          {indexed ? (
            <>
              {indexed.commit.slice(0, 10)} · {counted(indexed.rows, 'function')} in{' '}
              {counted(indexed.files, 'file')}
              {indexed.at !== null && (
                <>
                  {' '}
                  · stored{' '}
                  <time dateTime={indexed.at} title={new Date(indexed.at).toLocaleString('en')}>
                    {ago(Date.parse(indexed.at))}
                  </time>
                </>
              )}
            </>
          ) : (
            'Not indexed yet'
          )}
          {working && ' · a worker has it now'}
          {removing && ' · is being taken out'}
        </p>
        {failure && (
          <p className="bad">The last run failed: {WHY[failure] ?? `with ${failure}`}.</p>
        )}
      </div>
    </li>
  );
}
