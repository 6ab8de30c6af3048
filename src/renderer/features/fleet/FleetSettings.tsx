import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type Failure, formatFailure } from '../../../shared/errors.ts';
import {
  DEFAULT_MILVUS_ADDRESS,
  type FleetConfiguration,
  type FleetLocation,
} from '../../../shared/fleet.ts';
import { MAX_TOKEN } from '../../../shared/limits.ts';
import type { EngineMethods } from '../../../shared/rpc/methods.ts';
import { engine } from '../../platform/client.ts';
import { setFleet } from '../../platform/state.ts';
import { Button, SourceText } from '../../ui/controls.tsx';
import { Field, TextInput } from '../../ui/fields.tsx';
import styles from './fleet.module.css';

type FleetChange = EngineMethods['fleet.set']['params']['fleet'];

const NONE: FleetConfiguration = { location: null, hasToken: false, variables: [] };

/** Stores the fleet's addresses and token, as `locus fleet use` does. Nothing is contacted. */
export function FleetSettings({ places }: { places: FleetLocation | null }) {
  const [state, setState] = useState<FleetConfiguration | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = (now: FleetConfiguration) => {
    setState(now);
    setFailure(null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the fleet changes
  useEffect(() => {
    engine.call('fleet.get', {}).then(
      (now) => {
        update(now);
        // The command line may have changed it in the meantime.
        if (JSON.stringify(now.location) !== JSON.stringify(places)) setFleet(now.location);
      },
      (error: Failure) => {
        setState(NONE);
        setFailure(error);
      },
    );
  }, [places]);
  if (!state) return null;
  if (state.variables.length > 0) return <EnvironmentNote variables={state.variables} />;
  return <Form state={state} loadFailure={failure} onState={update} />;
}

const LIST = new Intl.ListFormat('en');

/** Shown if environment variables set the fleet, as they take precedence over the settings. */
function EnvironmentNote({ variables }: { variables: readonly string[] }) {
  return (
    <p>
      {LIST.formatToParts(variables).map(({ type, value }) =>
        type === 'element' ? <code key={value}>{value}</code> : value,
      )}{' '}
      {variables.length > 1
        ? 'are environment variables that set'
        : 'is an environment variable that sets'}{' '}
      the fleet. To set it here, start Locus without {variables.length > 1 ? 'them' : 'it'}.
    </p>
  );
}

/** Edits the list of repositories, the address of Milvus and its token, which are applied together. */
function Form({
  state: { location, hasToken },
  loadFailure,
  onState,
}: {
  state: FleetConfiguration;
  /** Failure to read the stored settings; null if there was none. */
  loadFailure: Failure | null;
  onState: (state: FleetConfiguration) => void;
}) {
  const [objects, setObjects] = useState('');
  const [address, setAddress] = useState('');
  const [token, setToken] = useState('');
  const [message, setMessage] = useState('');
  const [saveFailure, setSaveFailure] = useState<Failure | null>(null);
  const firstInput = useRef<HTMLInputElement>(null);
  const { objects: storedObjects = '', engine: storedAddress = DEFAULT_MILVUS_ADDRESS } =
    location ?? {};
  useEffect(() => {
    setObjects(storedObjects);
    setAddress(storedAddress);
    setToken('');
  }, [storedObjects, storedAddress]);
  const isNew = location === null;
  useEffect(() => {
    if (isNew) firstInput.current?.focus();
  }, [isNew]);
  const failure = saveFailure ?? loadFailure;
  const isChanged =
    objects.trim() !== storedObjects || address.trim() !== storedAddress || token !== '';
  const save = async (fleet: FleetChange, done: string) => {
    setMessage('');
    try {
      onState(await engine.call('fleet.set', { fleet }));
      setToken('');
      setSaveFailure(null);
      setMessage(done);
    } catch (error) {
      setSaveFailure(error as Failure);
    }
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const fleet = { objects, engine: address, ...(token !== '' && { token }) };
    save(fleet, 'Saved. Searches of all repositories use this fleet.');
  };
  const removeToken = () =>
    save({ objects: storedObjects, engine: storedAddress, token: null }, 'Token removed.');
  return (
    <form className={styles.form} onSubmit={apply}>
      <Field
        title="List of repositories"
        hint={
          <>
            The full path of a folder, or <code>s3://bucket/prefix</code>. For a bucket, Locus uses
            the same credentials as Amazon’s own tools, and stores none.
          </>
        }
      >
        <TextInput
          ref={firstInput}
          placeholder="s3://acme-locus/fleet"
          value={objects}
          onChange={setObjects}
        />
      </Field>
      <Field
        title="Milvus"
        hint="The address of the server. A search sends it words and names from the issue, and its embedding."
      >
        <TextInput placeholder={DEFAULT_MILVUS_ADDRESS} value={address} onChange={setAddress} />
      </Field>
      <Field
        title="Token"
        hint={
          <>
            <code>user:password</code> or an API key, if Milvus requires one. It is stored in a file
            that only you can read, sent only to this server, and not shown again.
          </>
        }
      >
        <div className={styles.token}>
          <TextInput
            type="password"
            placeholder={hasToken && address.trim() === storedAddress ? '••••••••' : ''}
            maxLength={MAX_TOKEN}
            value={token}
            onChange={setToken}
          />
          {hasToken && <Button onClick={removeToken}>Remove</Button>}
        </div>
      </Field>
      <p className="hint">
        {hasToken && (
          <>
            A token is stored for <SourceText text={storedAddress} className={styles.address} />.{' '}
          </>
        )}
        To add repositories, run <code>locus fleet add</code>. To index them, run{' '}
        <code>locus fleet index</code> on this or other machines. To install Milvus, and for what is
        sent where, see docs/how-to/set-up-a-fleet.md.
      </p>
      <p role="alert" className="bad">
        {failure && formatFailure(failure)}
      </p>
      <p role="status" className="hint">
        {message}
      </p>
      <div className={styles.buttons}>
        {(!isNew || loadFailure) && (
          <Button onClick={() => save(null, 'Turned off.')}>Turn off</Button>
        )}
        <Button
          look="primary"
          type="submit"
          disabled={!isChanged || objects.trim() === '' || address.trim() === ''}
        >
          Apply
        </Button>
      </div>
    </form>
  );
}
