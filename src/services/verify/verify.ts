/** Verifies a finished ranking with a language model: plans what to send, and returns verdicts. The ranking itself never changes. */
import { badInput, LocusError } from '../../shared/errors.ts';
import type { Repository } from '../../shared/repository.ts';
import type { RankedChunk } from '../../shared/search.ts';
import {
  type Endpoint,
  MAX_EXTRA_CHUNKS,
  MAX_SENT,
  parseEndpoint,
  type Verification,
  type VerifierPlan,
  type VerifierSettings,
  type VerifierUsage,
} from '../../shared/verifier.ts';
import { type Judgment, parseAnswer } from './answer.ts';
import { ChatClient, countCharacters, EndpointFailure, VerifierBudget } from './client.ts';
import { buildAnswerSchema, buildPrompt, type VerifierCandidate } from './prompt.ts';
import { countCovered, listWindowStarts, rerankWindows, WINDOW_SIZE } from './rerank.ts';
import type { VerifierFile } from './verifier-file.ts';

/** Minimum number of characters of a chunk's code: with less, a verdict is worthless. */
const MIN_CODE = 400;
/** Characters besides the code, for each chunk and each request: marks, names, instructions. */
const OVERHEAD = { chunk: 400, request: 2000 };

export interface VerifiableRanking {
  repository: Pick<Repository, 'show'>;
  /** Folder of the repository, to which the consent to send code applies. */
  root: string;
  issue: string;
  /** Results from rank 1. `countResultsNeeded` says how many are useful. */
  results: readonly RankedChunk[];
}

/** Returns the number of results that a verification may look at. */
export const countResultsNeeded = ({ top }: VerifierSettings): number => top + MAX_EXTRA_CHUNKS;

export interface VerifyOptions {
  settings: VerifierSettings;
  file: VerifierFile;
  signal: AbortSignal;
  /** Called before each request with the total sent so far. */
  onProgress?: (used: VerifierUsage) => void;
  /** See `ChatClientOptions`; for tests. */
  backoffMs?: number;
}

/**
 * Plans a verification: returns what it would send, without sending anything.
 *
 * @throws LocusError `bad-input` if the settings lack a model or a valid address, or the budget is too small
 */
export async function planVerification(
  ranking: VerifiableRanking,
  { settings, file }: Pick<VerifyOptions, 'settings' | 'file'>,
): Promise<VerifierPlan> {
  const { endpoint, top, code } = chooseScope(ranking, settings);
  const candidates = await gatherCandidates(ranking, 0, top);
  const { key, agreed } = file.state(endpoint.origin);
  const leaves = leavesMachine(endpoint);
  const windows = listWindowStarts(candidates.length).map((start) =>
    countCharacters(buildPrompt(ranking.issue, candidates.slice(start, start + WINDOW_SIZE), code)),
  );
  return {
    model: settings.model,
    endpoint,
    isExternal: leaves,
    agreed: !leaves || agreed.includes(ranking.root),
    key,
    issueCharacters: Math.min(ranking.issue.length, MAX_SENT.issue),
    chunks: candidates.map(({ address, path, qualifiedName }) => {
      return { address, path, qualifiedName };
    }),
    expected: {
      requests: windows.length,
      characters: windows.reduce((sum, characters) => sum + characters, 0),
    },
    budget: getBudget(settings),
  };
}

/**
 * Asks the model about the best chunks of a ranking. Failures of the endpoint are reported in `failure` or `notes`.
 *
 * @throws LocusError `bad-input` as `planVerification`, and if code would leave the machine without the user's consent;
 *   `cancelled` if the signal aborts
 */
export async function verifyRanking(
  ranking: VerifiableRanking,
  options: VerifyOptions,
): Promise<Verification> {
  const { settings, file, signal, onProgress = () => {} } = options;
  const { endpoint, top, code } = chooseScope(ranking, settings);
  const leaves = leavesMachine(endpoint);
  if (leaves && !file.state(endpoint.origin).agreed.includes(ranking.root)) {
    throw badInput(
      `You have not agreed yet to send code of ${ranking.root} to ${endpoint.host}.`,
      'Agree to it first.',
    );
  }
  const budget = new VerifierBudget(getBudget(settings), onProgress);
  const client = new ChatClient({
    endpoint,
    model: settings.model,
    key: await file.key(endpoint.origin),
    budget,
    timeoutMs: settings.seconds * 1000,
    backoffMs: options.backoffMs,
  });
  const judge = (window: readonly VerifierCandidate[]) =>
    judgeWindow(client, ranking.issue, window, code, signal);
  const more = async (after: number) => {
    const next = await gatherCandidates(
      ranking,
      after,
      Math.min(after + WINDOW_SIZE, top + MAX_EXTRA_CHUNKS),
    );
    const size = countCharacters(buildPrompt(ranking.issue, next, code));
    return budget.allows(size) ? next : [];
  };
  const { judged: order, error } = await rerankWindows(
    await gatherCandidates(ranking, 0, top),
    judge,
    more,
  );
  if (error !== null && !(error instanceof EndpointFailure)) throw error;
  return {
    model: settings.model,
    host: endpoint.host,
    isExternal: leaves,
    chunks: order.map(({ chunk: { address, rank }, verdict, reason }, at) => {
      return { address, verdict, reason, from: rank, to: at + 1 };
    }),
    used: budget.used,
    budget: budget.most,
    notes: writeNotes(order, top, Math.min(settings.top, ranking.results.length)),
    failure: error ? { message: error.message, remedy: error.remedy } : null,
  };
}

/** Returns the verdicts on one window. If an answer has none, asks once more. */
async function judgeWindow(
  client: ChatClient,
  issue: string,
  window: readonly VerifierCandidate[],
  code: number,
  signal: AbortSignal,
): Promise<Judgment[]> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const prompt = buildPrompt(issue, window, code);
    const answer = await client.ask(prompt, buildAnswerSchema(window.length), signal);
    const judgements = parseAnswer(answer, window.length);
    if (judgements.length > 0) return judgements;
  }
  throw new EndpointFailure(
    'The model’s answers contain no verdict.',
    'Choose another model: this one does not follow the format of the answer.',
  );
}

function writeNotes(
  order: readonly { verdict: string | null }[],
  top: number,
  wanted: number,
): string[] {
  const notes: string[] = [];
  if (top < wanted)
    notes.push(`Only ${top} of ${wanted} results were sent, because of the budget.`);
  const silent = order.filter(({ verdict }) => verdict === null).length;
  if (silent > 0 && silent < order.length) {
    notes.push(`The model gave no verdict on ${silent} of ${order.length} results.`);
  }
  return notes;
}

const getBudget = ({ requests, characters }: VerifierSettings): VerifierUsage => {
  return { requests, characters };
};

/** Chooses how many chunks, and how much of their code, to send: as much as the settings ask for and the budget allows in one pass. */
function chooseScope({ issue, results }: VerifiableRanking, settings: VerifierSettings) {
  const { address, model, requests, characters } = settings;
  const refuse = (message: string, remedy: string) => badInput(message, remedy);
  if (!address.trim() || !model.trim())
    throw refuse('No verifier is set up.', 'Enter its address and its model first.');
  const endpoint = parseEndpoint(address);
  if (results.length === 0) throw refuse('There is nothing to verify.', 'Search first.');
  const fixed = Math.min(issue.length, MAX_SENT.issue) + OVERHEAD.request;
  const most = Math.min(settings.top, results.length, countCovered(requests));
  for (let top = most; top > 0; top--) {
    const each = characters / listWindowStarts(top).length - fixed;
    const code = Math.floor(each / Math.min(top, WINDOW_SIZE)) - OVERHEAD.chunk;
    if (code >= MIN_CODE) return { endpoint, top, code: Math.min(code, MAX_SENT.code) };
  }
  throw refuse(
    `The budget of ${characters} characters is too small for this issue.`,
    'Raise it in the settings of the verifier.',
  );
}

async function gatherCandidates(
  { repository, results }: VerifiableRanking,
  from: number,
  to: number,
): Promise<VerifierCandidate[]> {
  return Promise.all(
    results.slice(from, to).map(async (result) => {
      const shown = await repository.show({ chunk: result.address }).catch((error: unknown) => {
        // The chunk was removed since the search, so there is no code to judge.
        if (error instanceof LocusError && error.code === 'not-found') return { code: '' };
        throw error;
      });
      return { ...result, code: shown.code };
    }),
  );
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
