import { TriangleAlert } from 'lucide-react';
import type { InvestigationPlan } from '../../../shared/investigate.ts';
import { useApp } from '../../platform/state.ts';
import { Button, Dialog, SourceText } from '../../ui/controls.tsx';
import styles from './investigate.module.css';
import { agreeAndInvestigate, cancelInvestigation, useInvestigation } from './investigate.ts';

/** Shows what the agent may do, and asks for consent. Asked once for each repository and agent. */
export default function InvestigateDialog({
  open,
  onClose,
}: {
  open: boolean;
  onClose: () => void;
}) {
  const asking = useInvestigation((state) => state.asking);
  const refuse = () => {
    cancelInvestigation();
    onClose();
  };
  const agree = () => {
    onClose();
    agreeAndInvestigate();
  };
  return (
    <Dialog
      title={`Let ${asking?.model ?? 'the agent'} read this repository?`}
      open={open && asking !== null}
      onClose={refuse}
    >
      {asking && <Question plan={asking} onRefuse={refuse} onAgree={agree} />}
    </Dialog>
  );
}

interface Props {
  plan: InvestigationPlan;
  onRefuse: () => void;
  onAgree: () => void;
}

function Question({ plan, onRefuse, onAgree }: Props) {
  const name = useApp((state) => state.repository?.name ?? '');
  const { model, sandbox, program, settings } = plan;
  return (
    <div className={styles.question}>
      <p className={styles.warning}>
        <TriangleAlert size={16} />
        <span>
          <b>{model}</b> reads the issue and what it chooses of this repository, and sends it to its
          provider. Who receives it can store it.
        </span>
      </p>
      <dl>
        <dt>Can</dt>
        <dd>Search and read with Locus’s tools, at most {settings.toolCalls} times.</dd>
        <dt>Cannot</dt>
        <dd>Write or run anything: each request for permission is refused.</dd>
        <dt>Sandbox</dt>
        <dd>
          {sandbox === null ? (
            <>
              <b>None works on this system.</b> Locus cannot keep <SourceText text={program} /> from
              changing files.
            </>
          ) : (
            `${sandbox}: it can change only its own settings.`
          )}
        </dd>
      </dl>
      <div className="button-row">
        <Button data-autofocus onClick={onRefuse}>
          Don’t start
        </Button>
        <Button look="primary" onClick={onAgree}>
          {sandbox === null ? 'Trust this program' : `Always allow for ${name}`}
        </Button>
      </div>
    </div>
  );
}
