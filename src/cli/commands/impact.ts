import { Command } from 'commander';
import { badInput } from '../../shared/errors.ts';
import { formatCounted } from '../../shared/format-count.ts';
import {
  type EditedFunction,
  type Impact,
  type ImpactSuggestion,
  type ImpactTest,
  impactRequest,
} from '../../shared/impact.ts';
import { MAX_ISSUE } from '../../shared/limits.ts';
import type { QueryRequest } from '../../shared/queries.ts';
import { quoteName } from '../../shared/quote.ts';
import { getShownName } from '../../shared/shown-name.ts';
import { EXIT } from '../exit-codes.ts';
import {
  parseInteger,
  parseNonEmpty,
  type RepositoryCliOptions,
  readTextFile,
  withDaemonOption,
  withRepositoryOptions,
  withUpdatedRepository,
} from '../options.ts';
import type { RunAction, Session } from '../session.ts';
import { type Colors, padEnd, padStart } from '../terminal.ts';

const EXAMPLES = `
Without a diff, the changes of the working tree against HEAD count, new files included.

Examples:
  locus impact                               what else my changes need, and which tests to run
  locus impact . --file review.diff          for a diff, applied or not
  git diff main... | locus impact . -        for a branch
  locus impact . --commit HEAD~2             for a commit
  locus impact . --json | jq -r '.tests[].path' | sort -u`;

interface ImpactOptions extends RepositoryCliOptions {
  file?: string;
  commit?: string;
  limit: number;
  tests: number;
}

const { limit: LIMIT, tests: TESTS } = impactRequest.shape;
const MAX_LIMIT = LIMIT.unwrap().maxValue ?? 0;
const MAX_TESTS = TESTS.unwrap().maxValue ?? 0;

export function impactCommand(run: RunAction): Command {
  return withDaemonOption(withRepositoryOptions(new Command('impact')))
    .argument('[dir]', 'a folder, a git working tree or a bare repository')
    .argument('[diff]', '- to read a diff from standard input')
    .option('-f, --file <file>', 'read a unified diff from a file, or from standard input for -')
    .option('--commit <revision>', 'the changes of this commit', parseNonEmpty)
    .option(
      '-n, --limit <count>',
      `maximum number of suggestions (1 to ${MAX_LIMIT})`,
      parseInteger(1, MAX_LIMIT),
      LIMIT.def.defaultValue,
    )
    .option(
      '--tests <count>',
      `maximum number of tests, nearest first (0 to ${MAX_TESTS})`,
      parseInteger(0, MAX_TESTS),
      TESTS.def.defaultValue,
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, diff: string | undefined, options: ImpactOptions) =>
      run(async (session) => {
        const isInput = dir === '-' && diff === undefined;
        const changes = await readChanges(isInput ? '-' : diff, options, session);
        const folder = isInput ? '.' : (dir ?? '.');
        return withUpdatedRepository(session, folder, options, async (repository) => {
          const { limit, tests } = options;
          const impact = await repository.impact({ ...changes, limit, tests });
          session.printResult(impact, () => renderImpact(impact, session.colors));
          return EXIT.ok;
        });
      }),
    );
}

async function readChanges(
  diff: string | undefined,
  { file, commit }: ImpactOptions,
  session: Session,
): Promise<Pick<QueryRequest<'impact'>, 'diff' | 'commit'>> {
  if (diff !== undefined && diff !== '-')
    throw badInput(`${diff} is an extra argument.`, 'Name a file with a diff after --file.');
  const sources = [diff, file, commit].filter((one) => one !== undefined);
  if (sources.length > 1)
    throw badInput('The changes are given twice.', 'Give one of -, --file and --commit.');
  const named = diff ?? file;
  if (named === undefined) return commit === undefined ? {} : { commit };
  const limits = { what: 'a diff', maxBytes: 4 * MAX_ISSUE };
  return { diff: cutDiff(await readTextFile(session.host, named, limits), session) };
}

/** Cuts a diff before the file at which it becomes too long, and says so. */
function cutDiff(text: string, session: Session): string {
  if (text.trim() === '') throw badInput('The diff is empty.', 'Give a unified diff.');
  if (text.length <= MAX_ISSUE) return text;
  const end = text.lastIndexOf('\ndiff ', MAX_ISSUE);
  const cut = text.slice(0, end > 0 ? end + 1 : MAX_ISSUE);
  session.note('locus: The diff is too long. Its last files are left out.');
  return cut;
}

/** Renders an answer for a terminal. */
function renderImpact(impact: Impact, colors: Colors): string[] {
  const { edited, suggestions, hidden, tests, hiddenTests, note } = impact;
  const more = (count: number, what: string, option: string) =>
    count > 0 ? [colors.dim(`${formatCounted(count, what)}. Use a larger ${option}.`)] : [];
  return [
    colors.bold(`${formatCounted(edited.length, 'function')} edited`),
    ...edited.map((one) => renderEdited(one, colors)),
    ...(suggestions.length > 0 ? ['', colors.bold('May have to change too')] : []),
    ...suggestions.flatMap((one, i) => renderSuggestion(one, i + 1, colors)),
    ...more(hidden, 'more function', '--limit'),
    '',
    colors.bold(tests.length > 0 ? 'Tests to run' : 'No test reaches them in the call graph.'),
    ...tests.map((one) => renderTest(one, colors)),
    ...more(hiddenTests, 'more test', '--tests'),
    ...(note === null ? [] : ['', colors.dim(note)]),
  ];
}

const CHANGE_WIDTH = 'signature'.length;

function renderEdited(one: EditedFunction, colors: Colors): string {
  const { chunk, path, qualifiedName, change, formerName } = one;
  const name = chunk ? getShownName(chunk) : qualifiedName;
  const was = formerName === null ? '' : `  was ${quoteName(formerName)}`;
  const line = chunk ? `:${chunk.startLine}` : '';
  return `  ${padEnd(change, CHANGE_WIDTH)}  ${quoteName(name)}  ${colors.dim(`${quoteName(path)}${line}${was}`)}`;
}

function renderSuggestion(one: ImpactSuggestion, rank: number, colors: Colors): string[] {
  const clauses = one.reasons.map(({ text, line }) => (line ? `${text} (line ${line})` : text));
  return [
    `${padStart(String(rank), 4)}  ${quoteName(getShownName(one))}  ${colors.dim(`${quoteName(one.path)}:${one.startLine}`)}`,
    colors.dim(`      ${clauses.join(' · ')}`),
  ];
}

function renderTest(one: ImpactTest, colors: Colors): string {
  const marks = [...(one.inDiff ? ['in the diff'] : []), ...(one.guess ? ['?'] : [])];
  const mark = marks.length > 0 ? `  ${marks.join(', ')}` : '';
  return `${colors.dim(padStart(String(one.distance), 4))}  ${quoteName(getShownName(one))}  ${colors.dim(`${quoteName(one.path)}:${one.startLine}${mark}`)}`;
}
