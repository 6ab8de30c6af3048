/** Checks a finished ranking with a language model: plans what to send, asks, and returns the checked order. The ranking itself never changes. */
import type { CheckOutcome, CheckPlan, CheckSettings, CheckUsage } from '../../shared/check.ts';
import { describeModel, isSetUp, parseEndpoint } from '../../shared/check-endpoint.ts';
import { badInput } from '../../shared/errors.ts';
import { AgentModel } from './agent-model.ts';
import type { CheckableRanking } from './candidates.ts';
import { ChatClient } from './chat-client.ts';
import type { CheckFile } from './check-file.ts';
import {
  CheckBudget,
  countCharacters,
  type LanguageModel,
  type LanguageModelOptions,
} from './client.ts';
import { leavesMachine, listLackingConsent, withConsent } from './consent.ts';
import { describeWeight } from './fuse.ts';
import { GgufModel } from './gguf-model.ts';
import { MAX_MORE } from './look-again.ts';
import { buildPrompt } from './prompt.ts';
import { chooseBuilder } from './prompt-format.ts';
import {
  type AskOptions,
  askInRounds,
  describeRanking,
  orderChunks,
  type Question,
  type Round,
  weighRounds,
} from './rounds.ts';

/** Maximum number of requests, repetitions after failures and useless answers included: of a single look, and of two. */
const MAX_REQUESTS = { once: 4, twice: 6 } as const;
/** Maximum length of a second request, in lengths of the first. */
const AGAIN_LENGTH = 2;

export interface CheckOptions extends AskOptions {
  file: Pick<CheckFile, 'key' | 'state' | 'folder'>;
  /** Result of `prepareCheck`, so that a plan and its check describe the candidates once. */
  prepared?: PreparedCheck;
  /** Called before each request with the total sent so far, and while its answer arrives. */
  onProgress?: (used: CheckUsage) => void;
  /** Environment of agents; by default that of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** See `ChatClientOptions`; for tests. */
  backoffMs?: number;
  /** Weight of the model's order, instead of the one that its answers earn. */
  weight?: number;
}

/**
 * Plans a check: returns what it would send, without sending anything.
 * @throws LocusError `bad-input` if the settings lack a model or a valid address, or there are no results
 */
export async function planCheck(
  ranking: CheckableRanking,
  { settings: given, file, prepared: known }: Pick<CheckOptions, 'settings' | 'file' | 'prepared'>,
): Promise<CheckPlan> {
  const prepared = known ?? (await prepareCheck(ranking, given, file));
  const { endpoint, settings, issue, candidates, build } = prepared;
  const lacking = listLackingConsent(ranking, candidates, endpoint, file);
  const characters = countCharacters(build(issue, candidates));
  return {
    ...describeModel(settings.model, endpoint),
    endpoint,
    isExternal: leavesMachine(endpoint),
    agreed: lacking.length === 0,
    lacking,
    key: file.state(endpoint.origin).key,
    issueCharacters: issue.length,
    chunks: candidates.map(({ chunk: { address, path, qualifiedName } }) => {
      return { address, path, qualifiedName };
    }),
    more: settings.lookAgain ? MAX_MORE.next + MAX_MORE.found : 0,
    expected: { requests: 1, characters },
    budget: limitUsage(characters, settings),
  };
}

/**
 * Asks the model about the best chunks of a ranking, in one request, or two if it misses code. Failures of the endpoint are
 * reported in `failure`.
 * @throws LocusError `bad-input` as `planCheck`, and if code would leave the machine without the user's consent; `cancelled` if the
 *   signal aborts
 */
export async function checkRanking(
  ranking: CheckableRanking,
  options: CheckOptions,
): Promise<CheckOutcome> {
  const { file } = options;
  const prepared = options.prepared ?? (await prepareCheck(ranking, options.settings, file));
  const { endpoint, settings, issue, candidates, build } = prepared;
  const lacking = listLackingConsent(ranking, candidates, endpoint, file);
  if (lacking.length > 0)
    throw badInput(
      `You have not agreed yet to send code of ${lacking.join(', ')} to ${endpoint.host}.`,
      'Agree to it first.',
    );
  const timeoutMs = settings.seconds * 1000;
  const connect = (budget: CheckBudget) =>
    openModel({ endpoint, model: settings.model, budget, timeoutMs }, options);
  const isExternal = leavesMachine(endpoint);
  const asked = { ...describeModel(settings.model, endpoint), isExternal, connect };
  const allowed = withConsent(ranking, endpoint, file);
  return askAndOrder(asked, allowed, { issue, candidates }, { ...options, settings, build });
}

/** A model to ask: its name and place for people, and how to reach it. */
interface AskedModel extends Pick<CheckOutcome, 'model' | 'place' | 'isExternal'> {
  connect(budget: CheckBudget): Promise<LanguageModel>;
}

type CheckWithOptions = AskOptions & Pick<CheckOptions, 'onProgress' | 'weight'>;

/**
 * Asks a model that is not in the settings, such as that of an MCP client, as `checkRanking` does.
 * @throws LocusError `bad-input` if there are no results; `cancelled` if the signal aborts
 */
export async function checkWithModel(
  asked: AskedModel,
  ranking: CheckableRanking,
  options: CheckWithOptions,
): Promise<CheckOutcome> {
  return askAndOrder(asked, ranking, await describeRanking(ranking, options.settings), options);
}

async function askAndOrder(
  { connect, ...named }: AskedModel,
  ranking: CheckableRanking,
  { issue, candidates }: Question,
  options: CheckWithOptions,
): Promise<CheckOutcome> {
  const { settings, build = buildPrompt } = options;
  const most = limitUsage(countCharacters(build(issue, candidates)), settings);
  const budget = new CheckBudget(most, options.onProgress ?? (() => {}));
  const { rounds, failure } = await askInRounds(
    await connect(budget),
    ranking,
    { issue, candidates },
    options,
  );
  const [first] = rounds;
  const fusion = weighRounds(rounds, options.weight);
  const sum = (count: (round: Round) => number) =>
    rounds.reduce((total, round) => total + count(round), 0);
  return {
    ...named,
    checkedAt: new Date().toISOString(),
    ...(fusion && { fusion }),
    ...orderChunks(ranking.results, candidates, rounds, fusion?.weight ?? 0),
    missing: first?.answer.missing ?? [],
    size: { request: sum(({ request }) => request), answer: sum(({ answer }) => answer.length) },
    used: budget.used,
    budget: most,
    notes: [
      ...describeFewer(candidates.length, settings.candidates, ranking.results.length),
      ...(rounds.length > 0 && budget.used.requests === 0 ? [KNOWN_ANSWER] : []),
      ...(fusion ? describeWeight(fusion) : []),
      ...rounds.flatMap(({ cutOff }) =>
        cutOff ? [`${cutOff.message} The order uses what had arrived.`] : [],
      ),
      ...(rounds.length > 0 && failure ? [`It was not asked again: ${failure.message}`] : []),
    ],
    failure:
      failure && rounds.length === 0 ? { message: failure.message, remedy: failure.remedy } : null,
  };
}

async function openModel(
  common: LanguageModelOptions,
  { settings, file, env = process.env, backoffMs }: CheckOptions,
): Promise<LanguageModel> {
  const { agent, localModel, origin } = common.endpoint;
  if (agent !== undefined) return new AgentModel({ ...common, env });
  if (localModel === undefined)
    return new ChatClient({ ...common, key: await file.key(origin), backoffMs });
  return new GgufModel({ ...common, dataDir: file.folder, context: settings.context });
}

const KNOWN_ANSWER = 'Nothing was sent: this is the model’s answer to the same list before.';

function describeFewer(sent: number, wanted: number, results: number): string[] {
  const most = Math.min(wanted, results);
  return sent < most
    ? [`Only ${sent} of ${most} results were sent, because the model reads no more at once.`]
    : [];
}

/** Limits what a check sends, by the characters of its first request. */
const limitUsage = (characters: number, { lookAgain }: CheckSettings): CheckUsage =>
  lookAgain
    ? { requests: MAX_REQUESTS.twice, characters: MAX_REQUESTS.twice * AGAIN_LENGTH * characters }
    : { requests: MAX_REQUESTS.once, characters: MAX_REQUESTS.once * characters };

type PreparedCheck = Awaited<ReturnType<typeof prepareCheck>>;

/** Chooses and describes what a check sends. Throws as `planCheck`. */
export async function prepareCheck(
  ranking: CheckableRanking,
  given: CheckSettings,
  file: Pick<CheckFile, 'folder'>,
) {
  if (!isSetUp(given))
    throw badInput('No model is set up.', 'Enter its address and its name first.');
  const endpoint = parseEndpoint(given.address);
  if (ranking.results.length === 0) throw badInput('There is nothing to check.', 'Search first.');
  const build = chooseBuilder(endpoint, file.folder);
  // A model that was trained to write a list never says what it misses.
  const settings = build === buildPrompt ? given : { ...given, lookAgain: false };
  return { endpoint, settings, build, ...(await describeRanking(ranking, settings)) };
}
