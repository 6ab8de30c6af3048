import { useState } from 'react';
import { changeSettings, useApp } from '../../platform/state.ts';
import { Button } from '../../ui/controls.tsx';
import { Choice, Field, TextLines } from '../../ui/fields.tsx';
import { getDeviceTitle, listSelectableDevices } from './device-names.ts';
import styles from './settings.module.css';

export function IndexSettings() {
  const settings = useApp((state) => state.settings);
  const welcome = useApp((state) => state.welcome);
  if (!settings || !welcome) return null;
  const { device, model, reranker, exclude } = settings;
  const models = [...new Set([...welcome.models, model])];
  const rerankers = [...new Set([...welcome.rerankers, reranker])];
  return (
    <>
      <Field
        title="Device"
        hint="Computes the embeddings. If this device cannot be used, a note says why."
      >
        <Choice
          options={listSelectableDevices(welcome.platform, device).map(
            (id) => [id, getDeviceTitle(id)] as const,
          )}
          value={device}
          onChange={(device) => changeSettings({ device })}
        />
      </Field>
      <Field
        title="Model"
        hint="Each model needs its own embeddings. Those of other models are kept."
      >
        <Choice
          options={models.map((id) => [id, id] as const)}
          value={model}
          onChange={(model) => changeSettings({ model })}
        />
      </Field>
      <Field title="Reranker" hint="Orders the first results of each search again.">
        <Choice
          options={rerankers.map((id) => [id, id] as const)}
          value={reranker}
          onChange={(reranker) => changeSettings({ reranker })}
        />
      </Field>
      <ExcludedFiles key={exclude.join('\n')} exclude={exclude} />
    </>
  );
}

/** Edits the patterns of excluded files. They are applied together, since each change indexes the repository again. */
function ExcludedFiles({ exclude }: { exclude: readonly string[] }) {
  const before = exclude.join('\n');
  const [text, setText] = useState(before);
  const [failure, setFailure] = useState<string | null>(null);
  const apply = async () => {
    const patterns = text.split('\n').map((line) => line.trim());
    try {
      await changeSettings({ exclude: patterns.filter((line) => line !== '') });
    } catch (error) {
      setFailure((error as Error).message);
    }
  };
  return (
    <Field
      title="Excluded files"
      hint={
        <>
          One pattern per line, as in <code>.gitignore</code>: <code>vendor/</code>,{' '}
          <code>**/migrations/*.py</code>. They apply to all repositories.
        </>
      }
    >
      <div className={styles.patterns}>
        <TextLines
          rows={6}
          placeholder="vendor/"
          value={text}
          onChange={setText}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply();
          }}
        />
        <p role="alert">{failure}</p>
        <div className="button-row">
          <Button disabled={text === before} onClick={() => setText(before)}>
            Revert
          </Button>
          <Button look="primary" disabled={text === before} onClick={apply}>
            Apply
          </Button>
        </div>
      </div>
    </Field>
  );
}
