import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { CheckPlan } from '../../../shared/check.ts';
import { formatCount } from '../../../shared/format-count.ts';
import { useApp } from '../../platform/state.ts';
import { Button, Dialog, SourceText } from '../../ui/controls.tsx';
import { agreeAndCheck, cancelCheck, formatUse, useCheck } from './check.ts';
import styles from './set-up.module.css';

/** Shows what would be sent to another machine, and asks for consent. Asked once for each repository and address. */
export default function CheckDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const asking = useCheck((state) => state.asking);
  const refuse = () => {
    cancelCheck();
    onClose();
  };
  const agree = (automatic: boolean) => {
    onClose();
    agreeAndCheck(automatic);
  };
  return (
    <Dialog
      title={`Send code to ${asking?.endpoint.host ?? 'another machine'}?`}
      open={open && asking !== null}
      onClose={refuse}
    >
      {asking && <Question plan={asking} onRefuse={refuse} onAgree={agree} />}
    </Dialog>
  );
}

interface Props {
  plan: CheckPlan;
  onRefuse: () => void;
  onAgree: (automatic: boolean) => void;
}

function Question({ plan, onRefuse, onAgree }: Props) {
  const name = useApp((state) => state.repository?.name ?? '');
  const [automatic, setAutomatic] = useState(false);
  const isWorkspace = useApp((state) => state.repository?.members !== undefined);
  const { endpoint, model, chunks, more, issueCharacters, expected, budget, key, lacking } = plan;
  return (
    <div className={styles.question}>
      <p className={styles.warning}>
        <TriangleAlert className={styles.warningIcon} size={16} />
        <span>
          <b>{endpoint.host}</b>{' '}
          {endpoint.agent === undefined
            ? 'is not this machine.'
            : 'sends it to the provider that it is signed in to. Its tools are off.'}{' '}
          {!endpoint.isEncrypted &&
            'The connection is not encrypted, so others on the network can read it. '}
          Who receives it can store it.
        </span>
      </p>
      <dl>
        <dt>To</dt>
        <dd>
          <SourceText text={model} />{' '}
          {endpoint.agent === undefined && (
            <>
              at <code>{endpoint.url}</code>
              {key === 'none' ? ', without a key' : ', with your key'}
            </>
          )}
        </dd>
        {isWorkspace && (
          <>
            <dt>Of</dt>
            <dd>
              {lacking.map((root) => (
                <p key={root}>
                  <SourceText text={root} />
                </p>
              ))}
            </dd>
          </>
        )}
        <dt>The issue</dt>
        <dd>{formatCount(issueCharacters)} characters of its text</dd>
        <dt>Code</dt>
        <dd>
          Path, name and a few lines of these {chunks.length} functions
          {more > 0 && `, and of up to ${more} others in this repository if the model misses code`}.
        </dd>
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className={styles.chunks} tabIndex={0} aria-label="Functions to send">
        <ul>
          {chunks.map(({ address, path, qualifiedName }) => (
            <li key={address}>
              <SourceText text={qualifiedName} />
              <SourceText className="muted" text={path} />
            </li>
          ))}
        </ul>
      </section>
      <p className="muted">
        About {formatUse(expected)}, and never more than {formatUse(budget)}. Other files, notes and
        settings are not sent.
      </p>
      <label className={styles.automatic}>
        <input
          type="checkbox"
          checked={automatic}
          onChange={({ target }) => setAutomatic(target.checked)}
        />
        Check every list of allowed repositories by itself
      </label>
      <div className="button-row">
        <Button data-autofocus onClick={onRefuse}>
          Don’t send
        </Button>
        <Button look="primary" onClick={() => onAgree(automatic)}>
          Always send for {name}
        </Button>
      </div>
    </div>
  );
}
