import {
  CircleAlert,
  CircleCheck,
  CircleOff,
  CirclePause,
  Pause,
  Play,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { type Failure, formatFailure } from '../../../shared/errors.ts';
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import type { IndexingState, IndexProgress } from '../../../shared/indexing.ts';
import { CommandButton } from '../../platform/CommandItems.tsx';
import { getCommand } from '../../platform/commands.ts';
import { useApp } from '../../platform/state.ts';
import { SourceText, Spinner } from '../../ui/controls.tsx';
import { getResponse, type SearchState, useSearch } from '../search/index.ts';
import { IndexDetails } from './IndexDetails.tsx';
import { Notes } from './Notes.tsx';
import { formatDuration, INDEX_PHASE_LABELS } from './phases.ts';
import { RerankingStatus } from './RerankingStatus.tsx';
import { CopyButton, StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

/** Returns why the list is partial. A complete list that waits for the user counts. */
const getPartial = (state: SearchState) =>
  (state.search.phase === 'ready' ? state.search.next : getResponse(state))?.partial ?? null;

/** Summary of a workspace, with the state of each repository. */
function WorkspaceStatus() {
  const members = useApp((state) => state.members);
  if (!members) return null;
  const current = members.filter(({ indexing }) => indexing.phase === 'current').length;
  const failed = members.filter(({ indexing }) => indexing.phase === 'failed').length;
  const failures = failed > 0 ? `, ${failed} failed` : '';
  return (
    <StatusPopover
      label="Repositories"
      trigger={`${current} of ${members.length} repositories${failures}`}
    >
      <h3>Repositories</h3>
      <dl className={styles.rows}>
        {members.map(({ name, root, indexing }) => (
          <div key={root} title={root}>
            <dt>
              <SourceText text={name} />
            </dt>
            <dd>{describe(indexing)}</dd>
          </div>
        ))}
      </dl>
    </StatusPopover>
  );
}

function describe({ phase, progress, failure, warning }: IndexingState): string {
  if (phase === 'failed' && failure) return formatFailure(failure);
  if (phase === 'current') return warning ? formatFailure(warning) : 'up to date';
  if (phase === 'paused') return 'paused';
  if (!progress) return 'opening…';
  const { phase: step, done, total } = progress;
  return total > 0
    ? `${INDEX_PHASE_LABELS[step]}: ${formatCount(done)} of ${formatCount(total)}`
    : INDEX_PHASE_LABELS[step];
}

export function StatusBar() {
  return (
    <section className={styles.bar} aria-label="Status">
      <Indexing />
      <WorkspaceStatus />
      <PartialRanking />
      <RerankingStatus />
      <span className={styles.spring} />
      <Notes />
      <IndexDetails />
    </section>
  );
}

function Indexing() {
  const indexing = useApp((state) => state.indexing);
  const isLost = useApp((state) => state.connection === 'lost');
  const isWithoutCode = useApp(({ status }) => status?.state === 'complete' && status.chunks === 0);
  const isPartial = useSearch((state) => getPartial(state) !== null);
  // Nobody knows the state of the index.
  if (!indexing || isLost) return null;
  const { phase, progress, failure, warning } = indexing;
  if (phase === 'failed' && failure) {
    return (
      <span className={styles.item}>
        <Trouble
          label="Indexing failed"
          title="Indexing failed"
          icon={<CircleAlert size={14} className="bad" />}
          summary={`Indexing failed: ${failure.message}`}
          failure={failure}
        >
          <p>You can still search the part that is indexed.</p>
        </Trouble>
        <PauseButton id="index.resume" />
      </span>
    );
  }
  if (phase === 'paused') {
    return (
      <span className={styles.item}>
        <CirclePause size={14} />
        Indexing paused
        <PauseButton id="index.resume" />
      </span>
    );
  }
  if (phase === 'current' && warning) {
    return (
      <span className={styles.item}>
        <Trouble
          label="Changes may be missing"
          title="Changes may be missing"
          icon={<TriangleAlert size={14} className={styles.partial} />}
          summary={warning.message}
          failure={warning}
        />
      </span>
    );
  }
  if (phase === 'current' && isWithoutCode) {
    return (
      <span className={styles.item}>
        <CircleOff size={14} />
        No code found
      </span>
    );
  }
  if (phase === 'current') {
    return (
      <span className={styles.item}>
        <CircleCheck size={14} className="good" />
        {progress ? <Progress {...progress} /> : isPartial ? 'Files up to date' : 'Up to date'}
        {progress && <PauseButton id="index.pause" />}
      </span>
    );
  }
  return (
    <span className={styles.item}>
      <Spinner />
      {progress ? <Progress {...progress} /> : 'Opening…'}
      <PauseButton id="index.pause" />
    </span>
  );
}

interface TroubleProps {
  label: string;
  title: string;
  icon: ReactNode;
  summary: string;
  failure: Failure;
  children?: ReactNode;
}

/** Summary of a failure, with a popover that shows all of it. */
function Trouble({ label, title, icon, summary, failure, children }: TroubleProps) {
  const { message, remedy } = failure;
  return (
    <StatusPopover
      label={label}
      trigger={
        <>
          {icon}
          <span className={styles.message}>{summary}</span>
        </>
      }
    >
      <h3>{title}</h3>
      <p>{message}</p>
      <p>{remedy}</p>
      {children}
      <CopyButton text={() => `${message}\n${remedy}`} />
    </StatusPopover>
  );
}

function Progress({ phase, done, total, rate, secondsLeft }: IndexProgress) {
  const isCountable = total > 0 && done < total;
  return (
    <>
      <span className={styles.phase}>{INDEX_PHASE_LABELS[phase]}</span>
      {isCountable && (
        <>
          <progress value={done} max={total} aria-label={INDEX_PHASE_LABELS[phase]} />
          <span className={styles.numbers}>
            {formatCount(done)} of {formatCount(total)} · {formatCount(Math.round(rate))}/s
            {secondsLeft !== null && ` · ${formatDuration(secondsLeft)} left`}
          </span>
        </>
      )}
    </>
  );
}

function PauseButton({ id }: { id: 'index.pause' | 'index.resume' }) {
  const found = getCommand(id);
  if (!found) return null;
  return (
    <CommandButton id={id} label={found.title} className={styles.small}>
      {id === 'index.pause' ? <Pause size={12} /> : <Play size={12} />}
    </CommandButton>
  );
}

function PartialRanking() {
  const partial = useSearch(getPartial);
  if (!partial) return null;
  const { embedded, chunks, reason, files } = partial;
  const progress = files
    ? `${formatCount(files.read)} of ${formatCount(files.of)} files parsed`
    : embedded < chunks
      ? `${formatCount(embedded)} of ${formatCounted(chunks, 'function')} embedded`
      : reason;
  return (
    <StatusPopover
      label="Partial ranking"
      className={styles.partial}
      trigger={`Partial ranking: ${progress}`}
    >
      <h3>Partial ranking</h3>
      <p>The list may still change: {reason}.</p>
      {files && <p>Functions in the other files cannot be found yet.</p>}
      <p>
        The list already uses names, paths, words and calls. It updates by itself, and your
        selection stays.
      </p>
    </StatusPopover>
  );
}
