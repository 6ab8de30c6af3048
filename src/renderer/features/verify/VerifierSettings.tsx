import { useEffect, useState } from 'react';
import { SerialQueue } from '../../../base/serial-queue.ts';
import type { Failure } from '../../../shared/errors.ts';
import { VERIFIER_RANGES } from '../../../shared/limits.ts';
import {
  type Endpoint,
  parseEndpoint,
  type VerifierSettings as Settings,
} from '../../../shared/verifier.ts';
import { addNote, changeSettings, useApp } from '../../platform/state.ts';
import fieldStyles from '../../ui/fields.module.css';
import { Field, SavedText } from '../../ui/fields.tsx';
import { EndpointSettings } from './EndpointSettings.tsx';
import styles from './verify.module.css';

const changes = new SerialQueue();

/** Changes some of the settings. Changes run one after another, so that none overwrites another. */
function changeVerifier(part: Partial<Settings>): void {
  void changes.add(() => {
    const before = useApp.getState().settings?.verifier;
    return before && changeSettings({ verifier: { ...before, ...part } }).catch(showFailure);
  });
}

const showFailure = ({ message, remedy }: Failure) =>
  addNote({ level: 'error', text: message, remedy, repository: null });

export function VerifierSettings() {
  const verifier = useApp((state) => state.settings?.verifier);
  if (!verifier) return null;
  const { endpoint, problem } = parseAddress(verifier.address);
  return (
    <>
      <p className={styles.intro}>
        A verifier is a language model of your choice. It reads the first results, decides for each
        if the fix edits it, and reorders them. The verifier is off while there is no address.
      </p>
      <Field
        title="Address"
        hint={
          <>
            Base URL of an OpenAI-compatible API: <code>http://127.0.0.1:11434/v1</code> for Ollama,
            port 8080 for llama.cpp, 8000 for vLLM.
          </>
        }
      >
        <div className={styles.control}>
          <SavedText value={verifier.address} onSave={(address) => changeVerifier({ address })} />
          <p role="status" className={styles.status} data-warning={isRisky(endpoint, problem)}>
            {problem ??
              (endpoint ? describeEndpoint(endpoint) : 'No verifier is set up. Nothing is sent.')}
          </p>
        </div>
      </Field>
      <Field title="Model" hint="Name of the model on that server, such as qwen2.5-coder:14b.">
        <div className={styles.control}>
          <SavedText value={verifier.model} onSave={(model) => changeVerifier({ model })} />
        </div>
      </Field>
      {endpoint && <EndpointSettings key={endpoint.origin} endpoint={endpoint} />}
      <Field
        title="Budget"
        hint="Limits of one verification. Each request contains ten functions, and retries count. A token is about four characters."
      >
        <div className={styles.limits}>
          {LIMITS.map(([name, title, min, max]) => (
            <LimitInput
              key={name}
              title={title}
              value={verifier[name]}
              min={min}
              max={max}
              onSave={(value) => changeVerifier({ [name]: value })}
            />
          ))}
        </div>
      </Field>
    </>
  );
}

const LIMITS = [
  ['top', 'Results to check', ...VERIFIER_RANGES.top],
  ['requests', 'Maximum requests', ...VERIFIER_RANGES.requests],
  ['characters', 'Maximum characters', ...VERIFIER_RANGES.characters],
  ['seconds', 'Seconds per request', ...VERIFIER_RANGES.seconds],
] as const;

function parseAddress(address: string): { endpoint: Endpoint | null; problem: string | null } {
  if (address.trim() === '') return { endpoint: null, problem: null };
  try {
    return { endpoint: parseEndpoint(address), problem: null };
  } catch (error) {
    return { endpoint: null, problem: (error as Error).message };
  }
}

function describeEndpoint({ host, isLocal, isEncrypted }: Endpoint): string {
  if (isLocal) return 'On this machine. Code does not leave it.';
  const risk = isEncrypted ? '' : ' The connection is not encrypted.';
  return `${host} is another machine, so code leaves this one. Locus asks once for each repository.${risk}`;
}

const isRisky = (endpoint: Endpoint | null, problem: string | null) =>
  problem !== null || endpoint?.isLocal === false;

interface LimitInputProps {
  title: string;
  value: number;
  min: number;
  max: number;
  onSave: (value: number) => void;
}

function LimitInput({ title, value, min, max, onSave }: LimitInputProps) {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const save = () => {
    const now = Math.min(max, Math.max(min, Math.round(Number(text) || value)));
    setText(String(now));
    if (now !== value) onSave(now);
  };
  return (
    <label>
      {title}
      <input
        type="number"
        className={fieldStyles.text}
        min={min}
        max={max}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && save()}
      />
    </label>
  );
}
