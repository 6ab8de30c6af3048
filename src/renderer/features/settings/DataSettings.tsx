import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Failure } from '../../../shared/errors.ts';
import { useAnswer } from '../../platform/answer.ts';
import { engine } from '../../platform/client.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useApp } from '../../platform/state.ts';
import { Button, Source, Spinner } from '../../ui/controls.tsx';
import { bytes } from '../../ui/counts.ts';
import { Field } from '../../ui/fields.tsx';
import styles from './settings.module.css';

export function DataSettings() {
  const welcome = useApp((state) => state.welcome);
  if (!welcome) return null;
  return (
    <>
      <Field
        title="Data folder"
        hint="Indexes, and what you made: issues, marks, notes and settings. They stay on this machine. A verifier or a fleet, if you set one up, is sent what you ask it about; a shared index and hosts of links are asked for what you take from there."
      >
        <span className={styles.place}>
          <Source className={styles.path} text={welcome.dataDirectory} />
          <Button onClick={() => navigator.clipboard.writeText(welcome.dataDirectory)}>
            Copy path
          </Button>
        </span>
      </Field>
      <Field title="Log" hint="What went wrong and when, without code, issues, names and paths.">
        <Button onClick={() => openOverlay('log')}>Show log</Button>
      </Field>
      <Indexes />
      <p className="hint">Locus {welcome.version}</p>
    </>
  );
}

function Indexes() {
  const [cleared, setCleared] = useState(0);
  const { answer: indexes, failure: unlisted } = useAnswer('data.list', {}, { again: cleared });
  const [refused, setRefused] = useState<Failure | null>(null);
  const failure = refused ?? unlisted;
  const [asked, setAsked] = useState<string | null>(null);
  const [clearing, setClearing] = useState<string | null>(null);

  async function clear(id: string): Promise<void> {
    setAsked(null);
    setClearing(id);
    setRefused(null);
    try {
      await engine.call('data.clear', { index: id });
    } catch (error) {
      setRefused(error as Failure);
    }
    setClearing(null);
    setCleared(cleared + 1);
  }

  const total = indexes?.reduce((sum, index) => sum + index.bytes, 0) ?? 0;
  return (
    <section className={styles.indexes} aria-labelledby="indexes">
      <h3 id="indexes">
        Indexes
        {indexes && indexes.length > 0 && <span>{bytes(total)}</span>}
      </h3>
      <p className="hint">
        An index can be made again from its repository at any time. Clearing one keeps its issues,
        marks and notes.
      </p>
      <p role="alert">{failure?.message}</p>
      {!indexes && !failure && <Spinner />}
      {indexes?.length === 0 && <p className="hint">There are none yet.</p>}
      <ul>
        {indexes?.map(({ id, name, root, bytes: size }) => (
          <li key={id} className="flex-row">
            <span className={styles.indexName}>
              <Source text={name} />
              {root ? (
                <Source className="hint" text={root} />
              ) : (
                <span className="hint">
                  made by an earlier version; which folder it is of was not noted
                </span>
              )}
            </span>
            {asked === id ? (
              <>
                <span>Remove {bytes(size)}?</span>
                <Button autoFocus onClick={() => setAsked(null)}>
                  Keep
                </Button>
                <Button className={styles.danger} onClick={() => clear(id)}>
                  Remove
                </Button>
              </>
            ) : clearing === id ? (
              <Spinner />
            ) : (
              <>
                <span className={styles.size}>{bytes(size)}</span>
                <Button aria-label={`Clear the index of ${name}`} onClick={() => setAsked(id)}>
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
