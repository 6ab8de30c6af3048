/** Checks a finished ranking with a language model: plans what to send, asks, and returns the checked order. The ranking itself never changes. */
import type {
  CheckedChunk,
  CheckOutcome,
  CheckPlan,
  CheckSettings,
  CheckUsage,
  Endpoint,
} from '../../shared/check.ts';
import { describeModel, isSetUp, parseEndpoint } from '../../shared/check.ts';
import { badInput } from '../../shared/errors.ts';
import { AgentModel } from './agent-model.ts';
import { type Answer, parseAnswer } from './answer.ts';
import { type Candidate, type CheckableRanking, describeCandidates } from './candidates.ts';
import type { CheckFile } from './check-file.ts';
import {
  ChatClient,
  type ChatMessage,
  CheckBudget,
  countCharacters,
  EndpointFailure,
  type LanguageModel,
} from './client.ts';
import { buildAnswerSchema, buildPrompt } from './prompt.ts';
import { chooseSizes } from './sizes.ts';
import type { StoredAnswers } from './stored-answers.ts';

/** Maximum number of requests: one, and repetitions after failures and useless answers. */
const MAX_REQUESTS = 4;

export interface CheckOptions {
  settings: CheckSettings;
  file: CheckFile;
  /** Answers to use instead of asking again. */
  answers?: StoredAnswers | undefined;
  signal: AbortSignal;
  /** Called before each request with the total sent so far. */
  onProgress?: (used: CheckUsage) => void;
  /** Environment of agents; by default that of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** See `ChatClientOptions`; for tests. */
  backoffMs?: number;
}

/**
 * Plans a check: returns what it would send, without sending anything.
 * @throws LocusError `bad-input` if the settings lack a model or a valid address, or there are no results
 */
export async function planCheck(
  ranking: CheckableRanking,
  { settings, file }: Pick<CheckOptions, 'settings' | 'file'>,
): Promise<CheckPlan> {
  const { endpoint, issue, candidates } = await prepare(ranking, settings);
  const { key, agreed } = file.state(endpoint.origin);
  const isExternal = leavesMachine(endpoint);
  const characters = countCharacters(buildPrompt(issue, candidates));
  return {
    ...describeModel(settings.model, endpoint),
    endpoint,
    isExternal,
    agreed: !isExternal || agreed.includes(ranking.root),
    key,
    issueCharacters: issue.length,
    chunks: candidates.map(({ chunk: { address, path, qualifiedName } }) => {
      return { address, path, qualifiedName };
    }),
    expected: { requests: 1, characters },
    budget: limitUsage(characters),
  };
}

/**
 * Asks the model about the best chunks of a ranking, in one request. Failures of the endpoint are reported in `failure`.
 * @throws LocusError `bad-input` as `planCheck`, and if code would leave the machine without the user's consent; `cancelled` if the
 *   signal aborts
 */
export async function checkRanking(
  ranking: CheckableRanking,
  options: CheckOptions,
): Promise<CheckOutcome> {
  const { settings, file, onProgress = () => {} } = options;
  const { endpoint, issue, candidates } = await prepare(ranking, settings);
  const isExternal = leavesMachine(endpoint);
  if (isExternal && !file.state(endpoint.origin).agreed.includes(ranking.root)) {
    throw badInput(
      `You have not agreed yet to send code of ${ranking.root} to ${endpoint.host}.`,
      'Agree to it first.',
    );
  }
  const build = () => buildPrompt(issue, candidates);
  const characters = countCharacters(build());
  const most = limitUsage(characters);
  const budget = new CheckBudget(most, onProgress);
  const common = { endpoint, model: settings.model, budget, timeoutMs: settings.seconds * 1000 };
  const client: LanguageModel =
    endpoint.agent === undefined
      ? new ChatClient({
          ...common,
          key: await file.key(endpoint.origin),
          backoffMs: options.backoffMs,
        })
      : new AgentModel({ ...common, env: options.env ?? process.env });
  const asked = await ask(client, build, candidates.length, options).catch((error: unknown) => {
    if (error instanceof EndpointFailure) return error;
    throw error;
  });
  const [answer, failure] = asked instanceof EndpointFailure ? [NO_ANSWER, asked] : [asked, null];
  return {
    ...describeModel(settings.model, endpoint),
    isExternal,
    chunks: orderChunks(candidates, answer),
    missing: answer.missing,
    size: { request: characters, answer: answer.length },
    used: budget.used,
    budget: most,
    notes: [
      ...describeFewer(candidates.length, settings.candidates, ranking.results.length),
      ...(failure === null && budget.used.requests === 0 ? [KNOWN_ANSWER] : []),
    ],
    failure: failure && { message: failure.message, remedy: failure.remedy },
  };
}

const KNOWN_ANSWER = 'Nothing was sent: this is the model’s answer to the same list before.';
const NO_ANSWER: Answer = { order: [], edits: new Map(), missing: [], length: 0 };

/** Returns the model's answer. If one has no id, asks once more. */
async function ask(
  client: LanguageModel,
  build: () => ChatMessage[],
  count: number,
  { settings, answers, signal }: CheckOptions,
): Promise<Answer> {
  // Models of one name at two addresses may differ.
  const model = `${settings.model} ${settings.address.trim()}`;
  const stored = answers?.find(model, build()) ?? null;
  const known = stored === null ? null : parseAnswer(stored, count);
  if (known) return known;
  for (let attempt = 0; attempt < 2; attempt++) {
    // With new marks, so that a model that repeats itself may answer otherwise.
    const prompt = build();
    const text = await client.ask(prompt, buildAnswerSchema(count), signal);
    const answer = parseAnswer(text, count);
    if (!answer) continue;
    answers?.add(model, prompt, text);
    return answer;
  }
  throw new EndpointFailure(
    'The model’s answers name none of the functions.',
    'Choose another model: this one does not follow the format of the answer.',
  );
}

/** Puts the chunks that the model ordered first. The others keep their order. */
function orderChunks(
  candidates: readonly Candidate[],
  { order, edits }: Pick<Answer, 'order' | 'edits'>,
): CheckedChunk[] {
  const indexes = new Set([...order, ...candidates.keys()]);
  return [...indexes].flatMap((index, at) => {
    const candidate = candidates[index];
    if (!candidate) return [];
    const { address, rank } = candidate.chunk;
    const reason = edits.get(index);
    return { address, isEdit: reason !== undefined, reason: reason ?? '', from: rank, to: at + 1 };
  });
}

function describeFewer(sent: number, wanted: number, results: number): string[] {
  const most = Math.min(wanted, results);
  return sent < most
    ? [`Only ${sent} of ${most} results were sent, because the model reads no more at once.`]
    : [];
}

const limitUsage = (characters: number): CheckUsage => {
  return { requests: MAX_REQUESTS, characters: MAX_REQUESTS * characters };
};

async function prepare(ranking: CheckableRanking, settings: CheckSettings) {
  const { repository, issue, results } = ranking;
  if (!isSetUp(settings))
    throw badInput('No model is set up.', 'Enter its address and its name first.');
  const endpoint = parseEndpoint(settings.address);
  if (results.length === 0) throw badInput('There is nothing to check.', 'Search first.');
  const { issue: most, lengths } = chooseSizes(issue.length, results.length, settings);
  const candidates = await describeCandidates(repository, ranking, lengths);
  return { endpoint, issue: cutMiddle(issue.trim(), most), candidates };
}

function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.floor((most * 2) / 3);
  const tail = most - head;
  return `${text.slice(0, head)}\n[… ${text.length - most} characters left out …]\n${text.slice(-tail)}`;
}

/** Returns true if code would leave the machine. Even a local address may be reached through a remote proxy, if Node is set to use one. */
function leavesMachine({ isLocal, isEncrypted }: Endpoint): boolean {
  const { env } = process;
  const usesProxy = env.NODE_USE_ENV_PROXY === '1' || process.execArgv.includes('--use-env-proxy');
  const proxy = isEncrypted
    ? (env.HTTPS_PROXY ?? env.https_proxy)
    : (env.HTTP_PROXY ?? env.http_proxy);
  return !isLocal || (usesProxy && Boolean(proxy));
}
