import { type FormEvent, useState } from 'react';
import { readHost } from '../../../shared/issue-link.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import { Button, Source } from '../../ui/controls.tsx';
import { Field, TextInput } from '../../ui/fields.tsx';
import styles from './settings.module.css';

export function LinkSettings() {
  const hosts = useApp((state) => state.settings?.fetchHosts);
  if (!hosts) return null;
  const keep = (fetchHosts: string[]) => changeSettings({ fetchHosts });
  return (
    <>
      <p className="hint">
        A link to an issue, pasted in the place of an issue, can be fetched. Its host then learns
        that you read it, and who you are where a token is sent. Locus asks before, but for the
        hosts here and in LOCUS_FETCH_HOSTS.
      </p>
      <Field title="Always fetch from" hint="Taken back at once; what was fetched stays.">
        <div className={styles.hosts}>
          {hosts.length === 0 && <span className="hint">No host: Locus asks.</span>}
          <ul aria-label="Hosts">
            {hosts.map((host) => (
              <li key={host}>
                <Source text={host} />
                <Button
                  aria-label={`Ask again before fetching from ${host}`}
                  onClick={() => keep(hosts.filter((other) => other !== host))}
                >
                  Ask again
                </Button>
              </li>
            ))}
          </ul>
        </div>
      </Field>
      <Field
        title="Add a host"
        hint="With its port, if it has one. http:// before a host of your own that has no https."
      >
        <AddHost onAdd={(host) => keep([...new Set([...hosts, host])])} />
      </Field>
    </>
  );
}

function AddHost({ onAdd }: { onAdd: (host: string) => void }) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const host = readHost(text.trim());
    setWrong(host === null);
    if (host === null) return;
    onAdd(host);
    setText('');
  };
  return (
    <form className={styles.addHost} onSubmit={add}>
      <TextInput placeholder="github.com" maxLength={300} value={text} onChange={setText} />
      <Button type="submit" disabled={text.trim() === ''}>
        Add
      </Button>
      <p role="alert">{isWrong && 'This is no host: give one like git.example.org:8443.'}</p>
    </form>
  );
}
