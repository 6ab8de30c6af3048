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

/** UTF-16 units of a reason. */
const LONGEST_REASON = 240;
/** Share of files that are not read from which on it is worth a note. */
const MUCH_UNREAD = 0.3;

const { issue, tests, paths, packages } = QUERIES.search.request.shape;

const input = z.object({
  issue: issue
    .min(1)
    .describe('The text of the issue, whole and unedited: title, description, traceback, code'),
  repository: repositoryArgument,
  limit: z.int().min(1).max(20).default(5).describe('Results at most'),
  codeTokens: z
    .int()
    .min(0)
    .max(8000)
    .default(0)
    .describe('Put the code of the first results in, up to so many tokens in all'),
  tests: tests.describe(
    'Tests, examples, docs, vendored and generated code: rank lower, leave out, or take as source',
  ),
  paths: paths.describe("Only files that match one of these globs, as 'src/**'"),
  package: packages.describe(
    'Of a monorepo, only these packages, each by the name in its manifest or by its folder',
  ),
  waitSeconds: z
    .number()
    .min(0)
    .max(60)
    .default(WAIT_S)
    .describe('How long to wait for the index before answering from what is read so far'),
});

const result = place.extend({
  /** Of a monorepo, the one it is of. */
  package: z.string().optional(),
  reason: z.string(),
  code: z.string().optional(),
  /** Lines of the code that did not fit. */
  linesLeftOut: z.number().optional(),
});

const output = z.object({
  repository: z.string(),
  results: z.array(result),
  /** How likely it is that one of the first five is to be edited, 0 to 1; null where nobody can say. */
  confidence: z.number().nullable(),
  partial,
  notes: z.array(z.string()),
});

export const locate = tool({
  name: 'locate',
  title: 'Locate where to edit',
  description:
    `${QUERIES.search.summary} ` +
    'Use it first for a bug report or feature request whose place you do not know; for a known name or string, search the text instead. ' +
    'Then `read` the likely ones. Low confidence or reasons that do not fit: search on by other means.',
  input,
  output,
  async answer({ repository, waitSeconds, codeTokens, package: packages, ...request }, call) {
    if (isIssueLink(request.issue)) throw onlyLink();
    const asked = { ...request, ...(packages && { packages }) };
    return call.ask(repository, waitSeconds, async (opened, freshness) => {
      const response = await opened.search(asked, { signal: call.signal });
      const value = {
        repository: visible(response.repository.root),
        results: await withCode(opened, response.results, codeTokens),
        confidence: freshness.behind === null ? response.confidence : null,
        partial: partialOf(freshness, response.partial),
        notes: await notesOf(opened, response, freshness.notes),
      };
      return { value, text: inWords(value) };
    });
  },
});

/** Its words say nothing of the issue. */
const onlyLink = () =>
  badInput(
    'this is a link to an issue, and nothing is fetched here',
    'give the text of the issue: its title, description, traceback and code',
  );

type Result = z.output<typeof result>;

/** The code of the first results, in their order, until the budget is spent. */
async function withCode(
  repository: Repository,
  ranked: readonly RankedChunk[],
  tokens: number,
): Promise<Result[]> {
  let left = tokens;
  const results: Result[] = [];
  for (const chunk of ranked) {
    const reason = cut(reasons(chunk).map(visible).join('; '), LONGEST_REASON);
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

async function notesOf(
  repository: Repository,
  { issue, results, partial: ranking }: SearchResponse,
  told: readonly string[],
): Promise<string[]> {
  const { unread, files } = await repository.status();
  const others = unread.reduce((sum, kind) => sum + kind.files, 0);
  return [
    ...issue.notes,
    ...told,
    ...(others > MUCH_UNREAD * (others + files) ? [unreadNote(unread, files)] : []),
    ...(results.length === 0 && !ranking ? ['nothing found: search the text instead'] : []),
  ].map((note) => cut(visible(note), LONGEST_REASON));
}

function inWords({
  results,
  confidence,
  partial: missing,
  notes,
}: z.output<typeof output>): string {
  return [
    ...results.flatMap(({ reason, code, linesLeftOut, package: ofPackage, ...chunk }, i) => [
      `${i + 1}. ${inText(chunk)}${ofPackage === undefined ? '' : ` in ${quoted(ofPackage)}`}`,
      ...(reason ? [`   ${reason}`] : []),
      ...(code ? quotedLines(code) : []),
      ...(linesLeftOut ? [`   … ${linesLeftOut} lines more`] : []),
    ]),
    ...(confidence === null
      ? []
      : [`about ${percentSure(confidence)}% sure that one of the first five is to be edited`]),
    ...partialLines(missing),
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}
