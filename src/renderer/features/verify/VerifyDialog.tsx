import { TriangleAlert } from 'lucide-react';
import { MAX_SENT, REFINE_CHUNKS, type VerifierPlan } from '../../../shared/verifier.ts';
import { useApp } from '../../platform/state.ts';
import { Button, Dialog, Source } from '../../ui/controls.tsx';
import { number } from '../../ui/counts.ts';
import styles from './verify.module.css';
import { agreeAndVerify, amount, cancelVerification, useVerify } from './verify.ts';

/** Asked once for each repository and address: what would leave this machine, and whether it may. */
export default function VerifyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const asking = useVerify((state) => state.asking);
  const refuse = () => {
    cancelVerification();
    onClose();
  };
  const agree = () => {
    onClose();
    agreeAndVerify();
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
  plan: VerifierPlan;
  onRefuse: () => void;
  onAgree: () => void;
}

function Question({ plan, onRefuse, onAgree }: Props) {
  const name = useApp((state) => state.repository?.name ?? '');
  const { endpoint, model, chunks, issueCharacters, expected, budget, key } = plan;
  return (
    <div className={styles.question}>
      <p className={styles.warning}>
        <TriangleAlert className={styles.warningIcon} size={16} />
        <span>
          <b>{endpoint.host}</b> is not this machine.{' '}
          {!endpoint.encrypted &&
            'The connection is not encrypted: others on the way can read it. '}
          Its owner can keep what is sent.
        </span>
      </p>
      <dl>
        <dt>To</dt>
        <dd>
          <Source text={model} /> at <code>{endpoint.url}</code>
          {key === 'none' ? ', without a key' : ', with your key for it'}
        </dd>
        <dt>The issue</dt>
        <dd>{number(issueCharacters)} characters of its text</dd>
        <dt>Code</dt>
        <dd>
          Path, name and code of these {chunks.length} functions, at most {number(MAX_SENT.code)}{' '}
          characters of each. If none of them is to be edited, of up to {REFINE_CHUNKS} more.
        </dd>
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.chunks} tabIndex={0} aria-label="Functions that are sent">
        <ul>
          {chunks.map(({ address, path, qualifiedName }) => (
            <li key={address}>
              <Source text={qualifiedName} />
              <Source className={styles.detail} text={path} />
            </li>
          ))}
        </ul>
      </section>
      <p className={styles.detail}>
        About {amount(expected)}; at most {amount(budget)}. Other files, notes and settings are not
        sent.
      </p>
      <div className="button-row">
        <Button data-autofocus onClick={onRefuse}>
          Send nothing
        </Button>
        <Button look="primary" onClick={onAgree}>
          Send, now and later, for {name}
        </Button>
      </div>
    </div>
  );
}
