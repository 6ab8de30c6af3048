/** Implements `locus investigate`, with which an agent of the user investigates an issue. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Environment, readVariable } from '../base/environment.ts';
import type { CheckableRanking } from '../services/check/candidates.ts';
import { approximateTokens } from '../shared/check.ts';
import {
  AGENT_SCHEME,
  AGENT_TITLES,
  describeModel,
  parseEndpoint,
} from '../shared/check-endpoint.ts';
import { badInput, type LocusError } from '../shared/errors.ts';
import { formatCount, formatCounted } from '../shared/format-count.ts';
import {
  chooseInvestigator,
  getInvestigationOrigin,
  INVESTIGATION_DEFAULTS,
  type InvestigationOutcome,
  type InvestigationPlan,
  type InvestigationSettings,
  type InvestigationStep,
} from '../shared/investigate.ts';
import { INVESTIGATION_RANGES } from '../shared/limits.ts';
import { parseInteger, parseNonEmpty, type RepositoryCliOptions } from './options.ts';
import type { Session } from './session.ts';

export interface InvestigateCliOptions extends RepositoryCliOptions {
  agent?: string;
  toolCalls?: number;
  seconds?: number;
  agree?: boolean;
  trust?: boolean;
  withdraw?: boolean;
}

const formatRange = (name: keyof typeof INVESTIGATION_RANGES) =>
  INVESTIGATION_RANGES[name].join(' to ');

export function withInvestigateOptions(command: Command): Command {
  const { toolCalls, seconds } = INVESTIGATION_DEFAULTS;
  const names = Object.keys(AGENT_TITLES).join(', ');
  return command
    .option(
      '--agent <agent>',
      `agent that investigates: ${names}, or the path of a program (default: the agent in LOCUS_CHECK_URL)`,
      parseNonEmpty,
    )
    .option(
      '--tool-calls <count>',
      `maximum number of tool calls (${formatRange('toolCalls')}) (default: ${toolCalls})`,
      parseInteger(...INVESTIGATION_RANGES.toolCalls),
    )
    .option(
      '--seconds <count>',
      `time limit in seconds (${formatRange('seconds')}) (default: ${seconds})`,
      parseInteger(...INVESTIGATION_RANGES.seconds),
    )
    .option('--agree', 'agree, permanently, that this agent reads this repository')
    .option('--trust', 'trust this program, permanently, to run without a sandbox')
    .option('--withdraw', 'withdraw both, and exit');
}

/**
 * Returns the settings of an investigation.
 * @throws LocusError `bad-input` without an agent, or for one that is neither known nor an absolute path
 */
export function toInvestigationSettings(
  options: InvestigateCliOptions,
  env: Environment,
): InvestigationSettings {
  const { agent } = options;
  const own = agent === undefined || agent.startsWith(AGENT_SCHEME) ? agent : AGENT_SCHEME + agent;
  const address = chooseInvestigator(own ?? '', readVariable('LOCUS_CHECK_URL', env) ?? '');
  if (address === '')
    throw badInput(
      'No agent is given.',
      'Give --agent claude, codex, gemini or the path of a program, or set LOCUS_CHECK_URL to agent:claude.',
    );
  parseEndpoint(address);
  const { toolCalls, seconds } = INVESTIGATION_DEFAULTS;
  return {
    address,
    toolCalls: options.toolCalls ?? toolCalls,
    seconds: options.seconds ?? seconds,
  };
}

/** Withdraws the agreement for all repositories, and the trust in the program. */
export async function withdrawInvestigations(
  settings: InvestigationSettings,
  options: InvestigateCliOptions,
  session: Session,
): Promise<void> {
  const { file } = await openCheckFile(options, session);
  const { findAgentProgram } = await import('../services/investigate/plan.ts');
  file.withdraw(getInvestigationOrigin(settings.address));
  const { program } = findAgentProgram(settings.address, session.host.env);
  if (program !== null) file.trust(program, false);
}

/**
 * Lets an agent investigate, and shows its steps.
 * @throws LocusError `bad-input` if the user did not agree, or the program is not trusted without a sandbox
 */
export async function runInvestigation(
  ranking: CheckableRanking,
  settings: InvestigationSettings,
  options: InvestigateCliOptions,
  session: Session,
): Promise<InvestigationOutcome> {
  const [{ investigate }, { prepareInvestigation }, { createToolServer }] = await Promise.all([
    import('../services/investigate/investigate.ts'),
    import('../services/investigate/plan.ts'),
    import('../services/investigate/tool-server.ts'),
  ]);
  const { env, signal } = session.host;
  const { file, folder } = await openCheckFile(options, session);
  const origin = getInvestigationOrigin(settings.address);
  // Before this, no program is started, not even to see whether the sandbox works.
  if (!file.state(origin).agreed.includes(ranking.root)) {
    if (!options.agree) throw notAgreed(settings, ranking.root);
    file.agree(origin, ranking.root);
  }
  const { plan } = await prepareInvestigation(ranking, { settings, file, env });
  if (options.trust) file.trust(plan.program);
  else if (plan.sandbox === null && !plan.trusted) throw notTrusted(plan);
  session.note(`locus: ${describePlan(plan)}`);
  const { model, device, exclude } = options;
  return investigate(ranking, {
    settings,
    file,
    env,
    tools: createToolServer([process.execPath, process.argv[1] ?? ''], {
      ...{ root: ranking.root, dataDirectory: folder },
      ...{ model, device, exclude },
    }),
    readable: [ranking.root, folder, process.execPath, process.argv[1] ?? ''],
    signal,
    onStep: (step) => session.note(formatStep(step)),
  });
}

async function openCheckFile(options: InvestigateCliOptions, session: Session) {
  const [{ CheckFile }, { getDataDirectory }] = await Promise.all([
    import('../services/check/check-file.ts'),
    import('../services/locations.ts'),
  ]);
  const { env } = session.host;
  const folder = resolve(getDataDirectory(options.dataDir, env));
  const file = new CheckFile(folder, env, (note) => session.note(`locus: ${note}`));
  return { file, folder };
}

const STEP_TITLES: Record<InvestigationStep['kind'], string> = {
  tool: 'tool',
  thought: 'thinks',
  plan: 'plan',
  refused: 'refused',
};

const formatStep = ({ kind, text }: InvestigationStep) => `  ${STEP_TITLES[kind].padEnd(8)}${text}`;

function describePlan({
  model,
  characters,
  results,
  sandbox,
  settings,
}: InvestigationPlan): string {
  const { toolCalls, seconds } = settings;
  return (
    `${model} investigates ${sandbox === null ? 'without a sandbox, as a program that you trust' : `in the sandbox of ${sandbox}`}. ` +
    `It gets the issue and ${formatCounted(results, 'result')}, about ${formatCount(approximateTokens(characters))} tokens, ` +
    `and reads what it chooses. Limit: ${formatCounted(toolCalls, 'tool call')}, ${formatCounted(seconds, 'second')}.`
  );
}

function notAgreed({ address }: InvestigationSettings, root: string): LocusError {
  const { model, place } = describeModel('', parseEndpoint(address));
  return badInput(
    `This would let ${model} read the issue and the files of ${root}, and send them away ${place}.`,
    'To agree permanently, for this repository and agent, add --agree.',
  );
}

const notTrusted = ({ program }: InvestigationPlan): LocusError =>
  badInput(
    `This system has no sandbox that works, so ${program} could change files and start programs.`,
    'Install bubblewrap on Linux. If you know what the program does, add --trust once.',
  );
