import { Command } from 'commander';
import type { z } from 'zod';
import { assertPresent } from '../../shared/assert-present.ts';
import { formatCount, formatCounted } from '../../shared/format-count.ts';
import type { GrepResponse, MatchingLine } from '../../shared/grep.ts';
import { MAX_GREP_RESULTS } from '../../shared/limits.ts';
import { QUERIES } from '../../shared/queries.ts';
import { escapeHidden, escapeHiddenLines, quoteName } from '../../shared/quote.ts';
import { getShownName } from '../../shared/shown-name.ts';
import { EXIT } from '../exit-codes.ts';
import {
  collectNonEmpty,
  parseInteger,
  type RepositoryCliOptions,
  withDaemonOption,
  withRepositoryOptions,
  withUpdatedRepository,
} from '../options.ts';
import type { RunAction } from '../session.ts';
import { type Colors, padStart } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus grep . parse_cookie                      every function that has this text
  locus grep . --regex 'raise \\w+Error' -i
  locus grep . TIMEOUT --path 'src/**' --at v2.1
  locus grep . -- --verbose                      text that begins with a dash

Source files come first, then functions whose own name matches, then those with the most callers.`;

interface GrepOptions extends RepositoryCliOptions {
  regex?: boolean;
  ignoreCase?: boolean;
  path?: string[];
  limit: number;
  lines: number;
}

export function grepCommand(run: RunAction): Command {
  const { limit, lines } = QUERIES.grep.request.shape;
  return withDaemonOption(withRepositoryOptions(new Command('grep')))
    .argument('<dir>', 'a folder, a git working tree or a bare repository')
    .argument('<pattern>', 'exact text, or with --regex a regular expression')
    .option('--regex', 'take the pattern as a regular expression, as ripgrep does')
    .option('-i, --ignore-case', 'ignore case')
    .option('--path <glob>', 'only these paths; can be repeated', collectNonEmpty)
    .option(
      '-n, --limit <count>',
      `maximum number of functions, and of files with other matches (1 to ${MAX_GREP_RESULTS})`,
      parseInteger(1, MAX_GREP_RESULTS),
      limit.def.defaultValue,
    )
    .option(
      '--lines <count>',
      `maximum number of lines of each (1 to ${getMax(lines)})`,
      parseInteger(1, getMax(lines)),
      lines.def.defaultValue,
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string, pattern: string, options: GrepOptions) =>
      run((session) =>
        withUpdatedRepository(session, dir, options, async (repository) => {
          const { signal } = session.host;
          const response = await repository.grep(toRequest(pattern, options), { signal });
          session.printResult(response, () => renderMatches(response, session.colors));
          return response.total.matches > 0 ? EXIT.ok : EXIT.nothingFound;
        }),
      ),
    );
}

const getMax = (field: z.ZodDefault<z.ZodInt>): number =>
  assertPresent(field.unwrap().maxValue, 'the largest value');

function toRequest(
  pattern: string,
  { regex: isRegex = false, ignoreCase = false, path: paths, limit, lines }: GrepOptions,
): z.input<typeof QUERIES.grep.request> {
  return { pattern, isRegex, ignoreCase, limit, lines, ...(paths && { paths }) };
}

function renderMatches(response: GrepResponse, colors: Colors): string[] {
  const { functions, files, total, note } = response;
  const functionBlocks = functions.map((found) => [
    `${colors.bold(quoteName(getShownName(found)))}  ${quoteName(found.path)}${colors.dim(`:${found.startLine}`)}${describe(found, colors)}`,
    ...renderLines(found, colors),
  ]);
  const fileBlocks = files.map((found) => [
    `${quoteName(found.path)}${colors.dim('  outside functions')}`,
    ...renderLines(found, colors),
  ]);
  const footer = [
    summarize(total),
    ...describeHidden(total.functions - functions.length, total.outside - files.length),
    ...(note === null ? [] : [escapeHidden(note)]),
  ];
  const blocks = [...functionBlocks, ...fileBlocks].flatMap((block) => [...block, '']);
  return [...blocks, ...footer.map(colors.dim)];
}

function describe({ role, callers }: GrepResponse['functions'][number], colors: Colors): string {
  const remarks = [
    ...(role === 'source' ? [] : [role]),
    ...(callers > 0 ? [formatCounted(callers, 'caller')] : []),
  ];
  return remarks.length > 0 ? colors.dim(`  ${remarks.join(', ')}`) : '';
}

function renderLines(
  { lines, hidden }: { lines: readonly MatchingLine[]; hidden: number },
  colors: Colors,
): string[] {
  const digits = String(lines.at(-1)?.line ?? 0).length;
  return [
    ...lines.map(
      ({ line, ...shown }) =>
        `  ${colors.dim(padStart(String(line), digits))} | ${highlight(shown, colors)}`,
    ),
    ...(hidden > 0 ? [colors.dim(`  … ${formatCounted(hidden, 'more line')}`)] : []),
  ];
}

/** Returns the text of a line, with its matches colored. */
function highlight({ text, spans }: Pick<MatchingLine, 'text' | 'spans'>, colors: Colors): string {
  let end = 0;
  const parts = spans.map(([from, to]) => {
    const before = escapeHiddenLines(text.slice(end, from));
    end = to;
    return before + colors.red(escapeHiddenLines(text.slice(from, to)));
  });
  return parts.join('') + escapeHiddenLines(text.slice(end));
}

function summarize({ matches, functions, files, searched }: GrepResponse['total']): string {
  if (matches === 0) return `No matches in ${formatCounted(searched, 'file')}.`;
  const within = functions > 0 ? ` in ${formatCounted(functions, 'function')}` : '';
  const of = `${formatCount(files)} of ${formatCounted(searched, 'file')}`;
  return `${formatCounted(matches, 'match', 'matches')}${within}, in ${of}.`;
}

function describeHidden(functions: number, files: number): string[] {
  const hidden = [
    ...(functions > 0 ? [formatCounted(functions, 'more function')] : []),
    ...(files > 0 ? [formatCounted(files, 'more file')] : []),
  ];
  return hidden.length > 0 ? [`${hidden.join(' and ')}. Use a larger --limit.`] : [];
}
