import { type FormEvent, useState } from 'react';
import { parseHost } from '../../../shared/issue-url.ts';
import { editSettings, useApp } from '../../platform/state.ts';
import { Button, SourceText } from '../../ui/controls.tsx';
import { Field, TextInput } from '../../ui/fields.tsx';
import styles from './settings.module.css';

export function IssueUrlSettings() {
  const hosts = useApp((state) => state.settings?.fetchHosts);
  if (!hosts) return null;
  const editHosts = (edit: (saved: readonly string[]) => string[]) =>
    editSettings(({ fetchHosts }) => ({ fetchHosts: edit(fetchHosts) }));
  return (
    <>
      <p className="hint">
        If you paste an issue URL instead of an issue, Locus can fetch the issue. Its host then sees
        the request, and who you are if a token is sent. Locus asks first, except for the hosts
        listed here and in LOCUS_FETCH_HOSTS.
      </p>
      <Field
        title="Always fetch from"
        hint="Removing a host takes effect at once. Issues that were fetched stay."
      >
        <div className={styles.hosts}>
          {hosts.length === 0 && <span className="hint">No hosts. Locus always asks first.</span>}
          <ul aria-label="Hosts">
            {hosts.map((host) => (
              <li key={host}>
                <SourceText text={host} />
                <Button
                  aria-label={`Remove ${host}`}
                  onClick={() => editHosts((saved) => saved.filter((other) => other !== host))}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        </div>
      </Field>
      <Field
        title="Add a host"
        hint="Include the port if there is one. For your own host without HTTPS, start with http://."
      >
        <AddHost onAdd={(host) => editHosts((saved) => [...new Set([...saved, host])])} />
      </Field>
    </>
  );
}

function AddHost({ onAdd }: { onAdd: (host: string) => void }) {
  const [text, setText] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const host = parseHost(text.trim());
    setInvalid(host === null);
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
      <p role="alert">{isInvalid && 'This is not a host. Enter one like git.example.org:8443.'}</p>
    </form>
  );
}
