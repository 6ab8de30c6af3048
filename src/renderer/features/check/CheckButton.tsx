import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { approximateTokens, type CheckPlan, type CheckSettings } from '../../../shared/check.ts';
import { isSetUp } from '../../../shared/check-endpoint.ts';
import { formatCount } from '../../../shared/format-count.ts';
import { useAnswer } from '../../platform/answer.ts';
import { runCommand } from '../../platform/commands.ts';
import { getKeys } from '../../platform/keys.ts';
import { useApp } from '../../platform/state.ts';
import { Tooltip } from '../../ui/controls.tsx';
import { getRequest } from '../search/index.ts';
import { parseAddress } from './address.ts';
import styles from './check.module.css';
import { getModelName, selectRunning, useCheck } from './check.ts';

/** Checks the list, or offers to set up a model. Checks do not support workspaces. */
export function CheckButton() {
  const check = useApp((state) => state.settings?.check);
  const isWorkspace = useApp((state) => state.repository?.members !== undefined);
  if (!check || isWorkspace) return null;
  return isSetUp(check) ? <RunButton check={check} /> : <SetUpButton />;
}

function SetUpButton() {
  return (
    <Tooltip text="Lets a language model or an agent of yours check this list. Nothing is sent before you agree.">
      <button type="button" className={styles.action} onClick={() => runCommand('check.setUp')}>
        <BadgeCheck size={15} />
        <span className="ellipsis">Set up a second opinion…</span>
      </button>
    </Tooltip>
  );
}

function RunButton({ check }: { check: CheckSettings }) {
  const isRunning = useCheck((state) => selectRunning(state) !== null);
  const isChecked = useCheck(({ outcome }) => outcome !== null && outcome.failure === null);
  const [isAsked, setAsked] = useState(false);
  const repository = useApp((state) => state.repository?.id);
  const request = getRequest();
  const { answer, isCurrent } = useAnswer(
    'check.plan',
    isAsked && repository && request ? { repository, request } : null,
  );
  return (
    <Tooltip
      text={describeCost(check, (isCurrent && answer) || null)}
      keys={getKeys('check.run')}
      onOpenChange={setAsked}
    >
      <button
        type="button"
        className={styles.action}
        // Not disabled, which would drop the focus.
        aria-disabled={isRunning}
        onClick={() => runCommand('check.run')}
      >
        <BadgeCheck size={15} />
        <span className="ellipsis">
          {isRunning
            ? 'Checking…'
            : isChecked
              ? 'Check again'
              : `Check with ${getModelName(check)}`}
        </span>
      </button>
    </Tooltip>
  );
}

/** Says what a check would send and where. @param plan null while it is unknown */
function describeCost({ address }: CheckSettings, plan: CheckPlan | null): string {
  const endpoint = plan?.endpoint ?? parseAddress(address).endpoint;
  const what = 'the issue and a few lines of the first functions';
  const size = plan
    ? `, about ${formatCount(approximateTokens(plan.expected.characters))} tokens`
    : '';
  if (!endpoint) return 'The address of the model is invalid.';
  const isExternal = plan?.isExternal ?? !endpoint.isLocal;
  if (!isExternal) return `The model reads ${what}${size}. Nothing leaves this machine.`;
  const to =
    endpoint.agent === undefined
      ? `to ${endpoint.host}`
      : `through ${endpoint.host} to its provider`;
  const consent = plan?.agreed ? 'You have agreed to it.' : 'Locus asks first.';
  return `Sends ${what} ${to}${size}. ${consent}`;
}
