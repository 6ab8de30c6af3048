import { Search } from 'lucide-react';
import { useState } from 'react';
import { CHECK_DEFAULTS } from '../../../shared/check.ts';
import { isSetUp } from '../../../shared/check-endpoint.ts';
import { type Failure, formatFailure } from '../../../shared/errors.ts';
import { useAnswer } from '../../platform/answer.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import { Button, Dialog, Spinner } from '../../ui/controls.tsx';
import { Choice, Field, TextInput } from '../../ui/fields.tsx';
import { describeEndpoint, isRisky, parseAddress } from './address.ts';
import { changeCheck } from './check.ts';
import { FoundPlaces } from './FoundPlaces.tsx';
import styles from './set-up.module.css';
import { Trial } from './Trial.tsx';

/** Finds, tests and saves a model for checks. Nothing is asked or saved before its button is pressed. */
export default function SetUpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Set up a second opinion" open={open} onClose={onClose}>
      <SetUp onClose={onClose} />
    </Dialog>
  );
}

function SetUp({ onClose }: { onClose: () => void }) {
  const saved = useApp.getState().settings?.check ?? CHECK_DEFAULTS;
  const [address, setAddress] = useState(saved.address);
  const [model, setModel] = useState(saved.model);
  const [key, setKey] = useState('');
  const [automatic, setAutomatic] = useState(saved.automatic);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [looks, setLooks] = useState(0);
  const found = useAnswer('check.find', looks > 0 ? {} : null, { again: looks });
  const isLooking = looks > 0 && !found.isCurrent;
  const { endpoint, problem } = parseAddress(address);
  const models = found.answer?.servers.find((server) => server.address === address)?.models ?? [];
  const chosen = { address: address.trim(), model: model.trim(), key: key.trim() || null };
  const isComplete = endpoint !== null && isSetUp(chosen);
  const use = async () => {
    try {
      const { key, ...place } = chosen;
      if (key) await engine.call('check.key', { address: place.address, key });
      await changeCheck({ ...place, automatic });
      onClose();
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  return (
    <div className={styles.setUp}>
      <div className={styles.setUpBody}>
        <p className="hint">
          A language model of yours reads a few lines of the first results, says which of them the
          fix edits, and orders them. Nothing is sent before you agree.
        </p>
        <div className={styles.look}>
          <Button data-autofocus aria-disabled={isLooking} onClick={() => setLooks(looks + 1)}>
            {isLooking ? <Spinner /> : <Search size={14} />}
            Look for models on this machine
          </Button>
          <p className="hint">
            Asks Ollama, LM Studio, llama.cpp and vLLM on their usual ports. Looks for Claude Code,
            Codex and Gemini CLI without running them.
          </p>
        </div>
        <FoundPlaces
          found={found.answer ?? null}
          failure={found.failure ?? null}
          address={address}
          onChoose={(place, first) => {
            setAddress(place);
            setModel(first);
          }}
        />
        <Field title="Address" hint="Of an OpenAI-compatible API or an agent.">
          <div className={styles.control}>
            <TextInput
              placeholder="http://127.0.0.1:11434/v1"
              value={address}
              onChange={setAddress}
            />
            {(problem ?? endpoint) && (
              <p role="status" className={styles.status} data-warning={isRisky(endpoint, problem)}>
                {problem ?? (endpoint && describeEndpoint(endpoint))}
              </p>
            )}
          </div>
        </Field>
        <Field
          title="Model"
          hint={
            endpoint?.agent === undefined ? undefined : 'The agent chooses one if this is empty.'
          }
        >
          <div className={styles.control}>
            {models.includes(model) ? (
              <Choice
                options={models.map((name) => [name, name] as const)}
                value={model}
                onChange={setModel}
              />
            ) : (
              <TextInput placeholder="qwen2.5-coder:14b" value={model} onChange={setModel} />
            )}
          </div>
        </Field>
        {endpoint && endpoint.agent === undefined && (
          <Field
            title="API key"
            hint={endpoint.isLocal ? 'Servers on this machine rarely need one.' : undefined}
          >
            <div className={styles.control}>
              <TextInput type="password" maxLength={1000} value={key} onChange={setKey} />
            </div>
          </Field>
        )}
      </div>
      <Trial chosen={isComplete ? chosen : null} endpoint={endpoint} />
      <div className={styles.setUpEnd}>
        <label className={styles.automatic}>
          <input
            type="checkbox"
            checked={automatic}
            onChange={({ target }) => setAutomatic(target.checked)}
          />
          Check every list by itself
        </label>
        <p role="alert">{failure && formatFailure(failure)}</p>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={!isComplete} onClick={use}>
          Use this model
        </Button>
      </div>
    </div>
  );
}
