/** Plans an investigation: what it would ask, of which program, and what the program would be kept from. */
import { realpathSync } from 'node:fs';
import { findProgram } from '../../base/programs.ts';
import { CHECK_DEFAULTS } from '../../shared/check.ts';
import { describeModel, type Endpoint, parseEndpoint } from '../../shared/check-endpoint.ts';
import { badInput } from '../../shared/errors.ts';
import {
  getInvestigationOrigin,
  type InvestigationPlan,
  type InvestigationSettings,
} from '../../shared/investigate.ts';
import { type Candidate, type CheckableRanking, describeCandidates } from '../check/candidates.ts';
import type { CheckFile } from '../check/check-file.ts';
import { cutMiddle } from '../check/rounds.ts';
import { chooseSizes } from '../check/sizes.ts';
import { getInvestigator, type Investigator } from './agents.ts';
import { buildInvestigationPrompt } from './prompt.ts';
import { findSandbox, type Sandbox } from './sandbox.ts';

export interface PlanOptions {
  settings: InvestigationSettings;
  file: CheckFile;
  /** Environment in which the agent is looked for, and from which it gets selected variables. */
  env: Readonly<Record<string, string | undefined>>;
}

/** An investigation that is ready to start. */
export interface PreparedInvestigation {
  plan: InvestigationPlan;
  endpoint: Endpoint;
  investigator: Investigator;
  sandbox: Sandbox | null;
  candidates: Candidate[];
  prompt: string;
}

/** Maximum number of results that the agent gets. Those after the first 20 come without code: it can read them. */
const MAX_CANDIDATES = 50;

/**
 * Finds the program of an agent, with links resolved; null if it is not installed.
 * @throws LocusError `bad-input` if the address names no agent
 */
export function findAgentProgram(address: string, env: PlanOptions['env']) {
  const endpoint = parseEndpoint(address);
  if (endpoint.agent === undefined)
    throw badInput('Only an agent can investigate.', 'Use an address such as agent:claude.');
  const investigator = getInvestigator(endpoint);
  const found = findProgram([investigator.program], env, process.platform);
  return { endpoint, investigator, program: found && realpathSync(found) };
}

/**
 * Plans an investigation, without starting the agent.
 * @throws LocusError `bad-input` if the settings name no agent, it is not installed, or there are no results
 */
export async function prepareInvestigation(
  ranking: CheckableRanking,
  { settings, file, env }: PlanOptions,
): Promise<PreparedInvestigation> {
  const { endpoint, investigator, program } = findAgentProgram(settings.address, env);
  if (ranking.results.length === 0)
    throw badInput('There is nothing to investigate.', 'Search first.');
  if (program === null)
    throw badInput(`${investigator.program} is not installed.`, investigator.remedy);
  const [{ issue, candidates }, sandbox] = await Promise.all([
    describeRanking(ranking),
    findSandbox(env, process.platform),
  ]);
  const prompt = buildInvestigationPrompt(issue, candidates, settings.toolCalls);
  const { agreed } = file.state(getInvestigationOrigin(settings.address));
  const plan = {
    ...describeModel('', endpoint),
    program,
    sandbox: sandbox?.name ?? null,
    trusted: file.isTrusted(program),
    agreed: agreed.includes(ranking.root),
    characters: prompt.length,
    results: candidates.length,
    settings,
  };
  return { plan, endpoint, investigator, sandbox, candidates, prompt };
}

async function describeRanking(ranking: CheckableRanking) {
  const issue = ranking.issue.trim();
  const count = Math.min(ranking.results.length, MAX_CANDIDATES);
  const { issue: most, lengths } = chooseSizes(issue.length, count, CHECK_DEFAULTS);
  const all = Array.from({ length: count }, (_, at) => lengths[at] ?? 0);
  const candidates = await describeCandidates(ranking.repository, ranking, all);
  return { issue: cutMiddle(issue, most), candidates };
}

/** @throws LocusError `bad-input` without the user's consent, and without a sandbox for a program that the user does not trust */
export function assertAllowed(
  { agreed, program, sandbox, trusted }: InvestigationPlan,
  { host }: Endpoint,
  root: string,
): void {
  if (!agreed)
    throw badInput(`You have not agreed yet that ${host} reads ${root}.`, 'Agree to it first.');
  if (sandbox === null && !trusted)
    throw badInput(
      `This system has no sandbox that works, so ${program} could change files and start programs.`,
      'Install bubblewrap on Linux, or trust the program if you know what it does.',
    );
}
