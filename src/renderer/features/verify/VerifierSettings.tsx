import { useEffect, useState } from 'react';
import { SerialQueue } from '../../../base/serial-queue.ts';
import type { Failure } from '../../../shared/errors.ts';
import { VERIFIER_RANGES } from '../../../shared/limits.ts';
import {
  type Endpoint,
  endpointOf,
  type VerifierSettings as Settings,
} from '../../../shared/verifier.ts';
import { addNote, changeSettings, useApp } from '../../platform/state.ts';
import fieldStyles from '../../ui/fields.module.css';
import { Field, SavedText } from '../../ui/fields.tsx';
import { EndpointSettings } from './EndpointSettings.tsx';
import styles from './verify.module.css';

const changes = new SerialQueue();

/** Changes a part of the settings. Each change keeps what the one before it set. */
function change(part: Partial<Settings>): void {
  void changes.add(() => {
    const before = useApp.getState().settings?.verifier;
    return before && changeSettings({ verifier: { ...before, ...part } }).catch(explain);
  });
}

const explain = ({ message, remedy }: Failure) =>
  addNote({ level: 'error', text: message, remedy });

export function VerifierSettings() {
  const verifier = useApp((state) => state.settings?.verifier);
  if (!verifier) return null;
  const { endpoint, problem } = read(verifier.address);
  return (
    <>
      <p className={styles.intro}>
        A language model of your choice can read the best results of a ranking, say of each whether
        the fix edits it, and put them in its order. Off while there is no address.
      </p>
      <Field
        title="Address"
        hint={
          <>
            The base of an OpenAI-compatible API: <code>http://127.0.0.1:11434/v1</code> for Ollama,
            port 8080 for llama.cpp, 8000 for vLLM.
          </>
        }
      >
        <div className={styles.control}>
          <SavedText value={verifier.address} onSave={(address) => change({ address })} />
          <p role="status" className={styles.where} data-warning={isRisky(endpoint, problem)}>
            {problem ?? (endpoint ? whereOf(endpoint) : 'No verifier: nothing is sent to anyone.')}
          </p>
        </div>
      </Field>
      <Field title="Model" hint="Its name there, such as qwen2.5-coder:14b.">
        <div className={styles.control}>
          <SavedText value={verifier.model} onSave={(model) => change({ model })} />
        </div>
      </Field>
      {endpoint && <EndpointSettings key={endpoint.origin} endpoint={endpoint} />}
      <Field
        title="Budget"
        hint="For one verification. Ten functions go into one request; repeated requests count. A token is about four characters."
      >
        <div className={styles.amounts}>
          {AMOUNTS.map(([name, title, least, most]) => (
            <Amount
              key={name}
              title={title}
              value={verifier[name]}
              least={least}
              most={most}
              onSave={(value) => change({ [name]: value })}
            />
          ))}
        </div>
      </Field>
    </>
  );
}

const AMOUNTS = [
  ['top', 'Results to check', ...VERIFIER_RANGES.top],
  ['requests', 'Requests at most', ...VERIFIER_RANGES.requests],
  ['characters', 'Characters at most, in all', ...VERIFIER_RANGES.characters],
  ['seconds', 'Seconds for one request', ...VERIFIER_RANGES.seconds],
] as const;

function read(address: string): { endpoint: Endpoint | null; problem: string | null } {
  if (address.trim() === '') return { endpoint: null, problem: null };
  try {
    return { endpoint: endpointOf(address), problem: null };
  } catch (error) {
    return { endpoint: null, problem: (error as Error).message };
  }
}

function whereOf({ host, loopback, encrypted }: Endpoint): string {
  if (loopback) return 'On this machine: code does not leave it.';
  const risk = encrypted ? '' : ' The connection is not encrypted.';
  return `${host} is another machine: code leaves this one. Locus asks once for each repository.${risk}`;
}

const isRisky = (endpoint: Endpoint | null, problem: string | null) =>
  problem !== null || endpoint?.loopback === false;

interface Props {
  title: string;
  value: number;
  least: number;
  most: number;
  onSave: (value: number) => void;
}

function Amount({ title, value, least, most, onSave }: Props) {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const save = () => {
    const now = Math.min(most, Math.max(least, Math.round(Number(text) || value)));
    setText(String(now));
    if (now !== value) onSave(now);
  };
  return (
    <label>
      {title}
      <input
        type="number"
        className={fieldStyles.text}
        min={least}
        max={most}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && save()}
      />
    </label>
  );
}
