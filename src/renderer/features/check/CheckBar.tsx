import { ArrowDownUp, BadgeCheck, TriangleAlert, X } from 'lucide-react';
import type { CheckOutcome, CheckPlan, CheckUsage } from '../../../shared/check.ts';
import { countUnchecked, describeChanged } from '../../../shared/checked-order.ts';
import { formatFailure } from '../../../shared/errors.ts';
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import { CommandButton } from '../../platform/CommandItems.tsx';
import { runCommand } from '../../platform/commands.ts';
import { useApp } from '../../platform/state.ts';
import { Button, SourceText, Spinner } from '../../ui/controls.tsx';
import { formatAgo } from '../../ui/counts.ts';
import { useResponse } from '../search/index.ts';
import styles from './check.module.css';
import { formatTokens, getModelName, selectRunning, useCheck } from './check.ts';

export function CheckBar() {
  const { outcome, applied, automaticFailure, isDue } = useCheck();
  const running = useCheck(selectRunning);
  const check = useApp((state) => state.settings?.check);
  if (running) return <Running {...running} />;
  if (outcome) return <Outcome outcome={outcome} applied={applied} />;
  if (automaticFailure) return <QuietFailure text={formatFailure(automaticFailure)} />;
  // Keeps the room of the check, so that the rows do not move when it starts.
  return isDue && check ? <Waiting model={getModelName(check)} /> : null;
}

function Waiting({ model }: { model: string }) {
  return (
    <section className={styles.bar} aria-label="Check" data-quiet>
      <BadgeCheck size={16} />
      <div className={styles.text}>
        <p>Checked by itself when the list is final</p>
        <p className={styles.detail}>
          By <SourceText text={model} />
        </p>
      </div>
    </section>
  );
}

/** Shows why a check that nobody asked for failed, in one line. */
function QuietFailure({ text }: { text: string }) {
  return (
    <section className={styles.bar} aria-label="Check" data-quiet>
      <TriangleAlert size={16} />
      <p role="status" className="grow ellipsis muted" title={text}>
        Not checked: <SourceText text={text} />
      </p>
      <Button onClick={() => runCommand('check.run')}>Retry</Button>
    </section>
  );
}

function Running({ plan, used }: { plan: CheckPlan | null; used: CheckUsage }) {
  return (
    <section className={styles.bar} aria-label="Check">
      <Spinner />
      <div className={styles.text}>
        <p role="status">
          {plan ? `Checking ${formatCounted(plan.chunks.length, 'function')}` : 'Checking…'}
        </p>
        {plan && (
          <p className={styles.detail}>
            <SourceText text={plan.model} /> {plan.place} ·{' '}
            {formatTokens(used.requests > 0 ? used : plan.expected)}
            {used.received !== undefined && `, answer: ${formatCount(used.received)} characters`}
          </p>
        )}
      </div>
      <Button onClick={() => runCommand('check.cancel')}>Cancel</Button>
    </section>
  );
}

function Outcome({ outcome, applied }: { outcome: CheckOutcome; applied: boolean }) {
  const { failure, notes, used, model, place, checkedAt } = outcome;
  return (
    <section className={styles.bar} aria-label="Check" data-failed={failure !== null}>
      {failure ? <TriangleAlert size={16} /> : <BadgeCheck size={16} />}
      <div className={styles.text}>
        {failure ? (
          <>
            <p role="alert">
              Not checked: <SourceText text={failure.message} />
            </p>
            <p className={styles.detail}>The order of the list is unchanged. {failure.remedy}</p>
          </>
        ) : (
          <p role="status">{summarize(outcome, applied)}</p>
        )}
        {!failure && <Age outcome={outcome} />}
        {notes.map((note) => (
          <p key={note} className={styles.detail}>
            {note}
          </p>
        ))}
        <p className={styles.detail}>
          <SourceText text={model} /> {place}
          {used.requests > 0 && ` · ${formatTokens(used)}`} · {formatAgo(Date.parse(checkedAt))}
        </p>
      </div>
      {failure ? (
        <Button onClick={() => runCommand('check.run')}>Retry</Button>
      ) : (
        <Button onClick={() => runCommand('check.order')}>
          <ArrowDownUp size={13} />
          {applied ? 'Show order before' : 'Show checked order'}
        </Button>
      )}
      <CommandButton id="check.forget" label="Remove check">
        <X size={15} />
      </CommandButton>
    </section>
  );
}

/** Says what the check does not cover, because the code or the list is no longer what the model was asked about. */
function Age({ outcome }: { outcome: CheckOutcome }) {
  const unchecked = countUnchecked(useResponse()?.results ?? [], outcome);
  const missing =
    unchecked > 0
      ? `${formatCounted(unchecked, 'of the first results was', 'of the first results were')} not checked.`
      : null;
  const said = [describeChanged(outcome), missing].filter((one) => one !== null);
  if (said.length === 0) return null;
  return (
    <p className={styles.age}>
      {said.join(' ')}
      <Button onClick={() => runCommand('check.run')}>Check again</Button>
    </p>
  );
}

function summarize({ chunks }: CheckOutcome, applied: boolean): string {
  const edits = chunks.filter(({ isEdit }) => isEdit).length;
  const order = applied ? 'Checked order' : 'Order before the check';
  return `${order}: ${formatCounted(edits, 'function')} to edit`;
}
