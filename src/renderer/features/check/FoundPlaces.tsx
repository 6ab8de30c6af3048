import { Bot, Server } from 'lucide-react';
import { useId } from 'react';
import type { FoundModels } from '../../../shared/check.ts';
import { type Failure, formatFailure } from '../../../shared/errors.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import styles from './set-up.module.css';

interface Props {
  /** Null before anyone looked. */
  found: FoundModels | null;
  failure: Failure | null;
  /** Address that is chosen. */
  address: string;
  /** Called with an address and the name of its first model, which is empty for an agent. */
  onChoose: (address: string, model: string) => void;
}

/** Lists the servers and agents that were found on this machine, to choose one. */
export function FoundPlaces({ found, failure, address, onChoose }: Props) {
  const name = useId();
  const places = [
    ...(found?.servers ?? []).map(({ title, address, models }) => ({
      title,
      address,
      model: models[0] ?? '',
      detail: models.length > 0 ? formatCounted(models.length, 'model') : 'No models yet',
      Icon: Server,
    })),
    ...(found?.agents ?? []).map(({ title, address }) => ({
      title,
      address,
      model: '',
      detail: 'Sends to its provider',
      Icon: Bot,
    })),
  ];
  return (
    <>
      <p role="status" className={styles.lookResult}>
        {failure && formatFailure(failure)}
        {found &&
          places.length === 0 &&
          'Found none. Start a server such as Ollama with a model, or enter an address below.'}
      </p>
      {places.length > 0 && (
        <ul className={styles.places} aria-label="Found on this machine">
          {places.map(({ title, address: place, model, detail, Icon }) => (
            <li key={place}>
              <label>
                <input
                  type="radio"
                  name={name}
                  checked={place === address}
                  onChange={() => onChoose(place, model)}
                />
                <Icon size={15} />
                <span>{title}</span>
                <code>{place}</code>
                <span className="muted">{detail}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
