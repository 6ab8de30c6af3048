import { z } from 'zod';
import { badInput } from '../../shared/errors.ts';
import { reasons } from '../../shared/evidence.ts';
import { isIssueLink } from '../../shared/issue-link.ts';
import { QUERIES } from '../../shared/queries.ts';
import { quoted, quotedLines, visible } from '../../shared/quoted.ts';
import type { Repository } from '../../shared/repository.ts';
import { percentSure, type RankedChunk, type SearchResponse } from '../../shared/search.ts';
import { unreadNote } from '../../shared/unread.ts';
import {
  cut,
  firstLines,
  formatLocation,
  inText,
  partial,
  partialLines,
  partialOf,
  place,
} from '../answer.ts';
import { repositoryArgument, tool, WAIT_S } from '../tool.ts';

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
  waitSeconds: z
    .number()
    .min(0)
    .max(60)
    .default(WAIT_S)
    .describe('Seconds to wait for the index before answering from the part that is indexed'),
});

const result = place.extend({
  /** Package of a monorepo. */
  package: z.string().optional(),
  reason: z.string(),
  code: z.string().optional(),
  /** Number of lines of code that did not fit. */
  linesLeftOut: z.number().optional(),
});

const output = z.object({
  repository: z.string(),
  results: z.array(result),
  /** Probability, 0 to 1, that the fix edits one of the first five; null if unknown. */
  confidence: z.number().nullable(),
  partial,
  notes: z.array(z.string()),
});

export const locate = tool({
  name: 'locate',
  title: 'Locate functions to edit',
  description:
    `${QUERIES.search.summary} ` +
    'Use it first if you do not know where a bug report or feature request belongs; for a known name or string, use text search. ' +
    'Then `read` the likely ones. If confidence is low or no reason fits, search by other means.',
  input,
  output,
  async answer({ repository, waitSeconds, codeTokens, package: packages, ...request }, call) {
    if (isIssueLink(request.issue)) throw cannotFetch();
    const query = { ...request, ...(packages && { packages }) };
    return call.ask(repository, waitSeconds, async (opened, freshness) => {
      const response = await opened.search(query, { signal: call.signal });
      const value = {
        repository: visible(response.repository.root),
        results: await withCode(opened, response.results, codeTokens),
        confidence: freshness.behind === null ? response.confidence : null,
        partial: partialOf(freshness, response.partial),
        notes: await collectNotes(opened, response, freshness.notes),
      };
      return { value, text: formatText(value) };
    });
  },
});

const cannotFetch = () =>
  badInput(
    'This is the URL of an issue. The server does not fetch issues.',
    'Pass the text of the issue: its title, description, traceback and code.',
  );

type Result = z.output<typeof result>;

/** Adds code to the first results, in order, until the budget of tokens is spent. */
async function withCode(
  repository: Repository,
  ranked: readonly RankedChunk[],
  tokens: number,
): Promise<Result[]> {
  let left = tokens;
  const results: Result[] = [];
  for (const chunk of ranked) {
    const reason = cut(reasons(chunk).map(visible).join('; '), MAX_REASON);
    const one: Result = { ...formatLocation(chunk), reason };
    if (chunk.package !== undefined) one.package = visible(chunk.package);
    if (left > 0) {
      const { code } = await repository.show({ chunk: chunk.address });
      const first = firstLines(code, left);
      left -= first.tokens;
      if (first.text !== '') one.code = first.text;
      if (first.left > 0) {
        one.linesLeftOut = first.left;
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
    ...(others > UNSUPPORTED_SHARE * (others + files) ? [unreadNote(unread, files)] : []),
    ...(results.length === 0 && !ranking ? ['Nothing found. Use text search instead.'] : []),
  ].map((note) => cut(visible(note), MAX_REASON));
}

function formatText({
  results,
  confidence,
  partial: missing,
  notes,
}: z.output<typeof output>): string {
  return [
    ...results.flatMap(({ reason, code, linesLeftOut, package: packageName, ...chunk }, i) => [
      `${i + 1}. ${inText(chunk)}${packageName === undefined ? '' : ` in ${quoted(packageName)}`}`,
      ...(reason ? [`   ${reason}`] : []),
      ...(code ? quotedLines(code) : []),
      ...(linesLeftOut ? [`   … ${linesLeftOut} more lines`] : []),
    ]),
    ...(confidence === null
      ? []
      : [`confidence: about ${percentSure(confidence)}% that the fix edits one of the first five`]),
    ...partialLines(missing),
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}
