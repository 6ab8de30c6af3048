/** Implements `locus search --check`, with which a language model checks the first results. */

import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Environment, readVariable } from '../base/environment.ts';
import type { CheckableRanking } from '../services/check/candidates.ts';
import type { ExportInput } from '../services/exchange/export-input.ts';
import {
  approximateTokens,
  CHECK_DEFAULTS,
  type CheckedChunk,
  type CheckOutcome,
  type CheckPlan,
  type CheckSettings,
  type CheckUsage,
} from '../shared/check.ts';
import { isSetUp, parseEndpoint } from '../shared/check-endpoint.ts';
import { describeChanged, sortByCheck } from '../shared/checked-order.ts';
import { badInput, formatFailure, type LocusError } from '../shared/errors.ts';
import { formatCount, formatCounted } from '../shared/format-count.ts';
import { CHECK_RANGES, DEFAULT_RESULTS } from '../shared/limits.ts';
import { MARK_TITLES } from '../shared/marks.ts';
import { quoteName, quoteText } from '../shared/quote.ts';
import type { QueryTarget } from '../shared/repository.ts';
import type { SearchRequest, SearchResponse } from '../shared/search.ts';
import { encodeWorkspace } from '../shared/workspace.ts';
import { parseInteger, type RepositoryCliOptions } from './options.ts';
import type { Session } from './session.ts';
import { type Colors, truncate } from './terminal.ts';

export interface CheckCliOptions extends RepositoryCliOptions {
  check?: boolean;
  checkUrl?: string;
  checkModel?: string;
  checkCandidates?: number;
  checkCharacters?: number;
  checkContext?: number;
  checkSeconds?: number;
  checkAgain?: boolean;
  checkAgree?: boolean;
}

/** Model and options of a check. */
export interface CheckChoice {
  settings: CheckSettings;
  options: CheckCliOptions;
  /** Folders of a workspace; undefined for a single repository. */
  roots?: readonly string[] | undefined;
}

export interface CheckedResponse extends SearchResponse {
  check?: CheckOutcome;
}

const formatRange = (name: keyof typeof CHECK_RANGES) => CHECK_RANGES[name].join(' to ');

export function withCheckOptions(command: Command): Command {
  const { candidates, characters, context, seconds } = CHECK_DEFAULTS;
  const numbers = {
    candidates: `number of results to check (${formatRange('candidates')}) (default: ${candidates})`,
    characters: `characters of code of each (${formatRange('characters')}) (default: ${characters})`,
    context: `tokens that the model can read at once (default: ${formatCount(context)})`,
    seconds: `timeout of a request, in seconds (${formatRange('seconds')}) (default: ${seconds})`,
  };
  command
    .option('--check', 'let a language model check the first results')
    .option(
      '--check-url <url>',
      'OpenAI-compatible API, agent: or local: and a name (or set LOCUS_CHECK_URL)',
    )
    .option('--check-model <model>', 'name of the model (or set LOCUS_CHECK_MODEL)');
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
    const [least, most] = CHECK_RANGES[name];
    command.option(`--check-${name} <count>`, numbers[name], parseInteger(least, most));
  }
  return command
    .option('--no-check-again', 'never ask the model a second time, with more candidates')
    .option('--check-agree', 'agree, permanently, to send code of what is searched to that URL');
}

/**
 * Returns the settings of the check; null without `--check`. A model that was set up in the window is used unless another is given.
 *
 * @throws LocusError `bad-input` without a URL or a model, or for an invalid URL
 */
export async function readCheckSettings(
  options: CheckCliOptions,
  env: Environment,
): Promise<CheckSettings | null> {
  if (!options.check) return null;
  const given = options.checkUrl ?? readVariable('LOCUS_CHECK_URL', env);
  const defaults = given ? CHECK_DEFAULTS : await readWindowSettings(options, env);
  const address = given ?? defaults.address;
  const model = options.checkModel ?? (readVariable('LOCUS_CHECK_MODEL', env) || defaults.model);
  if (!isSetUp({ address, model })) {
    throw badInput(
      `--check needs ${address ? 'the name' : 'the URL'} of a language model.`,
      'For Ollama: --check-url http://127.0.0.1:11434/v1 --check-model <name>, or set LOCUS_CHECK_URL and LOCUS_CHECK_MODEL. For an agent that you are signed in to: --check-url agent:claude. For a model added with locus models add: --check-url local:<name>.',
    );
  }
  parseEndpoint(address);
  return {
    ...defaults,
    address,
    model,
    candidates: options.checkCandidates ?? defaults.candidates,
    characters: options.checkCharacters ?? defaults.characters,
    context: options.checkContext ?? defaults.context,
    seconds: options.checkSeconds ?? defaults.seconds,
    lookAgain: options.checkAgain !== false && defaults.lookAgain,
  };
}

/** Returns the settings of the window; the defaults if no model is set up there. */
async function readWindowSettings(
  { dataDir }: CheckCliOptions,
  env: Environment,
): Promise<CheckSettings> {
  const [{ readStoredSetting }, { getDataDirectory }] = await Promise.all([
    import('../services/stored-setting.ts'),
    import('../services/locations.ts'),
  ]);
  return readStoredSetting('check', getDataDirectory(dataDir, env)) ?? CHECK_DEFAULTS;
}

/** Asks a model about a ranking. With `root`, the outcome is stored with the issue, see `StoredChecks`. */
export type Checker = (
  ranking: CheckableRanking & { repository: QueryTarget },
  root?: string,
) => Promise<CheckOutcome>;

/** Prepares checks by a model, whose answers are stored in the data directory or the given file. */
export async function createChecker(
  settings: CheckSettings,
  options: CheckCliOptions & { checkAnswers?: string },
  session: Session,
): Promise<Checker> {
  const [
    { prepareCheck, planCheck, checkRanking },
    { CheckFile },
    { StoredAnswers, ANSWERS_FILE },
    { StoredChecks },
    { checkAndStore },
    { getDataDirectory },
  ] = await Promise.all([
    import('../services/check/check.ts'),
    import('../services/check/check-file.ts'),
    import('../services/check/stored-answers.ts'),
    import('../services/check/stored-checks.ts'),
    import('../services/check/check-and-store.ts'),
    import('../services/locations.ts'),
  ]);
  const { env, signal } = session.host;
  const folder = resolve(getDataDirectory(options.dataDir, env));
  const file = new CheckFile(folder, env, (note) => session.note(`locus: ${note}`));
  const { checkAnswers } = options;
  const answers = new StoredAnswers(checkAnswers ?? join(folder, ANSWERS_FILE), {
    withRequests: checkAnswers !== undefined,
  });
  const checks = new StoredChecks(folder);
  return async (ranking, root) => {
    const prepared = await prepareCheck(ranking, settings, file);
    const plan = await planCheck(ranking, { settings, file, prepared });
    if (!plan.agreed && !options.checkAgree) throw notAgreed(plan);
    for (const lacking of plan.lacking) file.agree(plan.endpoint.origin, lacking);
    session.note(`locus: ${describePlan(plan)}`);
    return session.showText(async (show) => {
      const checkOptions = {
        ...{ settings, file, answers, signal, prepared },
        onProgress: ({ received = 0 }: CheckUsage) =>
          show(`${quoteName(plan.model)}: answer of ${formatCount(received)} characters so far`),
      };
      if (root === undefined) return checkRanking(ranking, checkOptions);
      const { repository, issue } = ranking;
      const earlier = await checks.find({ root, issue }, repository);
      const changed = earlier && describeChanged(earlier);
      if (changed)
        session.note(`locus: The check of ${formatDay(earlier)} is replaced. ${changed}`);
      return checkAndStore(ranking, checkOptions, { checks, root });
    });
  };
}

const formatDay = ({ checkedAt }: CheckOutcome): string => checkedAt.slice(0, 10);

/**
 * Searches and checks the first results. The results keep their order, see `applyCheck`.
 *
 * @param roots folders of a workspace; undefined for a single repository
 * @throws LocusError `bad-input` if code would leave the machine and the user did not agree
 */
export async function searchAndCheck(
  repository: QueryTarget,
  request: SearchRequest,
  { settings, options, roots }: CheckChoice,
  session: Session,
): Promise<CheckedResponse> {
  const { MAX_MORE, searchText } = await import('../services/check/look-again.ts');
  const needed = Math.max(request.limit ?? DEFAULT_RESULTS, settings.candidates) + MAX_MORE.next;
  const response = await session.search(repository, { ...request, limit: needed });
  const { results, repositories } = response;
  if (results.length === 0) return response;
  const { root } = response.repository;
  const checkList = await createChecker(settings, options, session);
  const check = await checkList(
    {
      ...{ repository, root, repositories, results },
      issue: request.issue,
      frames: response.issue.frames,
      search: searchText(repository, request),
    },
    roots ? encodeWorkspace(roots) : root,
  );
  for (const note of check.notes) session.note(`locus: ${note}`);
  if (check.failure) {
    const why = formatFailure(check.failure);
    session.note(`locus: Not checked. The original order stays. ${why}`);
  }
  return { ...response, check };
}

/** Puts the results into the checked order, cut to the limit; `rank` is then the rank in that order. */
export function applyCheck(
  { results, ...response }: CheckedResponse,
  limit = DEFAULT_RESULTS,
): CheckedResponse {
  const order = sortByCheck(results, response.check ?? { chunks: [] }).slice(0, limit);
  return { ...response, results: order.map((result, i) => ({ ...result, rank: i + 1 })) };
}

/** Returns the list to export: in the checked order, with the ranks in it beside those before. */
export function exportChecked(
  { check, results, ...response }: CheckedResponse,
  limit = DEFAULT_RESULTS,
): Pick<ExportInput, 'response' | 'ranks' | 'check'> {
  if (!check || check.failure)
    return { response: { ...response, results: results.slice(0, limit) } };
  const order = sortByCheck(results, check).slice(0, limit);
  return {
    response: { ...response, results: order },
    ranks: new Map(order.map(({ address }, i) => [address, i + 1])),
    check: { ...check, isApplied: true },
  };
}

function describePlan({ model, place, chunks, more, expected, budget }: CheckPlan): string {
  return (
    `Sending the issue and ${formatCounted(chunks.length, 'result')} to ${model} ${place}: ` +
    `${formatCounted(expected.requests, 'request')}, ${formatAmount(expected.characters)}. ` +
    (more > 0 ? `If it misses code, a second request adds up to ${more} functions. ` : '') +
    `Limit: ${formatCounted(budget.requests, 'request')}, ${formatAmount(budget.characters)}.`
  );
}

const formatAmount = (characters: number) =>
  `${formatCount(characters)} characters (about ${formatCount(approximateTokens(characters))} tokens)`;

function notAgreed({ endpoint, chunks, budget, lacking }: CheckPlan): LocusError {
  return badInput(
    `This would send the issue, and the paths, names and code of at least ${chunks.length} results, from ${lacking.join(' and ')}, to ${endpoint.host}${endpoint.isEncrypted ? '' : ', unencrypted'}: up to ${formatAmount(budget.characters)}.`,
    `To agree permanently, for ${lacking.length > 1 ? 'these repositories' : 'this repository'} and that URL, add --check-agree.`,
  );
}

/** Returns what the model says of a result, as a line below it; empty if the fix does not edit it. */
export function renderChecked(
  { isEdit, reason, from, to }: CheckedChunk,
  colors: Colors,
  columns: number,
): string[] {
  if (!isEdit) return [];
  const moved =
    from === null ? ' added' : from > to ? ` ↑${from - to}` : from < to ? ` ↓${to - from}` : '';
  const judged = `${MARK_TITLES.edit}${moved}`;
  const quotedReason = truncate(quoteText(reason), Math.max(8, columns - judged.length - 2));
  return [`${colors.green(judged)}  ${quotedReason}`];
}

export function renderCheck({ model, place, used, failure }: CheckOutcome): string {
  const outcome = failure ? 'not finished, original order' : 'checked order';
  const { requests, characters, tokens } = used;
  const amount =
    tokens === undefined
      ? formatAmount(characters)
      : `${formatCount(characters)} characters (${formatCount(tokens)} tokens with the answer)`;
  return ` check  ${quoteName(model)} ${place}, ${outcome} · ${formatCounted(requests, 'request')}, ${amount}`;
}
