/** Verifies the list with a language model. The verdicts stay until the issue changes. */

import { create } from 'zustand';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import {
  approximateTokens,
  type Verification,
  type VerifierPlan,
  type VerifierSettings,
  type VerifierUsage,
} from '../../../shared/verifier.ts';
import { engine } from '../../platform/client.ts';
import { LatestRequest, type Stop, stopAll } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { addNote, onRepositoryChange, useApp } from '../../platform/state.ts';
import { getRequest, useSearch } from '../search/index.ts';

const verifying = new LatestRequest();

/** Returns the verifier; null if none is set up, or for a workspace, which it does not support. */
export function getVerifier(): VerifierSettings | null {
  const { settings, repository } = useApp.getState();
  const verifier = settings?.verifier;
  return verifier && isVerifierSetUp(verifier) && !repository?.members ? verifier : null;
}

export const isVerifierSetUp = ({ address, model }: VerifierSettings): boolean =>
  address.trim() !== '' && model.trim() !== '';

/** Verifies the list. If the model is on another machine, first asks the user to agree to what is sent. */
export function startVerification(): Promise<void> {
  return verify(async (signal) => {
    const { repository, request } = getSubject();
    const plan = await engine.call('verifier.plan', { repository, request }, { signal });
    if (plan.agreed) await runPlan(plan, signal);
    else {
      useVerify.setState({ running: null, asking: plan });
      openOverlay('verify');
    }
  });
}

/** Records that the user agreed to the plan in `asking`, and runs it. */
export function agreeAndVerify(): Promise<void> {
  const { asking } = useVerify.getState();
  useVerify.setState({ asking: null });
  return verify(async (signal) => {
    if (!asking) return;
    const { repository } = getSubject();
    const address = asking.endpoint.url;
    await engine.call('verifier.agree', { repository, address }, { signal });
    await runPlan({ ...asking, agreed: true }, signal);
  });
}

export function cancelVerification(): void {
  verifying.cancel();
  useVerify.setState({ running: null, asking: null });
}

export const toggleOrder = (): void => useVerify.setState(({ applied }) => ({ applied: !applied }));

export function clearVerification(): void {
  cancelVerification();
  useVerify.setState(NOTHING);
}

/** Cancels a running verification and starts another. A failure becomes a note, and the list stays as it is. */
async function verify(start: (signal: AbortSignal) => Promise<void>): Promise<void> {
  cancelVerification();
  const signal = verifying.begin();
  useVerify.setState({ running: { plan: null, used: { requests: 0, characters: 0 } } });
  try {
    await start(signal);
  } catch (error) {
    const { message, remedy } = error as Failure;
    if (!isCancelled(error)) addNote({ level: 'error', text: `Not verified: ${message}`, remedy });
  }
  if (!signal.aborted) useVerify.setState({ running: null });
}

async function runPlan(plan: VerifierPlan, signal: AbortSignal): Promise<void> {
  const { repository, request } = getSubject();
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

/** Returns the open repository and the request of its list. @throws Error if there is no list. */
function getSubject() {
  const request = getRequest();
  const repository = useApp.getState().repository?.id;
  if (!request || !repository) throw new Error('There is no list to verify.');
  return { repository, request };
}

/** Removes the verdicts when the issue or the repository changes. */
export const clearOnChange = (): Stop =>
  stopAll(
    useSearch.subscribe((now, before) => {
      if (now.issue.text !== before.issue.text) clearVerification();
    }),
    onRepositoryChange(clearVerification),
  );

interface VerifyState {
  /** Verification in progress; `used` grows with every request. */
  running: { plan: VerifierPlan | null; used: VerifierUsage } | null;
  /** Plan that waits for the user's consent. */
  asking: VerifierPlan | null;
  /** Outcome for the issue in the editor; null before the model was asked about it. */
  outcome: Verification | null;
  /** True if the list is in the model's order, false if in the engine's. */
  applied: boolean;
}

const NOTHING: VerifyState = { running: null, asking: null, outcome: null, applied: false };

export const useVerify = create<VerifyState>(() => NOTHING);

/** Returns the use in words: `3 requests, 84,120 characters (≈ 21,030 tokens)`. */
export function formatUse({ requests, characters }: VerifierUsage): string {
  return `${formatCounted(requests, 'request')}, ${formatCount(characters)} characters (≈ ${formatCount(approximateTokens(characters))} tokens)`;
}
