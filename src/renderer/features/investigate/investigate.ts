/** Lets an agent investigate the issue of the list. Its answer becomes a check. */
import { create } from 'zustand';
import { AGENT_TITLES, describeModel, parseEndpoint } from '../../../shared/check-endpoint.ts';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import {
  chooseInvestigator,
  type InvestigationPlan,
  type InvestigationStep,
} from '../../../shared/investigate.ts';
import { engine } from '../../platform/client.ts';
import { LatestRequest, type Stop, stopAll } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { onRepositoryChange, useApp } from '../../platform/state.ts';
import { useCheck } from '../check/index.ts';
import { getRequest, useSearch } from '../search/index.ts';

interface InvestigationState {
  /** Plan that waits for the user's consent. */
  asking: InvestigationPlan | null;
  /** Investigation in progress, with the last steps of the agent. */
  running: { plan: InvestigationPlan; steps: readonly InvestigationStep[] } | null;
  /** True while an investigation is planned. */
  planning: boolean;
  /** Reason why the last one did not finish; null if it did. The list stays as it is. */
  failure: Pick<Failure, 'message' | 'remedy'> | null;
}

const NOTHING: InvestigationState = {
  asking: null,
  running: null,
  planning: false,
  failure: null,
};

/** Number of steps that are shown. */
const SHOWN_STEPS = 4;

export const useInvestigation = create<InvestigationState>(() => NOTHING);

const investigating = new LatestRequest();

/** Returns the name of the agent; null if the check has none that is known to investigate, or for a workspace. */
export function getAgentName(): string | null {
  const { settings, repository } = useApp.getState();
  const address = chooseInvestigator('', settings?.check.address ?? '');
  const name = Object.keys(AGENT_TITLES).find((agent) => address === `agent:${agent}`);
  if (name === undefined || repository?.members) return null;
  return describeModel('', parseEndpoint(address)).model;
}

/** Starts an investigation. First asks the user to agree, once for each repository and agent. */
export const startInvestigation = (): Promise<void> =>
  run(async (signal) => {
    useInvestigation.setState({ ...NOTHING, planning: true });
    const plan = await engine.call('investigate.plan', getSubject(), { signal });
    if (plan.agreed && (plan.sandbox !== null || plan.trusted)) return runPlan(plan, signal);
    useInvestigation.setState({ ...NOTHING, asking: plan });
    openOverlay('investigate');
  });

/** Records that the user agreed to the plan in `asking`, and runs it. */
export function agreeAndInvestigate(): Promise<void> {
  const { asking } = useInvestigation.getState();
  return run(async (signal) => {
    if (!asking) return;
    const { repository } = getSubject();
    const trusted = asking.sandbox === null;
    await engine.call('investigate.agree', { repository, trusted }, { signal });
    await runPlan(asking, signal);
  });
}

export function cancelInvestigation(): void {
  investigating.cancel();
  useInvestigation.setState(NOTHING);
}

/** Cancels a running investigation and starts another. */
async function run(start: (signal: AbortSignal) => Promise<void>): Promise<void> {
  cancelInvestigation();
  const signal = investigating.begin();
  try {
    await start(signal);
  } catch (error) {
    if (!isCancelled(error)) useInvestigation.setState({ failure: error as Failure });
  }
  if (!signal.aborted) useInvestigation.setState({ running: null, planning: false });
}

async function runPlan(plan: InvestigationPlan, signal: AbortSignal): Promise<void> {
  const id = crypto.randomUUID();
  useInvestigation.setState({ ...NOTHING, running: { plan, steps: [] } });
  const stop = engine.on('investigating', (event) => {
    const { running } = useInvestigation.getState();
    if (event.run !== id || signal.aborted || !running) return;
    const steps = [...running.steps, event.step].slice(-SHOWN_STEPS);
    useInvestigation.setState({ running: { plan, steps } });
  });
  try {
    const outcome = await engine.call('investigate.run', { ...getSubject(), run: id }, { signal });
    if (signal.aborted) return;
    if (outcome.failure) useInvestigation.setState({ failure: outcome.failure });
    else useCheck.setState({ outcome, applied: true });
  } finally {
    stop();
  }
}

/** Returns the open repository and the request of its list. @throws Error if there is no list. */
function getSubject() {
  const request = getRequest();
  const repository = useApp.getState().repository?.id;
  if (!request || !repository) throw new Error('There is no list to investigate.');
  return { repository, request };
}

/** Cancels the investigation when the issue or the repository changes. */
export const cancelOnChange = (): Stop =>
  stopAll(
    useSearch.subscribe((now, before) => {
      if (now.issue.text !== before.issue.text) cancelInvestigation();
    }),
    onRepositoryChange(cancelInvestigation),
  );
