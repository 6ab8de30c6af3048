/** Asking the model about the ranking of the issue in the editor. What it says stays until the issue changes. */
import type { Failure } from '../../../shared/errors.ts';
import type { VerifierPlan, VerifierSettings } from '../../../shared/verifier.ts';
import { engine } from '../../platform/client.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { addNote, isCancelled, onRepositoryChange, useApp } from '../../platform/state.ts';
import { requestShown, useIssue } from '../search/index.ts';
import { NOTHING, useVerify } from './verify-state.ts';

let running: AbortController | null = null;

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

/** What was sent is sent; nothing more is. */
export function cancelVerification(): void {
  running?.abort();
  running = null;
  useVerify.setState({ running: null, asking: null });
}

/** To the engine's order, or back to the model's. */
export function switchOrder(): void {
  useVerify.setState(({ applied }) => ({ applied: !applied }));
}

/** The engine's order, without what the model said. */
export function forgetVerification(): void {
  cancelVerification();
  useVerify.setState(NOTHING);
}

/** Runs a verification in place of what is running; what fails ends up with the notes, the list stays. */
async function attempt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  cancelVerification();
  const controller = new AbortController();
  running = controller;
  useVerify.setState({ running: { plan: null, used: { requests: 0, characters: 0 } } });
  try {
    await work(controller.signal);
  } catch (error) {
    const { message, remedy } = error as Failure;
    if (!isCancelled(error)) addNote({ level: 'error', text: `Not verified: ${message}`, remedy });
  }
  if (running !== controller) return;
  running = null;
  useVerify.setState({ running: null });
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

/** Another issue, another repository: what was said is about neither. */
function followIssue(): void {
  useIssue.subscribe((now, before) => {
    if (now.text !== before.text) forgetVerification();
  });
  onRepositoryChange(forgetVerification);
}

followIssue();
