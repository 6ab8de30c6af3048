import { z } from 'zod';
import { describeCheck } from '../../services/exchange/list-check.ts';
import type { Freshness } from '../../services/keeper/on-demand-repository.ts';
import { CHECK_DEFAULTS, type CheckOutcome } from '../../shared/check.ts';
import { countUnchecked, sortByCheck } from '../../shared/checked-order.ts';
import { badInput } from '../../shared/errors.ts';
import { isIssueUrl } from '../../shared/issue-url.ts';
import { QUERIES } from '../../shared/queries.ts';
import { escapeHidden } from '../../shared/quote.ts';
import type { Repository } from '../../shared/repository.ts';
import { roundConfidence, type SearchResponse } from '../../shared/search.ts';
import { describeUnsupported } from '../../shared/unsupported.ts';
import {
  CHARACTERS_PER_TOKEN,
  cutSentence,
  describePartial,
  formatPartial,
  type PartialAnswer,
} from '../answer.ts';
import { checkWithClient } from '../check.ts';
import { formatImpact, isDiff } from '../locate/impact.ts';
import { buildRows, type LocatedRow } from '../locate/rows.ts';
import { formatRows, measureHead } from '../locate/text.ts';
import { DEFAULT_WAIT_S, defineTool, repositoryArgument, type ToolCall } from '../tool.ts';

/** Maximum length of a note, in UTF-16 units. */
const MAX_NOTE = 240;
/** Share of files in unsupported languages above which the answer has a note. */
const UNSUPPORTED_SHARE = 0.3;
const MAX_LIMIT = 30;
/** Number of results beyond the limit that are searched, because look-alikes take one row together. */
const SPARE = 10;
/** Characters left for the lines after the rows. */
const TAIL = 300;

const { issue, tests, paths, packages } = QUERIES.search.request.shape;

const input = z.object({
  query: issue
    .min(1)
    .describe(
      'Full text of an issue, failing test, traceback, review comment or question; or a diff',
    ),
  repository: repositoryArgument,
  limit: z.int().min(1).max(MAX_LIMIT).default(20),
  maxTokens: z.int().min(300).max(16_000).default(1500).describe('Size of the answer'),
  tests: tests.describe('Tests, examples, docs and generated code'),
  paths: paths.describe("Globs such as 'src/**'"),
  package: packages.describe('Packages of a monorepo'),
  check: z.boolean().default(false).describe('Let your own model check the results (sampling)'),
  waitSeconds: z.number().min(0).max(60).default(DEFAULT_WAIT_S).describe('Wait for the index'),
});

interface LocateAnswer {
  repository: string;
  results: LocatedRow[];
  /** Number of results that did not fit. */
  omittedResults: number;
  /** Language model that checked this list, whose order it then has; null for none. */
  checkedBy: string | null;
  /** Probability, 0 to 1, that the fix edits one of the first five; null if unknown. */
  confidence: number | null;
  partial: PartialAnswer;
  notes: string[];
}

export const locate = defineTool({
  name: 'locate',
  title: 'Find where to edit',
  description:
    'Ranks the functions that a fix edits, with the lines that matter, callers, callees and tests. ' +
    'Use it first if you do not know where to edit. For a diff: what else to change, and tests to run. `grep` is better for a known name or message.',
  input,
  async answer({ query, repository, waitSeconds, maxTokens, package: packages, ...request }, call) {
    const { check: wantsCheck, limit, ...filters } = request;
    if (isIssueUrl(query)) throw cannotFetch();
    if (isDiff(query))
      return answerImpact(query, { repository, waitSeconds, limit, maxTokens }, call);
    const search = { ...filters, issue: query, ...(packages && { packages }) };
    const answerFrom = async (opened: Repository, freshness: Freshness) => {
      const stored = wantsCheck ? null : await call.findCheck(query, opened);
      const found = Math.max(
        limit + SPARE,
        wantsCheck ? CHECK_DEFAULTS.candidates : 0,
        stored?.chunks.length ?? 0,
      );
      const response = await opened.search(
        { ...search, limit: found },
        { signal: call.signal, onProgress: call.onProgress },
      );
      const asked = wantsCheck ? await checkWithClient(call, opened, query, response) : null;
      const current = stored && isCurrent(response, stored) ? stored : null;
      const check = asked?.outcome ?? current;
      const results = check ? sortByCheck(response.results, check) : response.results;
      const tokens = maxTokens - TAIL / CHARACTERS_PER_TOKEN;
      const { rows, omitted } = await buildRows(
        opened,
        { ...response, results },
        { limit, tokens, checked: check?.chunks ?? [], measureHead },
      );
      const value: LocateAnswer = {
        repository: escapeHidden(response.repository.root),
        results: rows,
        omittedResults: omitted,
        checkedBy: check && escapeHidden(describeCheck({ ...check, order: 'checked' })),
        // Confidence is about the order without a check.
        confidence: freshness.behind === null && !check ? response.confidence : null,
        partial: describePartial(freshness, response.partial),
        notes: await collectNotes(opened, response, [...freshness.notes, ...(asked?.notes ?? [])]),
      };
      return { value, text: formatText(value) };
    };
    return call.ask(repository, waitSeconds, answerFrom, query);
  },
});

/** Answers what a diff may have missed. */
function answerImpact(
  diff: string,
  {
    repository,
    waitSeconds,
    limit,
    maxTokens,
  }: Pick<z.output<typeof input>, 'repository' | 'waitSeconds' | 'limit' | 'maxTokens'>,
  call: ToolCall,
) {
  return call.ask(repository, waitSeconds, async (opened, freshness) => {
    const { signal } = call;
    const impact = await opened.impact({ diff, limit, tests: limit }, { signal });
    const partial = describePartial(freshness);
    const lines = [formatImpact(impact, maxTokens), ...formatPartial(partial)];
    return { value: { impact, partial }, text: lines.join('\n') };
  });
}

/** Returns true if a check is about this list, and about the code as it is now. */
const isCurrent = ({ results }: SearchResponse, check: CheckOutcome): boolean =>
  check.chunks.every(({ isChanged }) => !isChanged) && countUnchecked(results, check) === 0;

const cannotFetch = () =>
  badInput(
    'This is the URL of an issue. The server does not fetch issues.',
    'Pass the text of the issue: its title, description, traceback and code.',
  );

async function collectNotes(
  repository: Repository,
  { issue, results, partial: ranking }: SearchResponse,
  freshnessNotes: readonly string[],
): Promise<string[]> {
  const { unread, files } = await repository.status();
  const others = unread.reduce((sum, kind) => sum + kind.files, 0);
  return [
    ...issue.notes,
    ...freshnessNotes,
    ...(others > UNSUPPORTED_SHARE * (others + files) ? [describeUnsupported(unread, files)] : []),
    ...(results.length === 0 && !ranking ? ['Nothing found. Use text search instead.'] : []),
  ].map((note) => cutSentence(escapeHidden(note), MAX_NOTE));
}

function formatText(value: LocateAnswer): string {
  const { results, omittedResults, checkedBy, confidence, partial: missing, notes } = value;
  const chance = confidence === null ? '' : `about ${roundConfidence(confidence)}%`;
  return [
    ...formatRows(results),
    ...(omittedResults > 0 ? [`… ${omittedResults} more: use a larger maxTokens`] : []),
    ...(chance ? [`confidence: ${chance} that the fix edits one of the first five`] : []),
    ...(checkedBy === null ? [] : [`check: ${checkedBy}`]),
    ...formatPartial(missing),
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}
