import { useEffect, useState } from 'react';
import type { CheckSettings as Settings } from '../../../shared/check.ts';
import type { Failure } from '../../../shared/errors.ts';
import { CHECK_RANGES } from '../../../shared/limits.ts';
import { runCommand } from '../../platform/commands.ts';
import { addNote, useApp } from '../../platform/state.ts';
import { Button } from '../../ui/controls.tsx';
import fieldStyles from '../../ui/fields.module.css';
import { Choice, Field, SavedText } from '../../ui/fields.tsx';
import { describeEndpoint, isRisky, parseAddress } from './address.ts';
import { changeCheck } from './check.ts';
import { EndpointSettings } from './EndpointSettings.tsx';
import styles from './set-up.module.css';

/** Changes some of the settings, and shows a failure to save them. */
const save = (part: Partial<Settings>): void => void changeCheck(part).catch(showFailure);

const showFailure = ({ message, remedy }: Failure) =>
  addNote({ level: 'error', text: message, remedy, repository: null });

export function CheckSettings() {
  const model = useApp((state) => state.settings?.check);
  if (!model) return null;
  const { endpoint, problem } = parseAddress(model.address);
  return (
    <>
      <div className={styles.intro}>
        <p>
          A language model of your choice reads a few lines of the first results, says which of them
          the fix edits, and orders them. Nothing is sent while there is no address.
        </p>
        <Button onClick={() => runCommand('check.setUp')}>Find and test a model…</Button>
      </div>
      <Field
        title="Address"
        hint={
          <>
            Base URL of an OpenAI-compatible API: <code>http://127.0.0.1:11434/v1</code> for Ollama,
            port 8080 for llama.cpp, 8000 for vLLM. Or an agent that you are signed in to:{' '}
            <code>agent:claude</code>, <code>agent:codex</code>, <code>agent:gemini</code>. Or{' '}
            <code>local:</code> and the name of a model that <code>locus models add</code> has
            added.
          </>
        }
      >
        <div className={styles.control}>
          <SavedText value={model.address} onSave={(address) => save({ address })} />
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
          <SavedText value={model.model} onSave={(model) => save({ model })} />
        </div>
      </Field>
      {endpoint && <EndpointSettings key={endpoint.origin} endpoint={endpoint} />}
      <Field
        title="Automatic"
        hint="Checks every list once it is final, in repositories whose code you allow to be sent. A new search cancels the check. After a failure, none runs by itself until you ask for one."
      >
        <Choice
          options={[
            ['off', 'Off'],
            ['on', 'Every final list'],
          ]}
          value={model.automatic ? 'on' : 'off'}
          onChange={(chosen) => save({ automatic: chosen === 'on' })}
        />
      </Field>
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
              onSave={(value) => save({ [name]: value })}
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
