import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Failure } from '../../../shared/errors.ts';
import { useAnswer } from '../../platform/answer.ts';
import { engine } from '../../platform/client.ts';
import { copyText } from '../../platform/copy.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useApp } from '../../platform/state.ts';
import { Button, SourceText, Spinner } from '../../ui/controls.tsx';
import { formatBytes } from '../../ui/counts.ts';
import { Field } from '../../ui/fields.tsx';
import styles from './settings.module.css';

export function DataSettings() {
  const welcome = useApp((state) => state.welcome);
  if (!welcome) return null;
  return (
    <>
      <Field
        title="Data folder"
        hint="Holds your indexes, issues, marks, notes and settings. They stay on this machine. A check, if you set one up, receives the issue and the code that it checks; a fleet receives words of the issue. A shared index and code hosts see what you download."
      >
        <span className={styles.location}>
          <SourceText className={styles.path} text={welcome.dataDirectory} />
          <Button onClick={() => copyText(welcome.dataDirectory, welcome.dataDirectory)}>
            Copy path
          </Button>
        </span>
      </Field>
      <Field
        title="Log"
        hint="Errors and warnings with their times. It contains no code, issues, names or paths."
      >
        <Button onClick={() => openOverlay('log')}>Show log</Button>
      </Field>
      <Indexes />
      <p className="hint">Locus {welcome.version}</p>
    </>
  );
}

function Indexes() {
  const [cleared, setCleared] = useState(0);
  const { answer: indexes, failure: listFailure } = useAnswer('data.list', {}, { again: cleared });
  const [clearFailure, setClearFailure] = useState<Failure | null>(null);
  const failure = clearFailure ?? listFailure;
  const [confirmingId, setConfirmingId] = useState<string | null>(null);
  const [clearingId, setClearingId] = useState<string | null>(null);

  async function clear(id: string): Promise<void> {
    setConfirmingId(null);
    setClearingId(id);
    setClearFailure(null);
    try {
      await engine.call('data.clear', { index: id });
    } catch (error) {
      setClearFailure(error as Failure);
    }
    setClearingId(null);
    setCleared(cleared + 1);
  }

  const total = indexes?.reduce((sum, index) => sum + index.bytes, 0) ?? 0;
  return (
    <section className={styles.indexes} aria-labelledby="indexes">
      <h3 id="indexes">
        Indexes
        {indexes && indexes.length > 0 && <span>{formatBytes(total)}</span>}
      </h3>
      <p className="hint">
        Locus can rebuild an index from its repository at any time. Clearing an index keeps its
        issues, marks and notes.
      </p>
      <p role="alert">{failure?.message}</p>
      {!indexes && !failure && <Spinner />}
      {indexes?.length === 0 && (
        <p className="hint">No indexes yet. Open a repository to create one.</p>
      )}
      <ul>
        {indexes?.map(({ id, name, root, bytes: size }) => (
          <li key={id} className="flex-row">
            <span className={styles.indexName}>
              <SourceText text={name} />
              {root ? (
                <SourceText className="hint" text={root} />
              ) : (
                <span className="hint">unknown folder; created by an earlier version</span>
              )}
            </span>
            {confirmingId === id ? (
              <>
                <span>Clear {formatBytes(size)}?</span>
                <Button autoFocus onClick={() => setConfirmingId(null)}>
                  Cancel
                </Button>
                <Button className={styles.danger} onClick={() => clear(id)}>
                  Clear index
                </Button>
              </>
            ) : clearingId === id ? (
              <Spinner />
            ) : (
              <>
                <span className={styles.size}>{formatBytes(size)}</span>
                <Button
                  aria-label={`Clear the index of ${name}`}
                  onClick={() => setConfirmingId(id)}
                >
                  <Trash2 size={14} />
                  Clear
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
