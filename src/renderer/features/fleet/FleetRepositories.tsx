import { CircleAlert, CircleCheck, CircleDashed, ListRestart } from 'lucide-react';
import type { FleetRepository, FleetStatus } from '../../../shared/fleet.ts';
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import { Button, Failed, SourceText, Spinner } from '../../ui/controls.tsx';
import { formatAgo } from '../../ui/counts.ts';
import styles from './fleet.module.css';
import { loadFleetStatus, useFleet } from './fleet.ts';

/** Lists the state of each repository. It is read only on request, as the list may be in a bucket. */
export function FleetRepositories({ objects }: { objects: string }) {
  const { status, isLoadingStatus, statusFailure } = useFleet();
  return (
    <>
      <div className={styles.toolbar}>
        <p role="status" className="grow muted">
          {isLoadingStatus ? (
            'Reading the list…'
          ) : status ? (
            <Summary status={status} />
          ) : (
            <>
              The list of repositories and their states is in{' '}
              <SourceText text={objects} className={styles.address} />.
            </>
          )}
        </p>
        <Button onClick={loadFleetStatus} disabled={isLoadingStatus}>
          {isLoadingStatus ? <Spinner /> : <ListRestart size={14} />}
          {status ? 'Reload list' : 'Load list'}
        </Button>
      </div>
      {statusFailure && <Failed failure={statusFailure} />}
      {status && !statusFailure && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section className={styles.repositories} aria-label="Repositories" tabIndex={0}>
          <ul>
            {sortFailedFirst(status.repositories).map((repository) => (
              <RepositoryItem
                key={`${repository.name} ${repository.ref}`}
                repository={repository}
              />
            ))}
          </ul>
          {status.more > 0 && (
            <p>
              … and {formatCount(status.more)} more. To list all, run{' '}
              <code>locus fleet status</code>.
            </p>
          )}
        </section>
      )}
    </>
  );
}

function Summary({ status: { repositories, more } }: { status: FleetStatus }) {
  const indexed = repositories.filter((repository) => repository.indexed !== null).length;
  const failed = repositories.filter((repository) => repository.failure !== null).length;
  return (
    <>
      {formatCounted(repositories.length + more, 'repository', 'repositories')}:{' '}
      {formatCount(indexed)} indexed
      {failed > 0 && `, ${formatCount(failed)} failed`}
    </>
  );
}

const sortFailedFirst = (all: readonly FleetRepository[]): FleetRepository[] =>
  all.toSorted((a, b) => Number(b.failure !== null) - Number(a.failure !== null));

/** Reasons by error code. The fleet stores only the codes, not the messages of hosts and servers. */
const FAILURE_REASONS: Readonly<Record<string, string>> = {
  'bad-repository':
    'the repository could not be fetched. Check its address, the network and the worker’s credentials.',
  'bad-objects': 'the object storage did not work.',
  'bad-model': 'the worker found no usable model.',
  'bad-store': 'the worker’s disk is full or damaged.',
  'not-fetched': 'Milvus did not answer.',
  device: 'the worker’s device cannot be used.',
};

function RepositoryItem({
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
          <SourceText text={name} />
          {ref !== null && (
            <span className={styles.tag}>
              <SourceText text={ref} />
            </span>
          )}
        </span>
        <p className="hint">
          {indexed ? (
            <>
              {indexed.commit.slice(0, 10)} · {formatCounted(indexed.rows, 'function')} in{' '}
              {formatCounted(indexed.files, 'file')}
              {indexed.at !== null && (
                <>
                  {' '}
                  · stored{' '}
                  <time dateTime={indexed.at} title={new Date(indexed.at).toLocaleString('en')}>
                    {formatAgo(Date.parse(indexed.at))}
                  </time>
                </>
              )}
            </>
          ) : (
            'Not indexed yet'
          )}
          {working && ' · being indexed'}
          {removing && ' · being removed'}
        </p>
        {failure && (
          <p className="bad">
            The last run failed: {FAILURE_REASONS[failure] ?? `error code ${failure}.`}
          </p>
        )}
      </div>
    </li>
  );
}
