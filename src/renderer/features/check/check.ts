/** Checks the list with a language model. What it says stays until the issue changes. */

import { create } from 'zustand';
import {
  approximateTokens,
  type CheckOutcome,
  type CheckPlan,
  type CheckSettings,
  type CheckUsage,
  type ListCheck,
} from '../../../shared/check.ts';
import { describeModel, isSetUp, parseEndpoint } from '../../../shared/check-endpoint.ts';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import { engine } from '../../platform/client.ts';
import { LatestRequest, type Stop, stopAll } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { addNote, editSettings, onRepositoryChange, useApp } from '../../platform/state.ts';
import { getRequest, mayMove, useSearch } from '../search/index.ts';

const checking = new LatestRequest();

/** Returns the settings of checks; null if no model is set up. */
export function getCheckModel(): CheckSettings | null {
  const check = useApp.getState().settings?.check;
  return check && isSetUp(check) ? check : null;
}

/** Changes some of the settings of checks. @throws the engine's failure */
export const changeCheck = (part: Partial<CheckSettings>): Promise<void> =>
  editSettings(({ check }) => ({ check: { ...check, ...part } }));

/** Checks the list. If the model is on another machine, first asks the user to agree to what is sent. */
export function startCheck(): Promise<void> {
  return runCheck(async (signal) => {
    const plan = await planCheck(signal);
    if (plan.agreed) await runPlan(plan, signal);
    else {
      useCheck.setState({ running: null, asking: plan });
      openOverlay('check');
    }
  });
}

/** Checks the list without being asked, unless the user would have to agree first. A failure is kept in `automaticFailure`. */
export async function checkByItself(): Promise<{ isAgreed: boolean }> {
  let isAgreed = true;
  await runCheck(
    async (signal) => {
      const plan = await planCheck(signal);
      isAgreed = plan.agreed;
      if (isAgreed) await runPlan(plan, signal, true);
    },
    { isAutomatic: true },
  );
  return { isAgreed };
}

function planCheck(signal: AbortSignal): Promise<CheckPlan> {
  return engine.call('check.plan', getSubject(), { signal });
}

/**
 * Records that the user agreed to the plan in `asking`, and runs it.
 * @param automatic true to check later lists without being asked; false leaves the setting as it is
 */
export function agreeAndCheck(automatic: boolean): Promise<void> {
  const { asking } = useCheck.getState();
  useCheck.setState({ asking: null });
  return runCheck(async (signal) => {
    if (!asking) return;
    const { repository } = getSubject();
    const { endpoint, lacking: roots } = asking;
    await engine.call('check.agree', { repository, address: endpoint.url, roots }, { signal });
    if (automatic) await changeCheck({ automatic });
    await runPlan({ ...asking, agreed: true, lacking: [] }, signal);
  });
}

/** Returns the name of the model for people. */
export function getModelName({ address, model }: CheckSettings): string {
  try {
    return describeModel(model, parseEndpoint(address)).model;
  } catch {
    // The settings show what is wrong with the address.
    return model;
  }
}

export function cancelCheck(): void {
  checking.cancel();
  useCheck.setState({ running: null, asking: null });
}

export const toggleOrder = (): void => useCheck.setState(({ applied }) => ({ applied: !applied }));

export function clearCheck(): void {
  cancelCheck();
  useCheck.setState(NOTHING);
}

/** Cancels a running check and starts another. A failure becomes a note, or `automaticFailure`, and the list stays as it is. */
async function runCheck(
  start: (signal: AbortSignal) => Promise<void>,
  { isAutomatic = false } = {},
): Promise<void> {
  cancelCheck();
  const signal = checking.begin();
  useCheck.setState({
    running: { plan: null, used: NO_USE, isAutomatic },
    ...(!isAutomatic && { automaticFailure: null }),
  });
  try {
    await start(signal);
  } catch (error) {
    const { message, remedy } = error as Failure;
    if (isCancelled(error) || signal.aborted) return;
    if (isAutomatic) useCheck.setState({ automaticFailure: { message, remedy } });
    else addNote({ level: 'error', text: `Not checked: ${message}`, remedy });
  } finally {
    if (!signal.aborted) useCheck.setState({ running: null });
  }
}

async function runPlan(plan: CheckPlan, signal: AbortSignal, isAutomatic = false): Promise<void> {
  const run = crypto.randomUUID();
  useCheck.setState({ running: { plan, used: NO_USE, isAutomatic } });
  const stop = engine.on('checking', (event) => {
    if (event.run === run && !signal.aborted) {
      useCheck.setState({ running: { plan, used: event.used, isAutomatic } });
    }
  });
  try {
    const outcome = await engine.call('check.run', { ...getSubject(), run }, { signal });
    if (signal.aborted) return;
    const { failure } = outcome;
    if (isAutomatic && failure) useCheck.setState({ automaticFailure: failure });
    // Rows do not move by themselves while the user works with them.
    else
      useCheck.setState({
        outcome,
        applied: failure === null && (!isAutomatic || mayMove(useSearch.getState())),
      });
  } finally {
    stop();
  }
}

/** Returns the open repository and the request of its list. @throws Error if there is no list. */
function getSubject() {
  const request = getRequest();
  const repository = useApp.getState().repository?.id;
  if (!request || !repository) throw new Error('There is no list to check.');
  return { repository, request };
}

/** Removes the check when the issue or the repository changes. */
export const clearOnChange = (): Stop =>
  stopAll(
    useSearch.subscribe((now, before) => {
      if (now.issue.text !== before.issue.text) clearCheck();
    }),
    onRepositoryChange(clearCheck),
  );

interface CheckState {
  /** Check in progress; `used` grows with every request. */
  running: { plan: CheckPlan | null; used: CheckUsage; isAutomatic: boolean } | null;
  /** Plan that waits for the user's consent. */
  asking: CheckPlan | null;
  /** Outcome for the issue in the editor; null before the model was asked about it. */
  outcome: CheckOutcome | null;
  /** True if the list is in the model's order, false if in the engine's. */
  applied: boolean;
  /** Failure of a check that ran by itself. Until the user asks for a check, none runs by itself. */
  automaticFailure: CheckOutcome['failure'];
  /** True if the list will be checked by itself. */
  isDue: boolean;
}

const NO_USE: CheckUsage = { requests: 0, characters: 0 };
const NOTHING: Omit<CheckState, 'automaticFailure' | 'isDue'> = {
  running: null,
  asking: null,
  outcome: null,
  applied: false,
};

export const useCheck = create<CheckState>(() => ({
  ...NOTHING,
  automaticFailure: null,
  isDue: false,
}));

/** Returns the check in progress; null while it is not known whether one that runs by itself may. */
export const selectRunning = ({ running }: CheckState): CheckState['running'] =>
  running?.isAutomatic && !running.plan ? null : running;

/** Returns the tokens in words, as the server counted them if it did. */
const countTokens = ({ characters, tokens }: CheckUsage): string =>
  tokens === undefined
    ? `≈ ${formatCount(approximateTokens(characters))} tokens`
    : `${formatCount(tokens)} tokens with the answer`;

/** Returns the size of requests in words, for people who pay by the token: `≈ 2,430 tokens`. */
export function formatTokens(use: CheckUsage): string {
  const { requests } = use;
  return requests > 1
    ? `${formatCounted(requests, 'request')}, ${countTokens(use)}`
    : countTokens(use);
}

/** Returns the check for an export; undefined without one. */
export function useListCheck(): ListCheck | undefined {
  const { outcome, applied: isApplied } = useCheck();
  if (!outcome || outcome.failure) return undefined;
  const { model, place, checkedAt, chunks } = outcome;
  return { model, place, checkedAt, isApplied, chunks };
}

/** Returns the use in words: `3 requests, 84,120 characters (≈ 21,030 tokens)`. */
export function formatUse(use: CheckUsage): string {
  const { requests, characters } = use;
  return `${formatCounted(requests, 'request')}, ${formatCount(characters)} characters (${countTokens(use)})`;
}
