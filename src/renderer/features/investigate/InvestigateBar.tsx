import { Telescope, TriangleAlert, X } from 'lucide-react';
import type { InvestigationPlan, InvestigationStep } from '../../../shared/investigate.ts';
import { CommandButton } from '../../platform/CommandItems.tsx';
import { runCommand } from '../../platform/commands.ts';
import { useApp } from '../../platform/state.ts';
import { Button, SourceText, Spinner } from '../../ui/controls.tsx';
import styles from './investigate.module.css';
import { getAgentName, useInvestigation } from './investigate.ts';

export function InvestigateButton() {
  // The name follows the settings and the repository.
  useApp((state) => state.settings?.check.address);
  useApp((state) => state.repository?.id);
  const isRunning = useInvestigation(({ running, planning }) => running !== null || planning);
  const name = getAgentName();
  if (name === null) return null;
  return (
    <CommandButton id="check.investigate" label={`Investigate with ${name}`} disabled={isRunning}>
      <Telescope size={15} />
    </CommandButton>
  );
}

const STEP_TITLES: Record<InvestigationStep['kind'], string> = {
  tool: 'Calls',
  thought: 'Thinks',
  plan: 'Plans',
  refused: 'Refused',
};

/** Shows what the agent does until it ends, and why if it failed. */
export function InvestigateBar() {
  const { running, planning, failure } = useInvestigation();
  if (failure) return <Failed {...failure} />;
  if (!running && !planning) return null;
  return (
    <section className={styles.bar} aria-label="Investigation">
      <Spinner />
      <div className={styles.text}>
        <p role="status">{running ? describe(running.plan) : 'Preparing the investigation…'}</p>
        {running && <Steps steps={running.steps} />}
      </div>
      <Button onClick={() => runCommand('check.stopInvestigating')}>Cancel</Button>
    </section>
  );
}

function Failed({ message, remedy }: { message: string; remedy: string }) {
  return (
    <section className={styles.bar} aria-label="Investigation" data-failed>
      <TriangleAlert size={16} />
      <div className={styles.text}>
        <p role="alert">
          Not investigated: <SourceText text={message} />
        </p>
        <SourceText className={styles.detail} text={`The list is unchanged. ${remedy}`} />
      </div>
      <Button onClick={() => runCommand('check.investigate')}>Retry</Button>
      <CommandButton id="check.stopInvestigating" label="Close">
        <X size={15} />
      </CommandButton>
    </section>
  );
}

function Steps({ steps }: { steps: readonly InvestigationStep[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity, and only follow each other
        <li key={index} data-kind={kind}>
          {STEP_TITLES[kind]} <SourceText text={text} />
        </li>
      ))}
    </ol>
  );
}

function describe({ model, sandbox }: InvestigationPlan): string {
  const where = sandbox === null ? 'without a sandbox' : `in the sandbox of ${sandbox}`;
  return `${model} investigates ${where}`;
}
