/** The verification of a finished ranking: what it would send, and its outcome. The ranking itself is never changed. */
import { badInput, LocusError } from '../../shared/errors.ts';
import type { Repository } from '../../shared/repository.ts';
import type { RankedChunk } from '../../shared/search.ts';
import {
  type Endpoint,
  endpointOf,
  MAX_SENT,
  REFINE_CHUNKS,
  type Verification,
  type VerifierPlan,
  type VerifierSettings,
  type VerifierUse,
} from '../../shared/verifier.ts';
import { type Judgement, readAnswer } from './answer.ts';
import { Budget, ChatClient, charactersOf, EndpointFailure } from './client.ts';
import { answerSchema, type Candidate, promptFor } from './prompt.ts';
import { coveredBy, rerank, WINDOW, windowStarts } from './rerank.ts';
import type { VerifierFile } from './verifier-file.ts';

/** Of a chunk's code, in characters: with less, a verdict is worth nothing. */
const LEAST_CODE = 400;
/** Beside the code, for each chunk and each request: marks, names, instructions. */
const OVERHEAD = { chunk: 400, request: 2000 };

export interface Ranking {
  repository: Pick<Repository, 'show'>;
  /** The repository's folder, for which sending is agreed to. */
  root: string;
  issue: string;
  /** The engine's order, from rank 1. `resultsNeeded` says how many are of use. */
  results: readonly RankedChunk[];
}

/** Results of a search that a verification may look at. */
export const resultsNeeded = ({ top }: VerifierSettings): number => top + REFINE_CHUNKS;

export interface VerifyOptions {
  settings: VerifierSettings;
  file: VerifierFile;
  signal: AbortSignal;
  /** Called before each request, with what is sent by then. */
  onProgress?: (used: VerifierUse) => void;
  /** See `ClientOptions`; for tests. */
  backoffMs?: number;
}

/**
 * What a verification would send; sends nothing.
 *
 * @throws LocusError `bad-input` when the settings name no model, no usable address, or too small a budget.
 */
export async function planVerification(
  ranking: Ranking,
  { settings, file }: Pick<VerifyOptions, 'settings' | 'file'>,
): Promise<VerifierPlan> {
  const { endpoint, top, code } = choose(ranking, settings);
  const candidates = await gather(ranking, 0, top);
  const { key, agreed } = file.state(endpoint.origin);
  const leaves = leavesMachine(endpoint);
  const windows = windowStarts(candidates.length).map((start) =>
    charactersOf(promptFor(ranking.issue, candidates.slice(start, start + WINDOW), code)),
  );
  return {
    model: settings.model,
    endpoint,
    leaves,
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
    budget: budgetOf(settings),
  };
}

/**
 * Asks the model about the best chunks of a ranking. Whatever goes wrong at the endpoint ends up in `failure` or `notes`.
 *
 * @throws LocusError `bad-input` as `planVerification`, and when code would leave the machine without the user's consent;
 *   `cancelled` when the signal aborts.
 */
export async function verify(ranking: Ranking, options: VerifyOptions): Promise<Verification> {
  const { settings, file, signal, onProgress = () => {} } = options;
  const { endpoint, top, code } = choose(ranking, settings);
  const leaves = leavesMachine(endpoint);
  if (leaves && !file.state(endpoint.origin).agreed.includes(ranking.root)) {
    throw badInput(
      `nobody agreed yet to send code of ${ranking.root} to ${endpoint.host}`,
      'agree to it first',
    );
  }
  const budget = new Budget(budgetOf(settings), onProgress);
  const client = new ChatClient({
    endpoint,
    model: settings.model,
    key: await file.key(endpoint.origin),
    budget,
    timeoutMs: settings.seconds * 1000,
    backoffMs: options.backoffMs,
  });
  const judge = (window: readonly Candidate[]) =>
    judged(client, ranking.issue, window, code, signal);
  const more = async (after: number) => {
    const next = await gather(ranking, after, Math.min(after + WINDOW, top + REFINE_CHUNKS));
    const size = charactersOf(promptFor(ranking.issue, next, code));
    return budget.allows(size) ? next : [];
  };
  const { judged: order, error } = await rerank(await gather(ranking, 0, top), judge, more);
  if (error !== null && !(error instanceof EndpointFailure)) throw error;
  return {
    model: settings.model,
    host: endpoint.host,
    leaves,
    chunks: order.map(({ chunk: { address, rank }, verdict, reason }, at) => {
      return { address, verdict, reason, from: rank, to: at + 1 };
    }),
    used: budget.used,
    budget: budget.most,
    notes: notesOn(order, top, Math.min(settings.top, ranking.results.length)),
    failure: error ? { message: error.message, remedy: error.remedy } : null,
  };
}

/** One window's judgements. What no answer can be read from is asked for once more. */
async function judged(
  client: ChatClient,
  issue: string,
  window: readonly Candidate[],
  code: number,
  signal: AbortSignal,
): Promise<Judgement[]> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const prompt = promptFor(issue, window, code);
    const answer = await client.ask(prompt, answerSchema(window.length), signal);
    const judgements = readAnswer(answer, window.length);
    if (judgements.length > 0) return judgements;
  }
  throw new EndpointFailure(
    'the model’s answers hold no verdict on any result',
    'choose another model: this one cannot follow the form of the answer',
  );
}

function notesOn(
  order: readonly { verdict: string | null }[],
  top: number,
  wanted: number,
): string[] {
  const notes: string[] = [];
  if (top < wanted) notes.push(`The budget allowed for ${top} results instead of ${wanted}.`);
  const silent = order.filter(({ verdict }) => verdict === null).length;
  if (silent > 0 && silent < order.length) {
    notes.push(`The model said nothing usable of ${silent} of ${order.length} results.`);
  }
  return notes;
}

const budgetOf = ({ requests, characters }: VerifierSettings): VerifierUse => {
  return { requests, characters };
};

/** As many chunks as the settings ask for, and as much of their code, as the budget allows for one pass. */
function choose({ issue, results }: Ranking, settings: VerifierSettings) {
  const { address, model, requests, characters } = settings;
  const refuse = (message: string, remedy: string) => badInput(message, remedy);
  if (!address.trim() || !model.trim())
    throw refuse('no verifier is set up', 'give its address and its model first');
  const endpoint = endpointOf(address);
  if (results.length === 0) throw refuse('there is nothing to verify', 'search first');
  const fixed = Math.min(issue.length, MAX_SENT.issue) + OVERHEAD.request;
  const most = Math.min(settings.top, results.length, coveredBy(requests));
  for (let top = most; top > 0; top--) {
    const each = characters / windowStarts(top).length - fixed;
    const code = Math.floor(each / Math.min(top, WINDOW)) - OVERHEAD.chunk;
    if (code >= LEAST_CODE) return { endpoint, top, code: Math.min(code, MAX_SENT.code) };
  }
  throw refuse(
    `the budget of ${characters} characters is too small for this issue`,
    'raise it in the settings of the verifier',
  );
}

async function gather(
  { repository, results }: Ranking,
  from: number,
  to: number,
): Promise<Candidate[]> {
  return Promise.all(
    results.slice(from, to).map(async (result) => {
      const shown = await repository.show({ chunk: result.address }).catch((error: unknown) => {
        // It was edited away since the search: there is no code to judge.
        if (error instanceof LocusError && error.code === 'not-found') return { code: '' };
        throw error;
      });
      return { ...result, code: shown.code };
    }),
  );
}

/** An address on this machine may still be reached through a proxy elsewhere, if Node was told to use one. */
function leavesMachine({ loopback, encrypted }: Endpoint): boolean {
  const { env } = process;
  const told = env.NODE_USE_ENV_PROXY === '1' || process.execArgv.includes('--use-env-proxy');
  const proxy = encrypted
    ? (env.HTTPS_PROXY ?? env.https_proxy)
    : (env.HTTP_PROXY ?? env.http_proxy);
  return !loopback || (told && Boolean(proxy));
}
