import { type FormEvent, useEffect, useState } from 'react';
import { type Failure, inSentences } from '../../../shared/errors.ts';
import type { LastPull, SharedIndexState } from '../../../shared/shared-index.ts';
import { engine } from '../../platform/client.ts';
import { Button, Source } from '../../ui/controls.tsx';
import { ago, bytes, counted } from '../../ui/counts.ts';
import { Field, TextInput, TextLines } from '../../ui/fields.tsx';
import styles from './settings.module.css';

/** From where published indexes are taken, and whose: what `locus shared` sets. */
export function SharedIndexSettings() {
  const [state, setState] = useState<SharedIndexState | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    engine.call('sharedIndex.get', {}).then(setState, setFailure);
  }, []);
  return (
    <>
      <p className="hint">
        A repository that is opened for the first time takes the nearest index that was published of
        it, and makes only what differs. The place is asked for the parts of that index; nothing is
        sent there. Off until it is set up.
      </p>
      {state && <SetUp state={state} onState={setState} />}
      {state?.own && (
        <Field
          title="Your own key"
          hint="What is published from this machine, by locus publish, is trusted without being named above."
        >
          <Source className={styles.path} text={state.own ?? ''} />
        </Field>
      )}
      {state && (
        <Field title="Last pull">
          <Last last={state.last} />
        </Field>
      )}
      <p role="alert">{failure && inSentences(failure)}</p>
    </>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Place and keys are applied together: one without the other believes the wrong publisher. */
function SetUp({
  state,
  onState,
}: {
  state: SharedIndexState;
  onState: (state: SharedIndexState) => void;
}) {
  const [from, setFrom] = useState(state.from ?? '');
  const [keys, setKeys] = useState(state.keys.join('\n'));
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const isChanged = from.trim() !== (state.from ?? '') || keys !== state.keys.join('\n');
  const set = async (place: string | null, trusted: string[]) => {
    setSaid('');
    try {
      const now = await engine.call('sharedIndex.set', { from: place, keys: trusted });
      setFrom(now.from ?? '');
      setKeys(now.keys.join('\n'));
      setFailure(null);
      setSaid(
        now.from === null
          ? 'Off: no index is taken any more. What was taken stays.'
          : 'Repositories that are opened for the first time take their index from there.',
      );
      onState(now);
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    set(from, linesOf(keys));
  };
  return (
    <form onSubmit={apply}>
      <Field
        title="Take indexes from"
        hint={
          <>
            A folder in full, <code>s3://bucket/prefix</code>, or <code>https://host/path</code>.
            Credentials of a bucket are found as Amazon’s own tools find them; Locus keeps none.
          </>
        }
      >
        <TextInput placeholder="s3://acme-locus/index" value={from} onChange={setFrom} />
      </Field>
      <Field
        title="Trusted publishers"
        hint={
          <>
            One public key a line, as <code>locus publish</code> prints it. These are pinned: an
            index that none of them signed is refused. Compare a key whole; it is no longer than a
            fingerprint.
          </>
        }
      >
        <div className={styles.shared}>
          <TextLines rows={3} placeholder="ed25519:…" value={keys} onChange={setKeys} />
          <p role="alert">{failure && `${failure.message}: ${failure.remedy}.`}</p>
          <p role="status" className="hint">
            {said || (state.from === null ? 'No shared index is set up.' : '')}
          </p>
          <div className="button-row">
            <Button disabled={state.from === null} onClick={() => set(null, [])}>
              Turn off
            </Button>
            <Button look="primary" type="submit" disabled={!isChanged || from.trim() === ''}>
              Apply
            </Button>
          </div>
        </div>
      </Field>
    </form>
  );
}

function Last({ last }: { last: LastPull | null }) {
  if (!last) return <span className="hint">None yet.</span>;
  const { at, root, taken, failure } = last;
  return (
    <div className={styles.shared}>
      <p>
        <Source className={styles.path} text={root} />,{' '}
        <time dateTime={at} title={new Date(at).toLocaleString('en')}>
          {ago(Date.parse(at))}
        </time>
      </p>
      {taken && (
        <p className="hint">
          {counted(taken.chunks, 'function')} in {counted(taken.files, 'file')} of commit{' '}
          {taken.commit.slice(0, 10)}, {distance(taken.behind)}: {bytes(taken.bytes)}
          {taken.embeddings ? ', with embeddings' : ', without embeddings of the model used here'},
          from <Source className={styles.path} text={taken.from} />
        </p>
      )}
      {failure && (
        <p className="hint">
          Nothing was taken, and all was indexed here: {failure.message}; {failure.remedy}.
        </p>
      )}
      {!taken && !failure && (
        <p className="hint">Nothing near is published of it: all was indexed here.</p>
      )}
    </div>
  );
}

const distance = (behind: number): string =>
  behind === 0 ? 'the one checked out' : `${counted(behind, 'commit')} behind`;
