/** Lets an agent of the user investigate an issue within its limits, and returns the checked order. The ranking itself never changes. */
import { setTimeout as sleep } from 'node:timers/promises';

import { describeModel, type Endpoint } from '../../shared/check-endpoint.ts';
import type { InvestigationOutcome, InvestigationStep } from '../../shared/investigate.ts';
import { escapeHidden } from '../../shared/quote.ts';
import { type Answer, parseAnswer } from '../check/answer.ts';
import type { CheckableRanking } from '../check/candidates.ts';
import { EndpointFailure } from '../check/client.ts';
import { orderChunks } from '../check/rounds.ts';
import { AgentProcess } from './agent-process.ts';
import { Conversation, type ToolServer } from './conversation.ts';
import { Limits } from './limits.ts';
import { addNamedChunks } from './named.ts';
import {
  assertAllowed,
  type PlanOptions,
  type PreparedInvestigation,
  prepareInvestigation,
} from './plan.ts';
import { REMINDER } from './prompt.ts';
import { readIndexedFile } from './read-file.ts';
import { StepReader } from './steps.ts';

export interface InvestigationOptions extends PlanOptions {
  tools: ToolServer;
  /** Files and folders that the tools need, such as the data directory. */
  readable: readonly string[];
  signal: AbortSignal;
  onStep?: (step: InvestigationStep) => void;
}

/** Time that an agent has to stop by itself before it is killed. */
const GRACE_MS = 2_000;
/** Time in which a process that closed its output usually ends. */
const END_MS = 1_000;
const NO_ANSWER: Answer = { order: [], edits: new Map(), missing: [], length: 0 };

/**
 * Runs an investigation. Failures of the agent are reported in `failure`.
 * @throws LocusError `bad-input` as `prepareInvestigation` and `assertAllowed`; `cancelled` if the signal aborts
 */
export async function investigate(
  ranking: CheckableRanking,
  options: InvestigationOptions,
): Promise<InvestigationOutcome> {
  const prepared = await prepareInvestigation(ranking, options);
  const { plan, endpoint, sandbox, candidates, prompt } = prepared;
  assertAllowed(plan, endpoint, ranking.root);
  const limits = new Limits(endpoint, options);
  const steps = new StepReader(options.onStep ?? (() => {}), (count) => limits.countCall(count));
  const asked = await runAgent(ranking, prepared, options, { limits, steps }).catch(
    (error: unknown) => {
      if (error instanceof EndpointFailure) return error;
      throw error;
    },
  );
  const [answer, failure] = asked instanceof EndpointFailure ? [NO_ANSWER, asked] : [asked, null];
  const rounds = failure ? [] : [await addNamedChunks(ranking, candidates, answer)];
  return {
    ...describeModel('', endpoint),
    checkedAt: new Date().toISOString(),
    isExternal: true,
    ...orderChunks(ranking.results, candidates, rounds, failure ? 0 : 1),
    missing: answer.missing,
    size: { request: prompt.length, answer: answer.length },
    used: { requests: 1, characters: prompt.length },
    budget: { requests: 2, characters: prompt.length + REMINDER.length },
    notes: [],
    failure: failure && { message: failure.message, remedy: failure.remedy },
    investigation: { sandbox: sandbox?.name ?? null, ...steps.counts },
  };
}

/** Starts the agent and asks it. Whatever happens, the process has ended when this settles. */
async function runAgent(
  { repository, root }: CheckableRanking,
  { plan, endpoint, investigator, sandbox, candidates, prompt }: PreparedInvestigation,
  { env, tools, readable }: InvestigationOptions,
  { limits, steps }: { limits: Limits; steps: StepReader },
): Promise<Answer> {
  using _limits = limits;
  limits.signal.throwIfAborted();
  const { program } = plan;
  await using agent = new AgentProcess({ investigator, program, sandbox, readable, env });
  const conversation = new Conversation({
    process: agent,
    investigator,
    host: endpoint.host,
    tools,
    steps,
    readFile: (request) => readIndexedFile({ repository, root }, request),
  });
  const asking = askForAnswer(conversation, prompt, candidates.length);
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(limits.signal.reason);
    limits.signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([asking, stopped]);
  } catch (error) {
    if (limits.signal.aborted) {
      await conversation.cancel();
      // The error to report is why it was stopped.
      await Promise.race([asking.catch(() => {}), sleep(GRACE_MS, undefined, { ref: false })]);
      throw error;
    }
    const ended = conversation.isClosed
      ? await Promise.race([agent.ended, sleep(END_MS, undefined, { ref: false })])
      : undefined;
    throw ended === undefined ? error : explainEnd(endpoint, ended, agent.errors);
  } finally {
    conversation.close();
  }
}

/** Asks for an answer. If one names no candidate, asks once more. */
async function askForAnswer(
  conversation: Conversation,
  prompt: string,
  count: number,
): Promise<Answer> {
  await conversation.open();
  for (const text of [prompt, REMINDER]) {
    const answer = parseAnswer(await conversation.ask(text), count);
    if (answer) return answer;
  }
  throw new EndpointFailure(
    'The agent’s answers name none of the functions.',
    'Use another agent: this one does not follow the format of the answer.',
  );
}

function explainEnd({ host }: Endpoint, ended: number | Error | null, errors: string) {
  if (ended instanceof Error)
    return new EndpointFailure(
      `${host} did not start: ${escapeHidden(ended.message)}.`,
      'Check that it runs in a terminal.',
    );
  const said = escapeHidden(errors.replace(/\s+/g, ' ').trim()).slice(-200).replace(/\.$/, '');
  return new EndpointFailure(
    `${host} ended with ${ended ?? 'a signal'}${said === '' ? '' : `: ${said}`}.`,
    'Check that it is signed in, and that it speaks the Agent Client Protocol.',
  );
}
