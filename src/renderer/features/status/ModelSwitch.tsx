import { Cpu } from 'lucide-react';
import { changeSettings, useApp } from '../../platform/state.ts';
import { getResponse, useSearch } from '../search/index.ts';
import { getDeviceTitle, listSelectableDevices } from '../settings/index.ts';
import { StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

export function ModelSwitch() {
  const status = useApp((state) => state.status);
  const settings = useApp((state) => state.settings);
  const welcome = useApp((state) => state.welcome);
  const searchDevice = useSearch((state) => getResponse(state)?.model.device);
  const device = useApp((state) => state.indexing?.report?.device) ?? searchDevice;
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
      <Radios
        title="Device"
        options={listSelectableDevices(welcome.platform, settings.device)}
        value={settings.device}
        titleOf={getDeviceTitle}
        onChange={(device) => changeSettings({ device })}
      />
      <Radios
        title="Model"
        options={models}
        value={settings.model}
        titleOf={(id) => id}
        onChange={(model) => changeSettings({ model })}
      />
      <p className={styles.remedy}>
        This applies to all repositories. Embeddings of other models are kept.
      </p>
    </StatusPopover>
  );
}

interface RadiosProps<Value extends string> {
  title: string;
  options: readonly Value[];
  value: Value;
  titleOf: (option: Value) => string;
  onChange: (option: Value) => void;
}

function Radios<Value extends string>(props: RadiosProps<Value>) {
  const { title, options, value, titleOf, onChange } = props;
  return (
    <fieldset className={styles.choices}>
      <legend>{title}</legend>
      {options.map((option) => (
        <label key={option} className="flex-row">
          <input
            type="radio"
            name={title.toLowerCase()}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {titleOf(option)}
        </label>
      ))}
    </fieldset>
  );
}
