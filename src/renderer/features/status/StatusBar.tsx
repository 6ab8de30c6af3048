import { CircleAlert, CircleCheck, CirclePause, Cpu, Pause, Play, Unplug } from 'lucide-react';
import type { IndexPhase, IndexProgress } from '../../../shared/types.ts';
import { command, runCommand } from '../../app/commands.ts';
import { useApp } from '../../app/state.ts';
import { IconButton, Spinner } from '../../ui/controls.tsx';
import { useSearch } from '../results/search.ts';
import { Notes } from './Notes.tsx';
import styles from './status.module.css';

export function StatusBar() {
  const status = useApp((state) => state.status);
  const response = useSearch((state) => state.response);
  const device = useApp((state) => state.indexing?.report?.device) ?? response?.model.device;
  return (
    <section className={styles.bar} aria-label="Status">
      <Indexing />
      {response?.partial && (
        <span className={styles.partial} title={response.partial.reason}>
          Partial ranking: {count(response.partial.embedded)} of {count(response.partial.chunks)}{' '}
          embedded
        </span>
      )}
      <span className={styles.spring} />
      <Connection />
      <Notes />
      {status && (
        <span>
          {count(status.chunks)} chunks in {count(status.files)} files
        </span>
      )}
      {status && (
        <span className={styles.item}>
          <Cpu size={13} aria-hidden="true" />
          {status.model.id}
          {device && ` on ${device}`}
        </span>
      )}
    </section>
  );
}

const PHASES: Record<IndexPhase, string> = {
  scan: 'Listing files',
  parse: 'Reading files',
  graph: 'Following calls',
  encode: 'Embedding chunks',
  vectors: 'Ordering embeddings',
  done: 'Finishing',
};

function Indexing() {
  const indexing = useApp((state) => state.indexing);
  if (!indexing) return null;
  const { phase, progress, failure } = indexing;
  if (phase === 'failed') {
    return (
      <span className={styles.item} title={failure?.remedy}>
        <CircleAlert size={14} className={styles.bad} aria-hidden="true" />
        {failure?.message}
        <PauseButton id="index.resume" />
      </span>
    );
  }
  if (phase === 'paused') {
    return (
      <span className={styles.item}>
        <CirclePause size={14} aria-hidden="true" />
        Indexing is paused
        <PauseButton id="index.resume" />
      </span>
    );
  }
  if (phase === 'current') {
    return (
      <span className={styles.item}>
        <CircleCheck size={14} className={styles.good} aria-hidden="true" />
        Up to date
      </span>
    );
  }
  return (
    <span className={styles.item}>
      <Spinner />
      {progress ? <Progress {...progress} /> : 'Opening …'}
      <PauseButton id="index.pause" />
    </span>
  );
}

function Progress({ phase, done, total, rate, secondsLeft }: IndexProgress) {
  const known = total > 0 && done < total;
  return (
    <>
      <span className={styles.phase}>{PHASES[phase]}</span>
      {known && (
        <>
          <progress value={done} max={total} aria-label={PHASES[phase]} />
          <span className={styles.numbers}>
            {count(done)} of {count(total)} · {count(Math.round(rate))}/s
            {secondsLeft !== null && ` · ${duration(secondsLeft)} left`}
          </span>
        </>
      )}
    </>
  );
}

function PauseButton({ id }: { id: 'index.pause' | 'index.resume' }) {
  return (
    <IconButton label={command(id)!.title} className={styles.small} onClick={() => runCommand(id)}>
      {id === 'index.pause' ? <Pause size={12} /> : <Play size={12} />}
    </IconButton>
  );
}

function Connection() {
  const connection = useApp((state) => state.connection);
  if (connection !== 'lost') return null;
  return (
    <span className={styles.item} role="alert">
      <Unplug size={13} className={styles.bad} aria-hidden="true" />
      Reconnecting …
    </span>
  );
}

const numbers = new Intl.NumberFormat('en');
const count = (value: number) => numbers.format(value);

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  return `${Math.round(seconds / 60)} min`;
}
