import { useEffect, useState } from 'react';
import type { CheckAccess } from '../../../shared/check.ts';
import type { Endpoint } from '../../../shared/check-endpoint.ts';
import { engine } from '../../platform/client.ts';
import { Button, SourceText } from '../../ui/controls.tsx';
import { Field, TextInput } from '../../ui/fields.tsx';
import styles from './set-up.module.css';

export function EndpointSettings({ endpoint }: { endpoint: Endpoint }) {
  const { agent, localModel, origin, host, isLocal } = endpoint;
  const [state, setState] = useState<CheckAccess | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const update = (answer: Promise<CheckAccess>) =>
    answer.then(
      (now) => {
        setState(now);
        setFailure(null);
      },
      (error: Error) => setFailure(error.message),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested once; each change here returns the new state
  useEffect(() => {
    update(engine.call('check.state', { address: origin }));
  }, [origin]);
  const agreed = state?.agreed ?? [];
  return (
    <>
      {agent === undefined && localModel === undefined && (
        <Field
          title="API key"
          hint={`Used only for ${host}. It is stored in a file that only you can read, and not shown again.`}
        >
          <div className={styles.control}>
            <KeyInput
              isStored={state?.key === 'stored'}
              onSave={(key) => update(engine.call('check.key', { address: origin, key }))}
            />
            <p role="status" className={styles.status} data-warning={failure !== null}>
              {failure ?? describeKey(state, isLocal)}
            </p>
          </div>
        </Field>
      )}
      {!isLocal && agreed.length > 0 && (
        <Field
          title="Allowed repositories"
          hint={`Code of these repositories may be sent to ${host}.`}
        >
          <div className={styles.control}>
            <ul className={styles.agreed}>
              {agreed.map((root) => (
                <li key={root}>
                  <SourceText text={root} />
                </li>
              ))}
            </ul>
            <Button onClick={() => update(engine.call('check.withdraw', { address: origin }))}>
              Revoke all
            </Button>
          </div>
        </Field>
      )}
    </>
  );
}

interface KeyInputProps {
  isStored: boolean;
  /** Null removes the stored key. */
  onSave: (key: string | null) => void;
}

function KeyInput({ isStored, onSave }: KeyInputProps) {
  const [key, setKey] = useState('');
  const save = (saved: string | null) => {
    setKey('');
    onSave(saved);
  };
  return (
    <div className={styles.line}>
      <TextInput
        type="password"
        placeholder={isStored ? '••••••••' : ''}
        maxLength={1000}
        value={key}
        onChange={setKey}
        onKeyDown={(event) => event.key === 'Enter' && key.trim() && save(key)}
      />
      <Button disabled={key.trim() === ''} onClick={() => save(key)}>
        Save
      </Button>
      {isStored && <Button onClick={() => save(null)}>Remove</Button>}
    </div>
  );
}

function describeKey(state: CheckAccess | null, loopback: boolean): string {
  if (state?.key === 'stored') return 'A key is stored.';
  if (state?.key === 'environment') return 'The key in LOCUS_CHECK_API_KEY is used.';
  return loopback
    ? 'No key is stored. Models on this machine rarely require one.'
    : 'No key is stored.';
}
