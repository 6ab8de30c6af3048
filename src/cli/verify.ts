/** Implements `locus search --verify`, with which a language model checks the first results. */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Environment, readVariable } from '../base/environment.ts';
import { badInput, formatFailure, type LocusError } from '../shared/errors.ts';
import { formatCount, formatCounted } from '../shared/format-count.ts';
import { DEFAULT_RESULTS, VERIFIER_RANGES } from '../shared/limits.ts';
import { quoteName, quoteText } from '../shared/quote.ts';
import type { Repository } from '../shared/repository.ts';
import type { SearchRequest, SearchResponse } from '../shared/search.ts';
import {
  approximateTokens,
  getVerdictTitle,
  parseEndpoint,
  sortByVerdict,
  VERIFIER_DEFAULTS,
  type Verdict,
  type Verification,
  type VerifiedChunk,
  type VerifierPlan,
  type VerifierSettings,
} from '../shared/verifier.ts';
import { parseInteger, type RepositoryCliOptions } from './options.ts';
import type { Session } from './session.ts';
import { type Colors, truncate } from './terminal.ts';

export interface VerifyCliOptions extends RepositoryCliOptions {
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

const formatRange = (name: keyof typeof VERIFIER_RANGES) => VERIFIER_RANGES[name].join(' to ');

export function withVerifyOptions(command: Command): Command {
  const { top, requests, characters, seconds } = VERIFIER_DEFAULTS;
  const numbers = {
    top: `number of results to check (${formatRange('top')}) (default: ${top})`,
    requests: `maximum number of requests (${formatRange('requests')}) (default: ${requests})`,
    characters: `maximum number of characters to send in total (default: ${characters})`,
    seconds: `timeout of a request, in seconds (${formatRange('seconds')}) (default: ${seconds})`,
  };
  command
    .option('--verify', 'let a language model check the first results')
    .option('--verify-url <url>', 'OpenAI-compatible API of the model (or set LOCUS_VERIFIER_URL)')
    .option('--verify-model <model>', 'name of the model (or set LOCUS_VERIFIER_MODEL)');
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
    const [least, most] = VERIFIER_RANGES[name];
    command.option(`--verify-${name} <count>`, numbers[name], parseInteger(least, most));
  }
  return command.option(
    '--verify-agree',
    'agree, permanently, to send code of this repository to that URL',
  );
}

/**
 * Returns the settings of the verifier; null without `--verify`.
 *
 * @throws LocusError `bad-input` without a URL or a model, or for an invalid URL
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
      `--verify needs ${address ? 'the name' : 'the URL'} of a language model.`,
      'Give --verify-url and --verify-model, or set LOCUS_VERIFIER_URL and LOCUS_VERIFIER_MODEL.',
    );
  }
  parseEndpoint(address);
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
 * Searches and verifies the first results; `rank` is then the rank in the verified order.
 *
 * @throws LocusError `bad-input` if code would leave the machine and the user did not agree
 */
export async function searchVerified(
  repository: Repository,
  request: SearchRequest,
  settings: VerifierSettings,
  options: VerifyCliOptions,
  session: Session,
): Promise<VerifiedResponse> {
  const [
    { planVerification, countResultsNeeded, verifyRanking },
    { VerifierFile },
    { getDataDirectory },
  ] = await Promise.all([
    import('../services/verify/verify.ts'),
    import('../services/verify/verifier-file.ts'),
    import('../services/locations.ts'),
  ]);
  const { env, signal } = session.host;
  const limit = request.limit ?? DEFAULT_RESULTS;
  const needed = Math.max(limit, countResultsNeeded(settings));
  const response = await session.search(repository, { ...request, limit: needed });
  const { results } = response;
  if (results.length === 0) return response;
  const folder = getDataDirectory(options.dataDir, env);
  const file = new VerifierFile(resolve(folder), env, (note) => session.note(`locus: ${note}`));
  const { root } = response.repository;
  const ranking = { repository, root, issue: request.issue, results };
  const plan = await planVerification(ranking, { settings, file });
  if (!plan.agreed && options.verifyAgree) file.agree(plan.endpoint.origin, root);
  else if (!plan.agreed) throw notAgreed(plan);
  session.note(`locus: ${describePlan(plan)}`);
  const verification = await verifyRanking(ranking, { settings, file, signal });
  for (const note of verification.notes) session.note(`locus: ${note}`);
  if (verification.failure) {
    const why = formatFailure(verification.failure);
    session.note(`locus: Not verified. The original order stays. ${why}`);
  }
  const order = sortByVerdict(results, verification).slice(0, limit);
  return {
    ...response,
    results: order.map((result, i) => ({ ...result, rank: i + 1 })),
    verification,
  };
}

function describePlan({
  model,
  endpoint,
  isExternal,
  chunks,
  expected,
  budget,
}: VerifierPlan): string {
  const where = isExternal ? `at ${endpoint.host} (not this machine)` : `at ${endpoint.host}`;
  return (
    `Sending the issue and ${formatCounted(chunks.length, 'result')} to ${model} ${where}: ` +
    `${formatCounted(expected.requests, 'request')}, ${formatAmount(expected.characters)}. ` +
    `Limit: ${formatCounted(budget.requests, 'request')}, ${formatAmount(budget.characters)}.`
  );
}

const formatAmount = (characters: number) =>
  `${formatCount(characters)} characters (about ${formatCount(approximateTokens(characters))} tokens)`;

function notAgreed({ endpoint, chunks, budget }: VerifierPlan): LocusError {
  return badInput(
    `This would send the issue, and the paths, names and code of at least ${chunks.length} results, to ${endpoint.host}${endpoint.isEncrypted ? '' : ', unencrypted'}: up to ${formatAmount(budget.characters)}.`,
    'To agree permanently, for this repository and URL, add --verify-agree.',
  );
}

const VERDICT_COLORS: Record<Verdict, keyof Pick<Colors, 'green' | 'cyan' | 'dim'>> = {
  edit: 'green',
  context: 'cyan',
  no: 'dim',
};

/** Returns the model's verdict as a line below a result; empty without one. */
export function renderVerdict(
  { verdict, reason, from, to }: VerifiedChunk,
  colors: Colors,
  columns: number,
): string[] {
  if (verdict === null) return [];
  const moved = from > to ? ` ↑${from - to}` : from < to ? ` ↓${to - from}` : '';
  const judged = `${getVerdictTitle(verdict)}${moved}`;
  const quotedReason = truncate(quoteText(reason), Math.max(8, columns - judged.length - 2));
  return [`${colors[VERDICT_COLORS[verdict]](judged)}  ${quotedReason}`];
}

export function renderVerification({ model, host, used, failure }: Verification): string {
  const outcome = failure ? 'not finished, original order' : 'verified order';
  return ` check  ${quoteName(model)} at ${host}, ${outcome} · ${formatCounted(used.requests, 'request')}, ${formatAmount(used.characters)}`;
}
