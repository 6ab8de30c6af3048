/** Asking the model about the ranking of the issue in the editor. What it says stays until the issue changes. */

import { create } from 'zustand';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import {
  tokensOf,
  type Verification,
  type VerifierPlan,
  type VerifierSettings,
  type VerifierUse,
} from '../../../shared/verifier.ts';
import { engine } from '../../platform/client.ts';
import { LatestRequest, type Stop, stopAll } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { addNote, onRepositoryChange, useApp } from '../../platform/state.ts';
import { counted, number } from '../../ui/counts.ts';
import { requestShown, useSearch } from '../search/index.ts';

const verifying = new LatestRequest();

/** The verifier, if one is set up. It reads the list of one repository, not of several. */
export function verifierNow(): VerifierSettings | null {
  const { settings, repository } = useApp.getState();
  const verifier = settings?.verifier;
  return verifier && isSetUp(verifier) && !repository?.members ? verifier : null;
}

export const isSetUp = ({ address, model }: VerifierSettings): boolean =>
  address.trim() !== '' && model.trim() !== '';

/** Verifies at once on this machine; elsewhere only once the user has seen what is sent and agreed. */
export function verifyNow(): Promise<void> {
  return attempt(async (signal) => {
    const { repository, request } = subject();
    const plan = await engine.call('verifier.plan', { repository, request }, { signal });
    if (plan.agreed) await run(plan, signal);
    else {
      useVerify.setState({ running: null, asking: plan });
      openOverlay('verify');
    }
  });
}

/** The user agreed to what `asking` shows. */
export function agreeAndVerify(): Promise<void> {
  const { asking } = useVerify.getState();
  useVerify.setState({ asking: null });
  return attempt(async (signal) => {
    if (!asking) return;
    const { repository } = subject();
    const address = asking.endpoint.url;
    await engine.call('verifier.agree', { repository, address }, { signal });
    await run({ ...asking, agreed: true }, signal);
  });
}

export function cancelVerification(): void {
  verifying.cancel();
  useVerify.setState({ running: null, asking: null });
}

export const switchOrder = (): void => useVerify.setState(({ applied }) => ({ applied: !applied }));

export function forgetVerification(): void {
  cancelVerification();
  useVerify.setState(NOTHING);
}

/** Runs a verification in place of what is running; what fails ends up with the notes, the list stays. */
async function attempt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  cancelVerification();
  const signal = verifying.begin();
  useVerify.setState({ running: { plan: null, used: { requests: 0, characters: 0 } } });
  try {
    await work(signal);
  } catch (error) {
    const { message, remedy } = error as Failure;
    if (!isCancelled(error)) addNote({ level: 'error', text: `Not verified: ${message}`, remedy });
  }
  if (!signal.aborted) useVerify.setState({ running: null });
}

async function run(plan: VerifierPlan, signal: AbortSignal): Promise<void> {
  const { repository, request } = subject();
  const run = crypto.randomUUID();
  useVerify.setState({ running: { plan, used: { requests: 0, characters: 0 } } });
  const stop = engine.on('verifying', (event) => {
    if (event.run === run && !signal.aborted) {
      useVerify.setState({ running: { plan, used: event.used } });
    }
  });
  try {
    const outcome = await engine.call('verifier.run', { repository, run, request }, { signal });
    if (!signal.aborted) useVerify.setState({ outcome, applied: outcome.failure === null });
  } finally {
    stop();
  }
}

function subject() {
  const request = requestShown();
  const repository = useApp.getState().repository?.id;
  if (!request || !repository) throw new Error('there is no issue to verify the ranking of');
  return { repository, request };
}

/** Forgets the verdicts once there is another issue, or another repository: they are about neither. */
export const followIssue = (): Stop =>
  stopAll(
    useSearch.subscribe((now, before) => {
      if (now.issue.text !== before.issue.text) forgetVerification();
    }),
    onRepositoryChange(forgetVerification),
  );

interface VerifyState {
  /** Verification in progress; `used` grows with every request. */
  running: { plan: VerifierPlan | null; used: VerifierUse } | null;
  /** Plan that waits for the user's consent. */
  asking: VerifierPlan | null;
  /** Outcome for the issue in the editor; null before the model was asked about it. */
  outcome: Verification | null;
  /** True if the list is in the model's order, false if in the engine's. */
  applied: boolean;
}

const NOTHING: VerifyState = { running: null, asking: null, outcome: null, applied: false };

export const useVerify = create<VerifyState>(() => NOTHING);

/** `3 requests, 84,120 characters (≈ 21,030 tokens)` */
export function amount({ requests, characters }: VerifierUse): string {
  return `${counted(requests, 'request')}, ${number(characters)} characters (≈ ${number(tokensOf(characters))} tokens)`;
}
