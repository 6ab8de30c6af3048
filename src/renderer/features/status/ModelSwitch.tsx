import { Cpu } from 'lucide-react';
import { changeSettings, useApp } from '../../platform/state.ts';
import { responseOf, useSearch } from '../search/index.ts';
import { devicesFor, deviceTitle } from '../settings/index.ts';
import { StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

/** Which model is at work and where, and a switch for both. */
export function ModelSwitch() {
  const status = useApp((state) => state.status);
  const settings = useApp((state) => state.settings);
  const welcome = useApp((state) => state.welcome);
  const answered = useSearch((state) => responseOf(state)?.model.device);
  const device = useApp((state) => state.indexing?.report?.device) ?? answered;
  if (!status || !settings || !welcome) return null;
  const models = [...new Set([...welcome.models, settings.model])];
  return (
    <StatusPopover
      label="Model and device"
      trigger={
        <>
          <Cpu size={13} />
          {status.model.id}
          {device && ` on ${device}`}
        </>
      }
    >
      <fieldset className={styles.choices}>
        <legend>Device</legend>
        {devicesFor(welcome.platform, settings.device).map((id) => (
          <label key={id}>
            <input
              type="radio"
              name="device"
              checked={id === settings.device}
              onChange={() => changeSettings({ device: id })}
            />
            {deviceTitle(id)}
          </label>
        ))}
      </fieldset>
      <fieldset className={styles.choices}>
        <legend>Model</legend>
        {models.map((id) => (
          <label key={id}>
            <input
              type="radio"
              name="model"
              checked={id === settings.model}
              onChange={() => changeSettings({ model: id })}
            />
            {id}
          </label>
        ))}
      </fieldset>
      <p className={styles.remedy}>
        A switch holds for every repository. Embeddings of a model that were made once are kept.
      </p>
    </StatusPopover>
  );
}
