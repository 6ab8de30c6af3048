import { CircleAlert, CircleCheck, CirclePause, Pause, Play, Unplug } from 'lucide-react';
import type { IndexProgress } from '../../../shared/indexing.ts';
import { command, runCommand } from '../../platform/commands.ts';
import { useHost } from '../../platform/host.ts';
import { useApp } from '../../platform/state.ts';
import { IconButton, Spinner } from '../../ui/controls.tsx';
import { number } from '../../ui/counts.ts';
import { EachRepository } from './EachRepository.tsx';
import { duration } from './format.ts';
import { IndexDetails } from './IndexDetails.tsx';
import { ModelSwitch } from './ModelSwitch.tsx';
import { Notes } from './Notes.tsx';
import { PartialRanking } from './PartialRanking.tsx';
import { PHASES } from './phases.ts';
import { RefinementState } from './RefinementState.tsx';
import { CopyButton, StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

export function StatusBar() {
  return (
    <section className={styles.bar} aria-label="Status">
      <Indexing />
      <EachRepository />
      <PartialRanking />
      <RefinementState />
      <span className={styles.spring} />
      <Connection />
      <Notes />
      <IndexDetails />
      <ModelSwitch />
    </section>
  );
}

function Indexing() {
  const indexing = useApp((state) => state.indexing);
  if (!indexing) return null;
  const { phase, progress, failure } = indexing;
  if (phase === 'failed') {
    return (
      <span className={styles.item}>
        <StatusPopover
          label="Why indexing failed"
          trigger={
            <>
              <CircleAlert size={14} className={styles.bad} aria-hidden="true" />
              <span className={styles.message}>Indexing failed: {failure?.message}</span>
            </>
          }
        >
          <h3>Indexing failed</h3>
          <p>{failure?.message}</p>
          <p>{failure?.remedy}</p>
          <p>What is indexed already can still be searched.</p>
          <CopyButton text={() => `${failure?.message}\n${failure?.remedy}`} />
        </StatusPopover>
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
        {progress ? <Progress {...progress} /> : 'Up to date'}
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
            {number(done)} of {number(total)} · {number(Math.round(rate))}/s
            {secondsLeft !== null && ` · ${duration(secondsLeft)} left`}
          </span>
        </>
      )}
    </>
  );
}

function PauseButton({ id }: { id: 'index.pause' | 'index.resume' }) {
  const found = command(id);
  if (!found) return null;
  return (
    <IconButton label={found.title} className={styles.small} onClick={() => runCommand(id)}>
      {id === 'index.pause' ? <Pause size={12} /> : <Play size={12} />}
    </IconButton>
  );
}

function Connection() {
  const connection = useApp((state) => state.connection);
  const isUnknownHere = useHost((state) => state.isUnknownHere);
  if (connection !== 'lost') return null;
  return (
    <span className={styles.item} role="alert">
      <Unplug size={13} className={styles.bad} aria-hidden="true" />
      {isUnknownHere
        ? 'Locus was started anew: open the address that it printed'
        : 'Reconnecting …'}
    </span>
  );
}
