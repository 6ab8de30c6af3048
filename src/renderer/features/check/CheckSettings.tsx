import { useEffect, useState } from 'react';
import { SerialQueue } from '../../../base/serial-queue.ts';
import {
  type Endpoint,
  parseEndpoint,
  type CheckSettings as Settings,
} from '../../../shared/check.ts';
import type { Failure } from '../../../shared/errors.ts';
import { CHECK_RANGES } from '../../../shared/limits.ts';
import { addNote, changeSettings, useApp } from '../../platform/state.ts';
import fieldStyles from '../../ui/fields.module.css';
import { Field, SavedText } from '../../ui/fields.tsx';
import styles from './check.module.css';
import { EndpointSettings } from './EndpointSettings.tsx';

const changes = new SerialQueue();

/** Changes some of the settings. Changes run one after another, so that none overwrites another. */
function changeCheck(part: Partial<Settings>): void {
  void changes.add(() => {
    const before = useApp.getState().settings?.check;
    return before && changeSettings({ check: { ...before, ...part } }).catch(showFailure);
  });
}

const showFailure = ({ message, remedy }: Failure) =>
  addNote({ level: 'error', text: message, remedy, repository: null });

export function CheckSettings() {
  const model = useApp((state) => state.settings?.check);
  if (!model) return null;
  const { endpoint, problem } = parseAddress(model.address);
  return (
    <>
      <p className={styles.intro}>
        A language model of your choice reads a few lines of the first results, says which of them
        the fix edits, and orders them. Nothing is sent while there is no address.
      </p>
      <Field
        title="Address"
        hint={
          <>
            Base URL of an OpenAI-compatible API: <code>http://127.0.0.1:11434/v1</code> for Ollama,
            port 8080 for llama.cpp, 8000 for vLLM. Or an agent that you are signed in to:{' '}
            <code>agent:claude</code>, <code>agent:codex</code>, <code>agent:gemini</code>.
          </>
        }
      >
        <div className={styles.control}>
          <SavedText value={model.address} onSave={(address) => changeCheck({ address })} />
          <p role="status" className={styles.status} data-warning={isRisky(endpoint, problem)}>
            {problem ??
              (endpoint ? describeEndpoint(endpoint) : 'No model is set up. Nothing is sent.')}
          </p>
        </div>
      </Field>
      <Field
        title="Model"
        hint="Name of the model on that server, such as qwen2.5-coder:14b. An agent may choose its own."
      >
        <div className={styles.control}>
          <SavedText value={model.model} onSave={(model) => changeCheck({ model })} />
        </div>
      </Field>
      {endpoint && <EndpointSettings key={endpoint.origin} endpoint={endpoint} />}
      <Field
        title="Size"
        hint="A check is one request. The defaults send about 2,500 tokens. If the model reads no more at once, less is sent."
      >
        <div className={styles.limits}>
          {LIMITS.map(([name, title, min, max]) => (
            <LimitInput
              key={name}
              title={title}
              value={model[name]}
              min={min}
              max={max}
              onSave={(value) => changeCheck({ [name]: value })}
            />
          ))}
        </div>
        <label className={styles.again}>
          <input
            type="checkbox"
            checked={model.lookAgain}
            onChange={({ target }) => changeCheck({ lookAgain: target.checked })}
          />
          Ask a second time if the model misses code, with up to 30 more functions of the repository
        </label>
      </Field>
    </>
  );
}

const LIMITS = [
  ['candidates', 'Results to check', ...CHECK_RANGES.candidates],
  ['characters', 'Characters of each', ...CHECK_RANGES.characters],
  ['context', 'Tokens the model reads', ...CHECK_RANGES.context],
  ['seconds', 'Seconds per request', ...CHECK_RANGES.seconds],
] as const;

function parseAddress(address: string): { endpoint: Endpoint | null; problem: string | null } {
  if (address.trim() === '') return { endpoint: null, problem: null };
  try {
    return { endpoint: parseEndpoint(address), problem: null };
  } catch (error) {
    return { endpoint: null, problem: (error as Error).message };
  }
}

function describeEndpoint({ agent, host, isLocal, isEncrypted }: Endpoint): string {
  if (agent !== undefined)
    return `${host} runs here with its tools off, and sends code to its provider. Locus asks once for each repository.`;
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
