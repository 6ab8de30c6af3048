import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Failure } from '../../../shared/errors.ts';
import { DEFAULT_ENGINE, type FleetPlaces, type FleetSetUp } from '../../../shared/fleet.ts';
import { MAX_TOKEN } from '../../../shared/limits.ts';
import type { EngineMethods } from '../../../shared/rpc/methods.ts';
import { engine } from '../../platform/client.ts';
import { knowFleet } from '../../platform/state.ts';
import { Button, Source } from '../../ui/controls.tsx';
import { Field, TextInput } from '../../ui/fields.tsx';
import styles from './fleet.module.css';

type Wanted = EngineMethods['fleet.set']['params']['fleet'];

const NONE: FleetSetUp = { places: null, hasToken: false, variables: [] };

/** Sets the fleet, as `locus fleet use` does. Nothing is reached for it. */
export function SetUp({ places }: { places: FleetPlaces | null }) {
  const [state, setState] = useState<FleetSetUp | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const know = (now: FleetSetUp) => {
    setState(now);
    setFailure(null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for each fleet that this is told of
  useEffect(() => {
    engine.call('fleet.get', {}).then(
      (now) => {
        know(now);
        // The command line may have set it up meanwhile.
        if (JSON.stringify(now.places) !== JSON.stringify(places)) knowFleet(now.places);
      },
      (error: Failure) => {
        setState(NONE);
        setFailure(error);
      },
    );
  }, [places]);
  if (!state) return null;
  if (state.variables.length > 0) return <OfEnvironment variables={state.variables} />;
  return <Form state={state} unread={failure} onState={know} />;
}

const LIST = new Intl.ListFormat('en-GB');

function OfEnvironment({ variables }: { variables: readonly string[] }) {
  return (
    <p>
      {LIST.formatToParts(variables).map(({ type, value }) =>
        type === 'element' ? <code key={value}>{value}</code> : value,
      )}{' '}
      {variables.length > 1 ? 'are' : 'is'} set where Locus was started, which goes before what
      could be set here: change the fleet there, or start Locus without{' '}
      {variables.length > 1 ? 'them' : 'it'}.
    </p>
  );
}

/** Place, address and token are applied together. */
function Form({
  state: { places, hasToken },
  unread,
  onState,
}: {
  state: FleetSetUp;
  /** Why the stored places could not be read. */
  unread: Failure | null;
  onState: (state: FleetSetUp) => void;
}) {
  const [objects, setObjects] = useState('');
  const [address, setAddress] = useState('');
  const [token, setToken] = useState('');
  const [said, setSaid] = useState('');
  const [refused, setRefused] = useState<Failure | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const { objects: storedObjects = '', engine: storedAddress = DEFAULT_ENGINE } = places ?? {};
  useEffect(() => {
    setObjects(storedObjects);
    setAddress(storedAddress);
    setToken('');
  }, [storedObjects, storedAddress]);
  const isNew = places === null;
  useEffect(() => {
    if (isNew) first.current?.focus();
  }, [isNew]);
  const failure = refused ?? unread;
  const isChanged =
    objects.trim() !== storedObjects || address.trim() !== storedAddress || token !== '';
  const set = async (fleet: Wanted, then: string) => {
    setSaid('');
    try {
      onState(await engine.call('fleet.set', { fleet }));
      setToken('');
      setRefused(null);
      setSaid(then);
    } catch (error) {
      setRefused(error as Failure);
    }
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const fleet = { objects, engine: address, ...(token !== '' && { token }) };
    set(fleet, 'Searches of all repositories go there from now on.');
  };
  const withoutToken = () =>
    set({ objects: storedObjects, engine: storedAddress, token: null }, 'The token is removed.');
  return (
    <form className={styles.form} onSubmit={apply}>
      <Field
        title="List of repositories"
        hint={
          <>
            A folder in full, or <code>s3://bucket/prefix</code>. Credentials of a bucket are found
            as Amazon’s own tools find them; Locus keeps none.
          </>
        }
      >
        <TextInput
          ref={first}
          placeholder="s3://acme-locus/fleet"
          value={objects}
          onChange={setObjects}
        />
      </Field>
      <Field
        title="Milvus"
        hint="The address of its server, which words and names of an issue and its embedding are sent to when you search."
      >
        <TextInput placeholder={DEFAULT_ENGINE} value={address} onChange={setAddress} />
      </Field>
      <Field
        title="Token"
        hint={
          <>
            <code>user:password</code> or an API key, if Milvus wants one. Kept in a file that only
            you can read, shown to no other server, and not shown here again.
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
          {hasToken && <Button onClick={withoutToken}>Remove</Button>}
        </div>
      </Field>
      <p className="hint">
        {hasToken && (
          <>
            A token is stored for <Source text={storedAddress} className={styles.place} />.{' '}
          </>
        )}
        Repositories are added with <code>locus fleet add</code>, and indexed with{' '}
        <code>locus fleet index</code>, here or on other machines. docs/fleet.md has how Milvus is
        installed, and what is sent where.
      </p>
      <p role="alert" className="bad">
        {failure && `${failure.message}: ${failure.remedy}.`}
      </p>
      <p role="status" className="hint">
        {said}
      </p>
      <div className={styles.buttons}>
        {(!isNew || unread) && <Button onClick={() => set(null, 'Turned off.')}>Turn off</Button>}
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
