import { type FormEvent, useEffect, useState } from 'react';
import { type Failure, formatFailure } from '../../../shared/errors.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import type { LastPull, SharedIndexState } from '../../../shared/shared-index.ts';
import { engine } from '../../platform/client.ts';
import { Button, SourceText } from '../../ui/controls.tsx';
import { formatAgo, formatBytes } from '../../ui/counts.ts';
import { Field, TextInput, TextLines } from '../../ui/fields.tsx';
import styles from './settings.module.css';

/** Sets the location of the shared index and its trusted publishers, as `locus shared` does. */
export function SharedIndexSettings() {
  const [state, setState] = useState<SharedIndexState | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    engine.call('sharedIndex.get', {}).then(setState, setFailure);
  }, []);
  return (
    <>
      <p className="hint">
        When you open a repository for the first time, Locus downloads the index that was published
        for the nearest commit, and indexes only the differences. Nothing is uploaded. The shared
        index is off until you set it up.
      </p>
      {state && <SharedIndexForm state={state} onState={setState} />}
      {state?.ownKey && (
        <Field
          title="Your key"
          hint="Indexes that you publish on this machine with locus publish are always trusted."
        >
          <SourceText className={styles.path} text={state.ownKey ?? ''} />
        </Field>
      )}
      {state && (
        <Field title="Last download">
          <LastDownload last={state.lastPull} />
        </Field>
      )}
      <p role="alert">{failure && formatFailure(failure)}</p>
    </>
  );
}

const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Edits the location and the keys. They are applied together, since either alone could trust the wrong publisher. */
function SharedIndexForm({
  state,
  onState,
}: {
  state: SharedIndexState;
  onState: (state: SharedIndexState) => void;
}) {
  const [location, setLocation] = useState(state.from ?? '');
  const [keys, setKeys] = useState(state.keys.join('\n'));
  const [message, setMessage] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const isChanged = location.trim() !== (state.from ?? '') || keys !== state.keys.join('\n');
  const save = async (from: string | null, trusted: string[]) => {
    setMessage('');
    try {
      const now = await engine.call('sharedIndex.set', { from, keys: trusted });
      setLocation(now.from ?? '');
      setKeys(now.keys.join('\n'));
      setFailure(null);
      setMessage(
        now.from === null
          ? 'Turned off. Downloaded indexes stay.'
          : 'Saved. Repositories that you open for the first time use this shared index.',
      );
      onState(now);
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    save(location, splitLines(keys));
  };
  return (
    <form onSubmit={apply}>
      <Field
        title="Location"
        hint={
          <>
            The full path of a folder, <code>s3://bucket/prefix</code>, or{' '}
            <code>https://host/path</code>. For a bucket, Locus uses the same credentials as
            Amazon’s own tools, and stores none.
          </>
        }
      >
        <TextInput placeholder="s3://acme-locus/index" value={location} onChange={setLocation} />
      </Field>
      <Field
        title="Trusted publishers"
        hint={
          <>
            One public key per line, as <code>locus publish</code> prints it. Locus refuses an index
            that none of these keys signed. Compare keys in full; they are as short as a
            fingerprint.
          </>
        }
      >
        <div className={styles.shared}>
          <TextLines rows={3} placeholder="ed25519:…" value={keys} onChange={setKeys} />
          <p role="alert">{failure && formatFailure(failure)}</p>
          <p role="status" className="hint">
            {message || (state.from === null ? 'No shared index is set up.' : '')}
          </p>
          <div className="button-row">
            <Button disabled={state.from === null} onClick={() => save(null, [])}>
              Turn off
            </Button>
            <Button look="primary" type="submit" disabled={!isChanged || location.trim() === ''}>
              Apply
            </Button>
          </div>
        </div>
      </Field>
    </form>
  );
}

function LastDownload({ last }: { last: LastPull | null }) {
  if (!last) return <span className="hint">None yet</span>;
  const { at, root, taken, failure } = last;
  return (
    <div className={styles.shared}>
      <p>
        <SourceText className={styles.path} text={root} />,{' '}
        <time dateTime={at} title={new Date(at).toLocaleString('en')}>
          {formatAgo(Date.parse(at))}
        </time>
      </p>
      {taken && (
        <p className="hint">
          {formatCounted(taken.chunks, 'function')} in {formatCounted(taken.files, 'file')} of
          commit {taken.commit.slice(0, 10)}, {describeDistance(taken.behind)}:{' '}
          {formatBytes(taken.bytes)}
          {taken.embeddings ? ', with embeddings' : ', without embeddings for your model'}, from{' '}
          <SourceText className={styles.path} text={taken.from} />
        </p>
      )}
      {failure && (
        <p className="hint">
          Nothing was downloaded, and everything was indexed on this machine.{' '}
          {formatFailure(failure)}
        </p>
      )}
      {!taken && !failure && (
        <p className="hint">
          No published index was near enough, so everything was indexed on this machine.
        </p>
      )}
    </div>
  );
}

const describeDistance = (behind: number): string =>
  behind === 0 ? 'the current commit' : `${formatCounted(behind, 'commit')} behind`;
