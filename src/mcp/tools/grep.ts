import { z } from 'zod';
import { formatCounted } from '../../shared/format-count.ts';
import type { GrepResponse, MatchingLine } from '../../shared/grep.ts';
import { MAX_GREP_RESULTS } from '../../shared/limits.ts';
import { QUERIES } from '../../shared/queries.ts';
import { escapeHidden, quoteText } from '../../shared/quote.ts';
import {
  CHARACTERS_PER_TOKEN,
  type ChunkLocation,
  describePartial,
  formatLocation,
  formatPartial,
  measureText,
  type PartialAnswer,
  takeFitting,
} from '../answer.ts';
import { formatNumberedLines, type NumberedLine, toNumberedLine } from '../numbered-lines.ts';
import { DEFAULT_WAIT_S, defineTool, repositoryArgument } from '../tool.ts';

const { pattern, isRegex, ignoreCase, paths } = QUERIES.grep.request.shape;
/** Number of files whose lines outside functions are shown. They are mostly imports. */
const MAX_FILES = 3;
/** Characters left for the lines after the matches. */
const TAIL = 150;

const input = z.object({
  pattern,
  repository: repositoryArgument,
  isRegex: isRegex.describe('Regular expression instead of exact text'),
  ignoreCase,
  paths: paths.describe("Globs such as 'src/**'"),
  limit: z.int().min(1).max(MAX_GREP_RESULTS).default(20),
  maxTokens: z.int().min(200).max(16_000).default(2000).describe('Size of the answer'),
});

interface MatchingFunction extends ChunkLocation {
  lines: NumberedLine[];
  omittedLines: number;
}

interface GrepAnswer {
  functions: MatchingFunction[];
  /** Matches outside functions. */
  files: Pick<MatchingFunction, 'path' | 'lines' | 'omittedLines'>[];
  total: GrepResponse['total'];
  note: string | null;
  partial: PartialAnswer;
}

export const grep = defineTool({
  name: 'grep',
  title: 'Find text',
  description:
    'Exact text or a regular expression in the indexed files, grouped by function: definitions and source first.',
  input,
  async answer({ repository, maxTokens, ...request }, call) {
    return call.ask(repository, DEFAULT_WAIT_S, async (opened, freshness) => {
      const found = await opened.grep(request, { signal: call.signal });
      const value: GrepAnswer = {
        functions: found.functions.map(({ lines, hidden, ...chunk }) => ({
          ...formatLocation(chunk),
          lines: numberLines(lines),
          omittedLines: hidden,
        })),
        files: found.files.map(({ path, lines, hidden }) => ({
          path: escapeHidden(path),
          lines: numberLines(lines),
          omittedLines: hidden,
        })),
        total: found.total,
        note: found.note && escapeHidden(found.note),
        partial: describePartial(freshness),
      };
      return { value, text: formatText(value, maxTokens * CHARACTERS_PER_TOKEN - TAIL) };
    });
  },
});

const numberLines = (lines: readonly MatchingLine[]): NumberedLine[] => lines.map(toNumberedLine);

/** @param most maximum number of characters of the matches */
function formatText({ functions, files, total, note, partial }: GrepAnswer, most: number): string {
  const byPath = [...Map.groupBy(functions, ({ path }) => path)];
  const groups = [
    ...byPath.flatMap(([path, own]) =>
      own.map((one, at) => [...(at === 0 ? [quoteText(path)] : []), ...formatFunction(one)]),
    ),
    ...files
      .slice(0, MAX_FILES)
      .map(({ path, lines, omittedLines }) => [
        `${quoteText(path)}, outside functions`,
        ...formatNumberedLines(lines),
        ...formatOmitted(omittedLines),
      ]),
    ...files
      .slice(MAX_FILES)
      .map(({ path, lines, omittedLines }) => [
        `${quoteText(path)}, outside functions: ${formatCounted(lines.length + omittedLines, 'line')}`,
      ]),
  ];
  const fitting = takeFitting(groups, (group) => measureText(group.join('\n')), most);
  const omitted = total.functions + total.outside - fitting.length;
  return [
    ...fitting.flat(),
    ...(omitted > 0 ? [`… ${omitted} more: use paths, a larger limit or maxTokens`] : []),
    total.matches === 0
      ? `Nothing found in ${formatCounted(total.searched, 'file')}.`
      : `${formatCounted(total.matches, 'match', 'matches')} in ${formatCounted(total.functions, 'function')}, ${formatCounted(total.files, 'file')}`,
    ...(note === null ? [] : [`note: ${note}`]),
    ...formatPartial(partial),
  ].join('\n');
}

function formatFunction({ name, kind, startLine, endLine, lines, omittedLines }: MatchingFunction) {
  return [
    `${quoteText(name)} (${kind}, ${startLine}-${endLine})`,
    ...formatNumberedLines(lines),
    ...formatOmitted(omittedLines),
  ];
}

const formatOmitted = (lines: number): string[] =>
  lines > 0 ? [`  … ${formatCounted(lines, 'more line')}`] : [];
