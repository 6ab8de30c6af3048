import { z } from 'zod';
import { describeCheck } from '../../services/exchange/list-check.ts';
import { CHECK_DEFAULTS, type CheckedChunk, type CheckOutcome } from '../../shared/check.ts';
import { countUnchecked, sortByCheck } from '../../shared/checked-order.ts';
import { badInput } from '../../shared/errors.ts';
import { listReasons } from '../../shared/evidence.ts';
import { isIssueUrl } from '../../shared/issue-url.ts';
import { QUERIES } from '../../shared/queries.ts';
import { escapeHidden, quoteLines, quoteText } from '../../shared/quote.ts';
import type { Repository } from '../../shared/repository.ts';
import { type RankedChunk, roundConfidence, type SearchResponse } from '../../shared/search.ts';
import { describeUnsupported } from '../../shared/unsupported.ts';
import {
  chunkLocation,
  cutCode,
  cutSentence,
  describePartial,
  formatChunkName,
  formatLocation,
  formatPartial,
  partialAnswer,
} from '../answer.ts';
import { checkWithClient } from '../check.ts';
import { DEFAULT_WAIT_S, defineTool, repositoryArgument } from '../tool.ts';

/** Maximum length of a reason, in UTF-16 units. */
const MAX_REASON = 240;
/** Share of files in unsupported languages above which the answer has a note. */
const UNSUPPORTED_SHARE = 0.3;

const { issue, tests, paths, packages } = QUERIES.search.request.shape;

const input = z.object({
  issue: issue
    .min(1)
    .describe('Full, unedited text of the issue: title, description, traceback, code'),
  repository: repositoryArgument,
  limit: z.int().min(1).max(20).default(5).describe('Maximum number of results'),
  codeTokens: z
    .int()
    .min(0)
    .max(8000)
    .default(0)
    .describe('Include the code of the first results, up to this many tokens in total'),
  tests: tests.describe(
    'Demote, exclude or include tests, examples, docs, vendored and generated code',
  ),
  paths: paths.describe("Only files that match one of these globs, such as 'src/**'"),
  package: packages.describe(
    'Only these packages of a monorepo, each by its name in the manifest or by its folder',
  ),
  check: z
    .boolean()
    .default(false)
    .describe('Let your own model check the first 20 results (MCP sampling)'),
  waitSeconds: z
    .number()
    .min(0)
    .max(60)
    .default(DEFAULT_WAIT_S)
    .describe('Seconds to wait for the index before answering from the part that is indexed'),
});

const result = chunkLocation.extend({
  /** Package of a monorepo. */
  package: z.string().optional(),
  reason: z.string(),
  /** Verdict of the language model that checked the list. */
  check: z.object({ edit: z.boolean(), reason: z.string() }).optional(),
  code: z.string().optional(),
  /** Number of lines of code that did not fit. */
  omittedLines: z.number().optional(),
});

const output = z.object({
  repository: z.string(),
  results: z.array(result),
  /** Language model that checked this list, whose order it then has; null for none. */
  checkedBy: z.string().nullable(),
  /** Probability, 0 to 1, that the fix edits one of the first five; null if unknown. */
  confidence: z.number().nullable(),
  partial: partialAnswer,
  notes: z.array(z.string()),
});

export const locate = defineTool({
  name: 'locate',
  title: 'Locate functions to edit',
  description:
    `${QUERIES.search.summary} ` +
    'Use it first if you do not know where a bug report or feature request belongs; for a known name or string, use text search. ' +
    'Then `read` the likely ones. If confidence is low or no reason fits, search by other means.',
  input,
  output,
  async answer({ repository, waitSeconds, codeTokens, package: packages, ...request }, call) {
    const { check: wantsCheck, ...search } = request;
    if (isIssueUrl(request.issue)) throw cannotFetch();
    const { limit } = request;
    const query = {
      ...search,
      ...(packages && { packages }),
      limit: wantsCheck ? Math.max(limit, CHECK_DEFAULTS.candidates) : limit,
    };
    return call.ask(repository, waitSeconds, async (opened, freshness) => {
      const stored = wantsCheck ? null : await call.findCheck(request.issue, opened);
      const response = await opened.search(
        { ...query, limit: Math.max(query.limit, stored?.chunks.length ?? 0) },
        { signal: call.signal, onProgress: call.onProgress },
      );
      const asked = wantsCheck
        ? await checkWithClient(call, opened, request.issue, response)
        : null;
      const current = stored && isCurrent(response, stored) ? stored : null;
      const check = asked?.outcome ?? current;
      const ranked = check ? sortByCheck(response.results, check) : response.results;
      const value = {
        repository: escapeHidden(response.repository.root),
        results: await describeResults(opened, ranked.slice(0, limit), codeTokens, check?.chunks),
        checkedBy: check && escapeHidden(describeCheck({ ...check, order: 'checked' })),
        // Confidence is about the order without a check.
        confidence: freshness.behind === null && !check ? response.confidence : null,
        partial: describePartial(freshness, response.partial),
        notes: await collectNotes(opened, response, [...freshness.notes, ...(asked?.notes ?? [])]),
      };
      return { value, text: formatText(value) };
    });
  },
});

/** Returns true if a check is about this list, and about the code as it is now. */
const isCurrent = ({ results }: SearchResponse, check: CheckOutcome): boolean =>
  check.chunks.every(({ isChanged }) => !isChanged) && countUnchecked(results, check) === 0;

const cannotFetch = () =>
  badInput(
    'This is the URL of an issue. The server does not fetch issues.',
    'Pass the text of the issue: its title, description, traceback and code.',
  );

type Result = z.output<typeof result>;

/** Describes results, with the code of the first ones, in order, until the budget of tokens is spent. */
async function describeResults(
  repository: Repository,
  ranked: readonly RankedChunk[],
  tokens: number,
  checked: readonly CheckedChunk[] = [],
): Promise<Result[]> {
  let left = tokens;
  const results: Result[] = [];
  for (const chunk of ranked) {
    const reason = cutSentence(listReasons(chunk).map(escapeHidden).join('; '), MAX_REASON);
    const one: Result = { ...formatLocation(chunk), reason };
    if (chunk.package !== undefined) one.package = escapeHidden(chunk.package);
    const verdict = checked.find(({ address }) => address === chunk.address);
    if (verdict) one.check = { edit: verdict.isEdit, reason: escapeHidden(verdict.reason) };
    if (left > 0) {
      const { code } = await repository.show({ chunk: chunk.address });
      const first = cutCode(code, left);
      left -= first.tokens;
      if (first.text !== '') one.code = first.text;
      if (first.left > 0) {
        one.omittedLines = first.left;
        left = 0;
      }
    }
    results.push(one);
  }
  return results;
}

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
  ].map((note) => cutSentence(escapeHidden(note), MAX_REASON));
}

function formatText({
  results,
  checkedBy,
  confidence,
  partial: missing,
  notes,
}: z.output<typeof output>): string {
  return [
    ...results.flatMap(
      ({ reason, check, code, omittedLines, package: packageName, ...chunk }, i) => [
        `${i + 1}. ${formatChunkName(chunk)}${packageName === undefined ? '' : ` in ${quoteText(packageName)}`}`,
        ...(reason ? [`   ${reason}`] : []),
        ...(check?.edit ? [`   check: edit${check.reason && `, ${quoteText(check.reason)}`}`] : []),
        ...(code ? quoteLines(code) : []),
        ...(omittedLines ? [`   … ${omittedLines} more lines`] : []),
      ],
    ),
    ...(confidence === null
      ? []
      : [
          `confidence: about ${roundConfidence(confidence)}% that the fix edits one of the first five`,
        ]),
    ...(checkedBy === null ? [] : [`check: ${checkedBy}`]),
    ...formatPartial(missing),
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}
