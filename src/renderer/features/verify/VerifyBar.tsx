import { ArrowDownUp, BadgeCheck, TriangleAlert, X } from 'lucide-react';
import { formatCount } from '../../../shared/format-count.ts';
import {
  getVerdictTitle,
  VERDICTS,
  type Verification,
  type VerifierPlan,
  type VerifierUsage,
} from '../../../shared/verifier.ts';
import { CommandButton } from '../../platform/CommandItems.tsx';
import { runCommand } from '../../platform/commands.ts';
import { useApp } from '../../platform/state.ts';
import { Button, SourceText, Spinner } from '../../ui/controls.tsx';
import styles from './verify.module.css';
import { formatUse, isVerifierSetUp, useVerify } from './verify.ts';

export function VerifyButton() {
  const verifier = useApp((state) => state.settings?.verifier);
  const running = useVerify((state) => state.running !== null);
  if (!verifier || !isVerifierSetUp(verifier)) return null;
  return (
    <CommandButton id="verify.run" label={`Verify with ${verifier.model}`} disabled={running}>
      <BadgeCheck size={15} />
    </CommandButton>
  );
}

export function VerifyBar() {
  const { running, outcome, applied } = useVerify();
  if (running) return <Running {...running} />;
  return outcome && <Outcome outcome={outcome} applied={applied} />;
}

function Running({ plan, used }: { plan: VerifierPlan | null; used: VerifierUsage }) {
  return (
    <section className={styles.bar} aria-label="Verification">
      <Spinner />
      <div className={styles.text}>
        <p role="status">
          {plan ? (
            <>
              <SourceText text={plan.model} /> is checking {plan.chunks.length} functions
              {plan.isExternal ? ` at ${plan.endpoint.host}` : ' on this machine'}
            </>
          ) : (
            'Verifying…'
          )}
        </p>
        {plan && (
          <p className={styles.detail}>
            Request {Math.max(1, used.requests)} of about {plan.expected.requests} ·{' '}
            {formatCount(used.characters)} of up to {formatCount(plan.budget.characters)} characters
          </p>
        )}
      </div>
      <Button onClick={() => runCommand('verify.cancel')}>Cancel</Button>
    </section>
  );
}

function Outcome({ outcome, applied }: { outcome: Verification; applied: boolean }) {
  const { failure, notes, used, model, host, isExternal } = outcome;
  return (
    <section className={styles.bar} aria-label="Verification" data-failed={failure !== null}>
      {failure ? <TriangleAlert size={16} /> : <BadgeCheck size={16} />}
      <div className={styles.text}>
        {failure ? (
          <>
            <p role="alert">
              Not verified: <SourceText text={failure.message} />
            </p>
            <p className={styles.detail}>The order of the list is unchanged. {failure.remedy}</p>
          </>
        ) : (
          <p role="status">{summarize(outcome, applied)}</p>
        )}
        {notes.map((note) => (
          <p key={note} className={styles.detail}>
            {note}
          </p>
        ))}
        <p className={styles.detail}>
          <SourceText text={model} /> {isExternal ? `at ${host}` : 'on this machine'} ·{' '}
          {formatUse(used)}
        </p>
      </div>
      {failure ? (
        <Button onClick={() => runCommand('verify.run')}>Retry</Button>
      ) : (
        <Button onClick={() => runCommand('verify.order')}>
          <ArrowDownUp size={13} />
          {applied ? 'Use engine’s order' : 'Use verifier’s order'}
        </Button>
      )}
      <CommandButton id="verify.forget" label="Remove verdicts">
        <X size={15} />
      </CommandButton>
    </section>
  );
}

function summarize({ chunks }: Verification, applied: boolean): string {
  const counts = VERDICTS.map((verdict) => {
    const count = chunks.filter((chunk) => chunk.verdict === verdict).length;
    return `${count} ${getVerdictTitle(verdict).toLowerCase()}`;
  });
  const order = applied ? 'Verifier’s order' : 'Engine’s order';
  return `${order}: ${counts.join(', ')}`;
}
