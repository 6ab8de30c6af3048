/** `locus search --verify`: a language model checks the best results. Options and environment, the run, and its face. */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Environment, readVariable } from '../base/environment.ts';
import { badInput, inSentences, type LocusError } from '../shared/errors.ts';
import { DEFAULT_RESULTS, VERIFIER_RANGES } from '../shared/limits.ts';
import { named, quoted } from '../shared/quoted.ts';
import type { Repository } from '../shared/repository.ts';
import type { SearchRequest, SearchResponse } from '../shared/search.ts';
import {
  endpointOf,
  inVerifiedOrder,
  tokensOf,
  VERIFIER_DEFAULTS,
  type Verdict,
  type Verification,
  type VerifiedChunk,
  type VerifierPlan,
  type VerifierSettings,
  verdictTitle,
} from '../shared/verifier.ts';
import { integer, type RepositoryOptions } from './options.ts';
import type { Session } from './session.ts';
import { type Colors, count, counted, fit } from './terminal.ts';

export interface VerifyCliOptions extends RepositoryOptions {
  verify?: boolean;
  verifyUrl?: string;
  verifyModel?: string;
  verifyTop?: number;
  verifyRequests?: number;
  verifyCharacters?: number;
  verifySeconds?: number;
  verifyAgree?: boolean;
}

export interface VerifiedResponse extends SearchResponse {
  verification?: Verification;
}

const range = (name: keyof typeof VERIFIER_RANGES) => VERIFIER_RANGES[name].join(' to ');

export function withVerifyOptions(command: Command): Command {
  const { top, requests, characters, seconds } = VERIFIER_DEFAULTS;
  const numbers = {
    top: `results to send (${range('top')}, ${top})`,
    requests: `requests at most (${range('requests')}, ${requests})`,
    characters: `characters to send at most, in all (${characters})`,
    seconds: `seconds for one request (${range('seconds')}, ${seconds})`,
  };
  command
    .option('--verify', 'let a language model check the best results; off when left out')
    .option('--verify-url <address>', 'its OpenAI-compatible API (or set LOCUS_VERIFIER_URL)')
    .option('--verify-model <model>', 'its name there (or set LOCUS_VERIFIER_MODEL)');
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
    const [least, most] = VERIFIER_RANGES[name];
    command.option(`--verify-${name} <count>`, numbers[name], integer(least, most));
  }
  return command.option(
    '--verify-agree',
    'agree to send code of this repository to that address, once for all',
  );
}

/**
 * Null without `--verify`.
 *
 * @throws LocusError `bad-input` when it says neither where nor which model, or no usable address.
 */
export function chooseVerifier(
  options: VerifyCliOptions,
  env: Environment,
): VerifierSettings | null {
  if (!options.verify) return null;
  const address = options.verifyUrl ?? readVariable('LOCUS_VERIFIER_URL', env);
  const model = options.verifyModel ?? readVariable('LOCUS_VERIFIER_MODEL', env);
  if (!address || !model) {
    throw badInput(
      `--verify needs ${address ? 'a model' : 'the address of a language model'}`,
      'give --verify-url and --verify-model, or set LOCUS_VERIFIER_URL and LOCUS_VERIFIER_MODEL',
    );
  }
  endpointOf(address);
  const { top, requests, characters, seconds } = VERIFIER_DEFAULTS;
  return {
    address,
    model,
    top: options.verifyTop ?? top,
    requests: options.verifyRequests ?? requests,
    characters: options.verifyCharacters ?? characters,
    seconds: options.verifySeconds ?? seconds,
  };
}

/**
 * Searches and has the best results verified; `rank` is then the place in the model's order.
 *
 * @throws LocusError `bad-input` when code would leave the machine and nobody agreed to that.
 */
export async function searchVerified(
  repository: Repository,
  request: SearchRequest,
  settings: VerifierSettings,
  options: VerifyCliOptions,
  session: Session,
): Promise<VerifiedResponse> {
  const [{ planVerification, resultsNeeded, verify }, { VerifierFile }, { dataDirectory }] =
    await Promise.all([
      import('../services/verify/verify.ts'),
      import('../services/verify/verifier-file.ts'),
      import('../services/locations.ts'),
    ]);
  const { env, signal } = session.host;
  const limit = request.limit ?? DEFAULT_RESULTS;
  const needed = Math.max(limit, resultsNeeded(settings));
  const response = await repository.search({ ...request, limit: needed });
  const { results } = response;
  if (results.length === 0) return response;
  const folder = dataDirectory(options.dataDir, env);
  const file = new VerifierFile(resolve(folder), env, (note) => session.note(`locus: ${note}`));
  const { root } = response.repository;
  const ranking = { repository, root, issue: request.issue, results };
  const plan = await planVerification(ranking, { settings, file });
  if (!plan.agreed && options.verifyAgree) file.agree(plan.endpoint.origin, root);
  else if (!plan.agreed) throw notAgreed(plan);
  session.note(`locus: ${describePlan(plan)}`);
  const verification = await verify(ranking, { settings, file, signal });
  for (const note of verification.notes) session.note(`locus: ${note}`);
  if (verification.failure) {
    const why = inSentences(verification.failure);
    session.note(`locus: not verified, the engine’s order stays: ${why}`);
  }
  const order = inVerifiedOrder(results, verification).slice(0, limit);
  return {
    ...response,
    results: order.map((result, at) => ({ ...result, rank: at + 1 })),
    verification,
  };
}

function describePlan({ model, endpoint, leaves, chunks, expected, budget }: VerifierPlan): string {
  const where = leaves ? `at ${endpoint.host}, which is not this machine` : `at ${endpoint.host}`;
  return (
    `sending the issue and ${counted(chunks.length, 'result')} to ${model} ${where}: ` +
    `${counted(expected.requests, 'request')}, ${amount(expected.characters)}; ` +
    `at most ${count(budget.requests)} and ${amount(budget.characters)}`
  );
}

const amount = (characters: number) =>
  `${count(characters)} characters (about ${count(tokensOf(characters))} tokens)`;

function notAgreed({ endpoint, chunks, budget }: VerifierPlan): LocusError {
  return badInput(
    `this would send the text of the issue, and paths, names and code of ${chunks.length} or more results, to ${endpoint.host}${endpoint.encrypted ? '' : ', not encrypted'}: up to ${amount(budget.characters)}`,
    'to agree, for this repository and address from now on, add --verify-agree',
  );
}

const LOOKS: Record<Verdict, keyof Pick<Colors, 'green' | 'cyan' | 'dim'>> = {
  edit: 'green',
  context: 'cyan',
  no: 'dim',
};

/** What the model made of a result, in a line below it; empty when it said nothing. */
export function renderVerdict(
  { verdict, reason, from, to }: VerifiedChunk,
  colors: Colors,
  columns: number,
): string[] {
  if (verdict === null) return [];
  const moved = from > to ? ` ↑${from - to}` : from < to ? ` ↓${to - from}` : '';
  const judged = `${verdictTitle(verdict)}${moved}`;
  const said = fit(quoted(reason), Math.max(8, columns - judged.length - 2));
  return [`${colors[LOOKS[verdict]](judged)}  ${said}`];
}

export function renderVerification({ model, host, used, failure }: Verification): string {
  const outcome = failure ? 'not finished: the engine’s order' : 'in the model’s order';
  return ` check  ${named(model)} at ${host}, ${outcome} · ${counted(used.requests, 'request')}, ${amount(used.characters)}`;
}
